"""Car evaluation and nursery: complete attribute spaces classified by published expert models.

Both were derived from hierarchical models made with the DEX method: Bohanec & Rajkovic (1990), "Expert system
for decision making", Sistemica 1(1), and Olave, Rajkovic & Bohanec (1989), "An application for admission in
public school systems". The models' trees of concepts are published, their tables are not; the tables below
are the smallest ones that reproduce the distributed files line by line.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from evorules.datasets._build import Domains, classes, complete_space, nominal_frame

__all__ = ["car", "nursery"]

CAR: Domains = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}
CAR_CLASSES = ("unacc", "acc", "good", "vgood")

# Concepts are numbered from 0, the worst.
PRICE = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [1, 1, 2, 3], [1, 2, 3, 3]])  # buying, maint
COMFORT = np.array(  # doors, persons, lug_boot
    [
        [[0, 0, 0], [1, 1, 2], [0, 1, 2]],
        [[0, 0, 0], [1, 1, 2], [1, 2, 2]],
        [[0, 0, 0], [1, 2, 2], [1, 2, 2]],
        [[0, 0, 0], [1, 2, 2], [1, 2, 2]],
    ]
)
TECH = np.array([[0, 0, 0], [0, 1, 2], [0, 2, 3]])  # comfort, safety
CAR_CLASS = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 1, 3], [0, 1, 2, 3]])  # price, tech

NURSERY: Domains = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
}
NURSERY_CLASSES = ("not_recom", "recommend", "very_recom", "priority", "spec_prior")

# Concepts are numbered from 0, the best.
EMPLOY = np.array([[0, 1, 1, 2, 3], [1, 1, 2, 3, 3], [2, 2, 3, 3, 3]])  # parents, has_nurs
STRUCTURE = np.array([[0, 1, 2, 2], [1, 1, 2, 2], [1, 2, 2, 2], [2, 2, 2, 2]])  # form, children
STRUCT_FINAN = np.array(  # structure, housing, finance
    [[[0, 1], [1, 1], [1, 1]], [[1, 1], [1, 1], [2, 2]], [[1, 2], [2, 2], [2, 2]]]
)
SOC_HEALTH = np.array([[0, 1, 2], [0, 1, 2], [1, 1, 2]])  # social, health
NURSERY_CLASS = np.array(  # employ, struct_finan, soc_health
    [
        [[1, 3, 0], [2, 3, 0], [3, 3, 0]],
        [[2, 3, 0], [2, 3, 0], [3, 3, 0]],
        [[3, 3, 0], [3, 3, 0], [3, 4, 0]],
        [[3, 3, 0], [3, 4, 0], [4, 4, 0]],
    ]
)


def car() -> tuple[pd.DataFrame, pd.Series]:
    """Return the 1728 cars in the order of the distributed file."""
    space = complete_space([len(values) for values in CAR.values()])
    buying, maint, doors, persons, lug_boot, safety = space.T
    tech = TECH[COMFORT[doors, persons, lug_boot], safety]
    return nominal_frame(space, CAR), classes(CAR_CLASS[PRICE[buying, maint], tech], CAR_CLASSES)


def nursery() -> tuple[pd.DataFrame, pd.Series]:
    """Return the 12960 applications in the order of the distributed file."""
    space = complete_space([len(values) for values in NURSERY.values()])
    parents, has_nurs, form, children, housing, finance, social, health = space.T
    struct_finan = STRUCT_FINAN[STRUCTURE[form, children], housing, finance]
    labels = NURSERY_CLASS[EMPLOY[parents, has_nurs], struct_finan, SOC_HEALTH[social, health]]
    return nominal_frame(space, NURSERY), classes(labels, NURSERY_CLASSES)
