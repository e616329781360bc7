"""The table of all conditions that genes may hold on some rows, with a bitset of rows for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Coverage, Genome
from evorules.evolution.cells import Cells, lay_out
from evorules.evolution.gene_columns import KIND, N_WORDS, NARROW, NUMERIC, START, WIDE, WORD
from evorules.evolution.lazy_kernels import kernels
from trees.errors import DataError
from trees.rule import Condition
from trees.schema import Schema
from trees.table import Table

__all__ = ["ConditionTable", "Remaining"]

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ConditionTable:
    """Every condition on the attributes of some rows; `build` makes it.

    A gene stands for an attribute with at least two values. A numeric gene holds ``<= v`` or ``> v``, v a
    value of the rows; a nominal one holds a non-empty proper subset of its values. A missing cell satisfies
    neither.

    Every condition of a numeric gene, and of a nominal gene with at most 8 values, has an id and a bitset of
    rows. A nominal gene with more values is *wide*: the genome carries its value set. A numeric gene with
    many values keeps bitsets for some values only; the rows up to the next one are taken out one by one.

    Parameters
    ----------
    schema : Schema
        Of the table.
    rows : ndarray of shape (n_rows,), int64
        Row numbers in the table; those of a class stand together, in class order.
    class_codes : ndarray of shape (n_present,), int32
        Codes of the classes that have rows, ascending.
    classes : ndarray of shape (n_rows,), int32
        Position of every row's class in `class_codes`.
    weight : ndarray of shape (n_rows,), float64
        Row weights.
    positions : ndarray of shape (n_rows,), int32
        Bit of every row; a class begins at a word of its own.
    cells : Cells
        Ranks of the rows' cells.
    genes : ndarray of shape (n_genes, 8), int32
        Kind, ids and places of every gene, as `gene_columns` describes.
    coverage : Coverage
        Bitsets of all conditions.
    factor : ndarray of shape (n_present,), float64
        By which the weight of a class's rows is multiplied in the fitness.
    """

    schema: Schema
    rows: npt.NDArray[np.int64]
    class_codes: Ints
    classes: Ints
    weight: Floats
    positions: Ints
    cells: Cells
    genes: Ints
    coverage: Coverage
    factor: Floats

    @classmethod
    def build(
        cls,
        table: Table,
        rows: npt.ArrayLike | None = None,
        *,
        attributes: Sequence[int] | None = None,
        domain_rows: npt.ArrayLike | None = None,
        class_factor: npt.ArrayLike | None = None,
    ) -> ConditionTable:
        """Enumerate the conditions on some rows of a table.

        Parameters
        ----------
        table : Table
            With classes.
        rows : array-like of int, optional
            Rows to work on; all if None.
        attributes : sequence of int, optional
            Columns that may become genes; all if None. Those with fewer than two values are left out.
        domain_rows : array-like of int, optional
            Rows whose nominal values may stand in a subset besides those of `rows`.
        class_factor : array-like of shape (n_classes,), optional
            Factor above 0 for the rows of every class, in the fitness and in what the majority class of the
            covered rows is; 1 for all if None. Information gains and the counts of rules go without it.

        Raises
        ------
        DataError
            If there is no row.
        """
        picked = np.arange(table.n_rows) if rows is None else np.asarray(rows, dtype=np.int64)
        if len(picked) == 0:
            raise DataError("The genetic algorithm needs at least one row.")
        picked = picked[np.argsort(table.classes[picked], kind="stable")]
        codes, first, sizes = np.unique(table.classes[picked], return_index=True, return_counts=True)
        class_words = np.concatenate([[0], np.cumsum((sizes + 63) // 64)]).astype(np.int32)
        classes = np.repeat(np.arange(len(codes), dtype=np.int32), sizes)
        positions = (np.arange(len(picked)) + (64 * class_words[:-1] - first)[classes]).astype(np.int32)

        columns = (
            np.arange(table.n_attributes) if attributes is None else np.asarray(attributes, dtype=np.int64)
        )
        domain = None if domain_rows is None else np.asarray(domain_rows, dtype=np.int64)
        cells = Cells.of(table, picked, columns, domain)
        n_words = int(class_words[-1])
        genes, n_conditions, n_bitsets = lay_out(cells, table.schema, n_words)
        weight = table.weight[picked]
        bit_weight = np.empty(0)
        if np.any(weight != 1.0):
            bit_weight = np.zeros(64 * n_words)
            bit_weight[positions] = weight
        coverage = Coverage(
            bits=np.zeros((n_bitsets, n_words), dtype=np.uint64),
            base=np.zeros(n_conditions, dtype=np.int32),
            clear=np.zeros((n_conditions, 2), dtype=np.int32),
            sorted_bits=positions[cells.order].ravel(),
            class_words=class_words,
            weight=bit_weight,
        )
        kernels().fill_table(genes, cells.ranks, cells.ends, positions, tuple(coverage))
        present = codes.astype(np.int32)
        factor = np.ones(len(codes))
        if class_factor is not None:
            factor = np.ascontiguousarray(np.asarray(class_factor, dtype=np.float64)[codes])
        return cls(table.schema, picked, present, classes, weight, positions, cells, genes, coverage, factor)

    @property
    def attributes(self) -> Ints:
        """Column of every gene; ndarray of shape (n_genes,)."""
        return self.cells.columns

    @cached_property
    def n_genes(self) -> int:
        """Number of genes of a genome."""
        return len(self.cells.columns)

    @property
    def n_rows(self) -> int:
        """Number of rows that the bitsets stand for."""
        return len(self.rows)

    @property
    def n_conditions(self) -> int:
        """Number of conditions with an id."""
        return len(self.coverage.base)

    @property
    def words_per_gene(self) -> Ints:
        """64-bit words in which a genome holds the value set of every gene; ndarray of shape (n_genes,)."""
        return self.genes[:, N_WORDS]

    @cached_property
    def n_words(self) -> int:
        """Number of 64-bit words in which a genome holds the value sets of wide genes."""
        return int(self.words_per_gene.sum())

    @property
    def has_unit_weights(self) -> bool:
        """Whether every row has weight 1."""
        return len(self.coverage.weight) == 0

    def class_position(self, code: int) -> int:
        """Return the position of a class among those that have rows.

        Raises
        ------
        DataError
            If no row is of the class: there is nothing to learn about it.
        """
        found = np.flatnonzero(self.class_codes == code)
        if len(found) == 0:
            raise DataError(f"No row of the genetic algorithm is of class {code}; leave the run out.")
        return int(found[0])

    def remaining(self, alive: Bools | None = None) -> Remaining:
        """Return the rows that a run works on; `alive` of shape (n_rows,) tells which, None means all."""
        there = np.ones(self.n_rows, dtype=np.bool_) if alive is None else np.array(alive, dtype=np.bool_)
        if there.shape != (self.n_rows,):
            raise DataError(f"A mask of shape ({self.n_rows},) must tell the rows. Got shape {there.shape}.")
        return Remaining.of(self, there)

    def condition(self, gene: int, code: int) -> Condition:
        """Return the condition that a gene holds.

        Parameters
        ----------
        gene : int
            Position of the gene.
        code : int
            Id of the condition; for a wide gene the value set, bit v standing for its v-th value.
        """
        kind, start = self.genes[gene, [KIND, START]].tolist()
        attribute, values = int(self.attributes[gene]), self.cells.values[gene].tolist()
        if kind == NUMERIC:
            rank, greater = divmod(code - start, 2)
            return Condition(attribute, ">" if greater else "<=", values[rank])
        subset = code - start if kind == NARROW else code
        return Condition(attribute, "in", tuple(int(v) for i, v in enumerate(values) if subset >> i & 1))

    @cached_property
    def wide_genes(self) -> list[int]:
        """Positions of the wide genes."""
        wide: list[int] = np.flatnonzero(self.genes[:, KIND] == WIDE).tolist()
        return wide

    @cached_property
    def code_ranges(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Least and greatest condition id of every gene, -1 and -1 for wide ones."""
        low = self.genes[:, START].astype(np.int64)
        high = np.append(low[1:], self.n_conditions) - 1
        # the empty and the full value set have ids, but are no conditions
        narrow, wide = self.genes[:, KIND] == NARROW, self.genes[:, KIND] == WIDE
        return np.where(wide, -1, low + narrow), np.where(wide, -1, high - narrow)

    def subset_code(self, genome: Genome, individual: int, gene: int) -> int:
        """Return the value set of a wide gene as a number, bit v standing for its v-th value."""
        first, n_words = self.genes[gene, [WORD, N_WORDS]].tolist()
        words = genome.subset[individual, first : first + n_words].astype("<u8")
        return int.from_bytes(words.tobytes(), "little")

    def write_subset(self, genome: Genome, individual: int, gene: int, code: int) -> None:
        """Write the value set of a wide gene; DataError if it is empty, full, or has other values."""
        first, n_words = self.genes[gene, [WORD, N_WORDS]].tolist()
        everything = (1 << len(self.cells.values[gene])) - 1
        if not 0 < code < everything:
            raise DataError(
                f"Gene {gene} of an individual holds value set {code:#x}, which is no condition of its "
                f"attribute (known: 0x1 to {everything - 1:#x})."
            )
        genome.subset[individual, first : first + n_words] = np.frombuffer(
            code.to_bytes(8 * n_words, "little"), "<u8"
        )

    def antecedent(self, genome: Genome, individual: int = 0) -> tuple[Condition, ...]:
        """Return the conditions of an individual's active genes, in gene order."""
        conditions = []
        for gene in np.flatnonzero(genome.active[individual]).tolist():
            wide = gene in self.wide_genes
            code = (
                self.subset_code(genome, individual, gene)
                if wide
                else int(genome.condition[individual, gene])
            )
            conditions.append(self.condition(gene, code))
        return tuple(conditions)

    def row_mask(self, bits: npt.NDArray[np.uint64]) -> Bools:
        """Return which rows are set in a bitset; ndarray of shape (n_rows,)."""
        flags = np.unpackbits(bits.astype("<u8").view(np.uint8), bitorder="little")
        return flags[self.positions].astype(np.bool_)

    def row_bits(self, mask: Bools) -> npt.NDArray[np.uint64]:
        """Return the bitset of some rows; ndarray of shape (n_words,), uint64."""
        flags = np.zeros(64 * int(self.coverage.class_words[-1]), dtype=np.uint8)
        flags[self.positions[mask]] = 1
        return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


@dataclass(frozen=True, eq=False)
class Remaining:
    """The rows of a condition table that a run works on, after earlier rules took theirs.

    Parameters
    ----------
    conditions : ConditionTable
        The table.
    alive : ndarray of shape (n_rows,), bool
        Which of its rows remain.
    rows : ndarray of shape (n_remaining,), int32
        Their positions in the table of conditions.
    bits : ndarray of shape (n_words,), uint64
        Their bits.
    values : ndarray of shape (n_genes, n_remaining), int32
        Per gene the ranks of their known cells, ascending; the first `n_values` of a gene hold.
    n_values : ndarray of shape (n_genes,), int32
        Rows whose cell is known.
    totals : ndarray of shape (n_present,), float64
        Weight per present class.
    """

    conditions: ConditionTable
    alive: Bools
    rows: Ints
    bits: npt.NDArray[np.uint64]
    values: Ints
    n_values: Ints
    totals: Floats

    @classmethod
    def of(cls, conditions: ConditionTable, alive: Bools) -> Remaining:
        """Collect what a run needs to know about the rows that remain; DataError if there are none."""
        rows = np.flatnonzero(alive).astype(np.int32)
        if len(rows) == 0:
            raise DataError("The genetic algorithm needs at least one row.")
        values = np.zeros((conditions.n_genes, len(rows)), dtype=np.int32)
        n_values = np.zeros(conditions.n_genes, dtype=np.int32)
        cells = conditions.cells
        kernels().remaining_ranks(
            cells.ranks, cells.order, cells.known, alive.view(np.uint8), values, n_values
        )
        n_present = len(conditions.class_codes)
        totals = np.bincount(conditions.classes[rows], conditions.weight[rows], n_present).astype(np.float64)
        return cls(conditions, alive, rows, conditions.row_bits(alive), values, n_values, totals)

    @property
    def n_rows(self) -> int:
        """Number of rows that remain."""
        return len(self.rows)

    def covered(self, genome: Genome, individual: int = 0) -> Bools:
        """Return which rows of the table remain and are covered by an individual; shape (n_rows,), bool."""
        covered, n_active = np.empty_like(self.bits), np.empty(1, dtype=np.int32)
        counts = np.empty((1, len(self.totals)))
        genes, coverage = self.conditions.genes, tuple(self.conditions.coverage)
        one = tuple(genome.rows(individual, individual + 1))
        kernels().class_counts(one, genes, coverage, self.bits, counts, n_active, covered)
        return self.conditions.row_mask(covered)
