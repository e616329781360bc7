"""Items (attribute = value, or attribute in an interval) as bits, and class association rules over them."""

from evorules.items.car_set import CarCounts, CarSet, count_classes
from evorules.items.items import Items

__all__ = ["CarCounts", "CarSet", "Items", "count_classes"]
