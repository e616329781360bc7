"""Decision trees, the rule model and the typed table they share."""
