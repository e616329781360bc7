"""Decision trees, the rule model and the typed table they share."""

from trees.c45 import C45Classifier
from trees.c45rules import C45RulesClassifier
from trees.cart import CARTClassifier
from trees.counts import Counts
from trees.decisions import Decisions
from trees.errors import DataError, DataWarning, ModelFileError, ParameterError, UnseenCategoryError
from trees.estimator import TableClassifier
from trees.growth.tree import Tree
from trees.id3 import ID3Classifier
from trees.lazydt import LazyDTClassifier
from trees.oblique import ObliqueTreeClassifier
from trees.rule import Condition, Rule, RuleList
from trees.schema import Attribute, Schema
from trees.table import Table

__all__ = [
    "Attribute",
    "C45Classifier",
    "C45RulesClassifier",
    "CARTClassifier",
    "Condition",
    "Counts",
    "DataError",
    "DataWarning",
    "Decisions",
    "ID3Classifier",
    "LazyDTClassifier",
    "ModelFileError",
    "ObliqueTreeClassifier",
    "ParameterError",
    "Rule",
    "RuleList",
    "Schema",
    "Table",
    "TableClassifier",
    "Tree",
    "UnseenCategoryError",
]
