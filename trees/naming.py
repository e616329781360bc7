"""Lists of known names for error messages."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

__all__ = ["closest_first", "listed"]

SHOWN = 12


def closest_first(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names, those most like `name` (case and blanks aside) first."""

    def likeness(candidate: str) -> float:
        return SequenceMatcher(None, candidate.strip().lower(), name.strip().lower()).ratio()

    return sorted(known, key=likeness, reverse=True)


def listed(names: list[str], shown: int = SHOWN) -> str:
    """Return quoted names separated by commas; of long lists the first ones and how many follow."""
    text = ", ".join(repr(name) for name in names[:shown])
    return text if len(names) <= shown else f"{text} and {len(names) - shown} more"
