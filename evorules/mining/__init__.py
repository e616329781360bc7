"""Miners of class association rules: several ways to the same rules, with limits on what they may take."""

from evorules.mining.apriori import Apriori
from evorules.mining.bitset import BitsetMiner
from evorules.mining.car_ca import CarCA
from evorules.mining.fp_growth import FPGrowth
from evorules.mining.mine import MINERS, mine_rules, warn_of_classes_without_rules
from evorules.mining.miner import MINING_PARAMETERS, BaseMiner, Miner
from evorules.mining.tfpc import TFPCMiner
from evorules.mining.thresholds import Thresholds, least_rows

__all__ = [
    "MINERS",
    "MINING_PARAMETERS",
    "Apriori",
    "BaseMiner",
    "BitsetMiner",
    "CarCA",
    "FPGrowth",
    "Miner",
    "TFPCMiner",
    "Thresholds",
    "least_rows",
    "mine_rules",
    "warn_of_classes_without_rules",
]
