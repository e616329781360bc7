"""Comparing learners, and telling where a model is right."""

from evorules.evaluation.disjuncts import DisjunctScores, cross_validate_disjuncts

__all__ = ["DisjunctScores", "cross_validate_disjuncts"]
