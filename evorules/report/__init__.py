"""Reports in HTML: a dict of what is to be said, and a template that says it."""

from evorules.report.comparison import write_report

__all__ = ["write_report"]
