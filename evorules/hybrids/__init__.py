"""Hybrids: a tree, and a remedy for its small disjuncts."""
