"""Learn rules people can read: trees, genetic algorithms for small disjuncts, association."""

from evorules.hybrids import SmallDisjunctClassifier
from evorules.learners import LEARNERS, make_learner
from trees import C45Classifier

__version__ = "0.1.0"

__all__ = ["LEARNERS", "C45Classifier", "SmallDisjunctClassifier", "__version__", "make_learner"]
