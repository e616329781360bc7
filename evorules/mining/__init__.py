"""Miners of class association rules: several ways to the same rules, with limits on what they may take."""

from evorules.mining.apriori import Apriori
from evorules.mining.bitset import BitsetMiner
from evorules.mining.miner import MINING_PARAMETERS, BaseMiner, Miner

__all__ = ["MINERS", "MINING_PARAMETERS", "Apriori", "BaseMiner", "BitsetMiner", "Miner"]

MINERS: dict[str, type[BaseMiner]] = {"apriori": Apriori, "bitset": BitsetMiner}
"""Every miner by name."""
