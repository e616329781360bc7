"""Pictures. Matplotlib is loaded when a picture is drawn, not before.

None goes through pyplot, so nothing global is touched and no window opens.
"""

from evorules.plots.disjuncts import plot_disjuncts, plot_history
from evorules.plots.ranks import plot_ranks
from evorules.plots.rules import plot_rules_and_accuracy
from evorules.plots.scores import plot_scores
from evorules.plots.tree import plot_tree

__all__ = [
    "plot_disjuncts",
    "plot_history",
    "plot_ranks",
    "plot_rules_and_accuracy",
    "plot_scores",
    "plot_tree",
]
