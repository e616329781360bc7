"""What the columns of `ConditionTable.genes` hold; ndarray of shape (n_genes, 8), int32."""

KIND = 0
"""`NUMERIC`, `NARROW` or `WIDE`."""
START = 1
"""First condition id of the gene."""
SIZE = 2
"""Number of its values."""
WORD = 3
"""First word of its value set in a genome."""
N_WORDS = 4
"""Words of that value set; 0 unless the gene is wide."""
ROW = 5
"""First of its bitsets."""
STRIDE = 6
"""Distance in rows of the cumulative bitsets of a numeric gene; 0 if there is one for every value."""
KNOWN = 7
"""Rows whose cell is not missing."""

NUMERIC = 0
"""Ids 2 * rank for ``<=`` and 2 * rank + 1 for ``>`` a value."""
NARROW = 1
"""Nominal with an id for every value set: bit v of it stands for the v-th value."""
WIDE = 2
"""Nominal with too many values for that: the genome carries the value set, and there is no id."""
