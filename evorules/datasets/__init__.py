"""Readers, writers and generators of tables."""

from evorules.datasets.dataset import Dataset
from evorules.datasets.delimited import read_csv, write_csv
from evorules.datasets.generators import DATASETS, load

__all__ = ["DATASETS", "Dataset", "load", "read_csv", "write_csv"]
