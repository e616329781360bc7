"""The rules generator of C4.5: from the paths of a tree, any tree, to an ordered rule list."""

from trees.rulegen.derive import Derivation, RuleOptions, derive_rules
from trees.rulegen.draws import Draws, glibc_draws, seeded_draws

__all__ = ["Derivation", "Draws", "RuleOptions", "derive_rules", "glibc_draws", "seeded_draws"]
