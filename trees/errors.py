"""Errors and warnings of ours, each a subclass of the built-in class that callers would expect."""

__all__ = [
    "DataError",
    "DataWarning",
    "ModelFileError",
    "ParameterError",
    "UnseenCategoryError",
]


class ParameterError(ValueError, TypeError):
    """A parameter has a wrong type or value.

    A TypeError as well, because scikit-learn's users catch either.
    """


class DataError(ValueError):
    """A table cannot be used as it is: the message names what, where and the way out."""


class UnseenCategoryError(DataError):
    """A nominal cell holds a category that was not seen in fit, and ``unknown="error"`` was asked for."""


class ModelFileError(ValueError):
    """A file is not a model file, or was written by a version that this one cannot read."""


class DataWarning(UserWarning):
    """Something in the data was changed or is unusual; the message says what."""
