"""The rules generator of C4.5: from a tree's paths to an ordered rule list."""
