"""What rule sets share, whoever learnt the rules: orders, pruning, coverage, how rules decide together."""

from evorules.rules.coverage import COVERAGES, covers, tolerant
from evorules.rules.ordering import ORDERINGS
from evorules.rules.ruleset import RuleSet
from evorules.rules.satisfaction import AllRules, BestK, BestRule, Satisfaction
from evorules.rules.training import TrainingRules
from evorules.rules.unmatched import FALLBACKS, Unmatched, class_preference

__all__ = [
    "COVERAGES",
    "FALLBACKS",
    "ORDERINGS",
    "AllRules",
    "BestK",
    "BestRule",
    "RuleSet",
    "Satisfaction",
    "TrainingRules",
    "Unmatched",
    "class_preference",
    "covers",
    "tolerant",
]
