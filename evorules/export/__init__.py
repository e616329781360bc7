"""Models written to files, and for other programs."""

from evorules.export.dot import to_dot
from evorules.export.model_file import load_model, save_model

__all__ = ["load_model", "save_model", "to_dot"]
