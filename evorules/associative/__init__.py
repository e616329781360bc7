"""Associative classifiers: each a short file that names its parts, on a template that runs them."""

from evorules.associative.car_ic import CARICClassifier
from evorules.associative.cba import CBAClassifier
from evorules.associative.cmar import CMARClassifier
from evorules.associative.eac import EACClassifier
from evorules.associative.eager import EagerClassifier
from evorules.associative.lac import LACClassifier
from evorules.associative.mcar import MCARClassifier
from evorules.associative.parts import Parts
from evorules.associative.tfpc import TFPCClassifier

__all__ = [
    "CARICClassifier",
    "CBAClassifier",
    "CMARClassifier",
    "EACClassifier",
    "EagerClassifier",
    "LACClassifier",
    "MCARClassifier",
    "Parts",
    "TFPCClassifier",
]
