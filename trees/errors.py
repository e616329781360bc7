"""Errors and warnings of ours, each a subclass of the built-in class that callers would expect."""

__all__ = [
    "DataError",
    "DataWarning",
    "MiningLimitError",
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


class MiningLimitError(RuntimeError):
    """A search for rules came upon one of its limits; the message says which and what to change.

    Parameters
    ----------
    message : str
        For people.
    kind : {"max_rules", "max_nodes", "time_budget"}
        The parameter that set the limit.
    limit : float
        Its value.
    reached : float
        What was counted when the search ended: rules, nodes or seconds.
    level : int
        Number of conditions of the antecedents searched then.
    """

    def __init__(self, message: str, kind: str, limit: float, reached: float, level: int) -> None:
        super().__init__(message)
        self.kind, self.limit, self.reached, self.level = kind, limit, reached, level

    def __reduce__(self) -> tuple[type, tuple[str, str, float, float, int]]:
        return type(self), (str(self), self.kind, self.limit, self.reached, self.level)


class ModelFileError(ValueError):
    """A file is not a model file, or was written by a version that this one cannot read."""


class DataWarning(UserWarning):
    """Something in the data was changed or is unusual; the message says what."""
