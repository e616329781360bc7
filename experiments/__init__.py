"""Studies: one short script per table of a paper, or per question. Run from a checkout, not installed."""
