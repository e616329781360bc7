"""Models written for other programs."""
