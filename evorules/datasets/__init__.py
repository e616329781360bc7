"""Readers, writers and generators of tables."""

from evorules.datasets.dataset import Dataset
from evorules.datasets.generators import DATASETS, load

__all__ = ["DATASETS", "Dataset", "load"]
