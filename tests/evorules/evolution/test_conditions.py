import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import ga_plain
from reference.ga_tables import parts, table_of, tables

from evorules.evolution import ConditionTable, cells
from evorules.evolution.arrays import Genome
from trees.errors import DataError
from trees.rule import Condition


def one_condition(conditions: ConditionTable, gene: int, code: int) -> Genome:
    """A genome whose only active gene holds a condition."""
    genome = Genome.empty(1, conditions.n_genes, conditions.n_words)
    genome.active[:] = 0
    genome.active[0, gene] = 1
    genome.condition[:] = -1
    genome.subset[:] = 0
    if gene in conditions.wide_genes:
        conditions.write_subset(genome, 0, gene, code)
    else:
        genome.condition[0, gene] = code
    return genome


def all_codes(conditions: ConditionTable, gene: int) -> list[int]:
    if gene not in conditions.wide_genes:
        low, high = conditions.code_ranges
        return list(range(low[gene], high[gene] + 1))
    n_values = len(conditions.cells.values[gene])
    everything = (1 << n_values) - 1
    return [1 << v for v in range(n_values)] + [everything ^ (1 << v) for v in range(n_values)]


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_every_condition_covers_the_rows_that_it_matches(data):
    table = data.draw(tables())
    rows = data.draw(parts(table))
    domain = data.draw(st.one_of(st.none(), parts(table)))
    conditions = ConditionTable.build(table, rows, domain_rows=domain)
    plain = ga_plain.space(table, rows, domain_rows=domain)
    assert conditions.rows.tolist() == plain.rows
    assert conditions.attributes.tolist() == [gene.attribute for gene in plain.genes]
    assert [v.tolist() for v in conditions.cells.values] == [gene.values for gene in plain.genes]
    assert conditions.cells.ranks.tolist() == [gene.cells for gene in plain.genes]
    alive = np.isin(np.arange(len(rows)), data.draw(parts(table.take(rows))))
    remaining = conditions.remaining(alive)
    for gene in range(conditions.n_genes):
        for code in all_codes(conditions, gene):
            genome = one_condition(conditions, gene, code)
            matched = conditions.condition(gene, code).match(table.X[conditions.rows])
            assert conditions.antecedent(genome) == (conditions.condition(gene, code),)
            assert remaining.covered(genome).tolist() == (matched & alive).tolist()


@pytest.mark.parametrize("stride_words", [64, 128])
def test_numeric_genes_with_many_values_keep_few_bitsets_and_cover_the_same(stride_words, monkeypatch):
    monkeypatch.setattr(cells, "DENSE_BYTES", 0)
    if stride_words == 128:
        monkeypatch.setattr(cells, "BUDGET_BYTES", 400)
    rng = np.random.default_rng(3)
    column = rng.permutation(np.repeat(np.arange(150.0), 2))
    column[rng.random(300) < 0.1] = np.nan
    table = table_of([column.tolist()], rng.integers(0, 2, 300).tolist())
    conditions = ConditionTable.build(table)
    n_known = int((~np.isnan(column)).sum())
    assert conditions.genes[0, 6] == stride_words
    assert len(conditions.coverage.bits) == 2 * (1 + -(-n_known // stride_words))
    remaining = conditions.remaining()
    for code in range(conditions.n_conditions):
        genome = one_condition(conditions, 0, code)
        matched = conditions.condition(0, code).match(table.X[conditions.rows])
        assert remaining.covered(genome).tolist() == matched.tolist()


def test_bitsets_of_many_rows_and_values_stay_within_the_budget():
    rng = np.random.default_rng(0)
    n = 30_000
    table = table_of([rng.random(n) for _ in range(30)], rng.integers(0, 2, n).tolist())
    conditions = ConditionTable.build(table)
    assert conditions.coverage.bits.nbytes <= 64 << 20
    remaining = conditions.remaining()
    code = int(conditions.genes[7, 1]) + 2 * 12_345 + 1
    genome = one_condition(conditions, 7, code)
    # 30000 distinct values: 12346 are not greater
    assert remaining.covered(genome).sum() == n - 12_346


def test_a_missing_cell_satisfies_no_condition():
    table = table_of([[1, None, 2], (3, [0, None, 2])], [0, 1, 1])
    conditions = ConditionTable.build(table)
    remaining = conditions.remaining()
    missing = conditions.rows.tolist().index(1)
    for gene in range(2):
        for code in all_codes(conditions, gene):
            assert not remaining.covered(one_condition(conditions, gene, code))[missing]


def test_attributes_with_one_value_are_no_genes():
    table = table_of([[1, 1, None], (3, [2, 2, 2]), (2, [0, 1, 1]), [None, None, None]], [0, 1, 1])
    conditions = ConditionTable.build(table)
    assert conditions.attributes.tolist() == [2]
    assert ConditionTable.build(table, attributes=[0, 1]).n_genes == 0


def test_values_come_from_the_rows_and_nominal_ones_from_the_domain_too():
    table = table_of([[5, 6, 7, 8], (4, [0, 1, 2, 3])], [0, 1, 0, 1])
    own = ConditionTable.build(table, [0, 2])
    assert [v.tolist() for v in own.cells.values] == [[5, 7], [0, 2]]
    wider = ConditionTable.build(table, [0, 2], domain_rows=[1])
    assert [v.tolist() for v in wider.cells.values] == [[5, 7], [0, 1, 2]]
    assert wider.condition(1, int(wider.genes[1, 1]) + 0b110) == Condition(1, "in", (1, 2))


def test_conditions_read_as_the_attribute_relation_and_value():
    table = table_of([[5, 6, 7], (3, [0, 1, 2])], [0, 1, 0])
    conditions = ConditionTable.build(table)
    found = [conditions.condition(0, code) for code in range(6)]
    assert found[:4] == [
        Condition(0, "<=", 5),
        Condition(0, ">", 5),
        Condition(0, "<=", 6),
        Condition(0, ">", 6),
    ]
    low, high = conditions.code_ranges
    assert [conditions.condition(1, code).value for code in range(low[1], high[1] + 1)] == [
        (0,),
        (1,),
        (0, 1),
        (2,),
        (0, 2),
        (1, 2),
    ]


def test_no_rows_are_an_error():
    table = table_of([[1, 2]], [0, 1])
    with pytest.raises(DataError, match="at least one row"):
        ConditionTable.build(table, [])
    with pytest.raises(DataError, match="at least one row"):
        ConditionTable.build(table).remaining(np.zeros(2, dtype=np.bool_))


def test_a_mask_of_another_length_is_an_error():
    conditions = ConditionTable.build(table_of([[1, 2, 3]], [0, 1, 0]))
    with pytest.raises(DataError, match=r"shape \(3,\)"):
        conditions.remaining(np.ones(2, dtype=np.bool_))


def test_a_class_without_rows_is_an_error_that_names_it():
    conditions = ConditionTable.build(table_of([[1, 2]], [0, 2]))
    assert conditions.class_position(2) == 1
    with pytest.raises(DataError, match="class 1"):
        conditions.class_position(1)


@settings(deadline=None)
@given(data=st.data())
def test_remaining_values_are_the_sorted_known_ranks_of_the_rows_still_there(data):
    table = data.draw(tables())
    conditions = ConditionTable.build(table)
    plain = ga_plain.space(table)
    alive = np.isin(np.arange(table.n_rows), data.draw(parts(table)))
    remaining = conditions.remaining(alive)
    for g, gene in enumerate(plain.genes):
        expected = sorted(cell for cell, there in zip(gene.cells, alive, strict=True) if there and cell >= 0)
        assert remaining.values[g, : remaining.n_values[g]].tolist() == expected
    assert remaining.rows.tolist() == np.flatnonzero(alive).tolist()
    totals = [plain.weight[r] * (plain.y[r] == c) for c in conditions.class_codes for r in remaining.rows]
    assert remaining.totals.sum() == pytest.approx(sum(totals))


def test_bitsets_and_masks_turn_into_each_other():
    rng = np.random.default_rng(1)
    conditions = ConditionTable.build(table_of([rng.random(200)], rng.integers(0, 3, 200).tolist()))
    mask = rng.random(200) < 0.3
    assert conditions.row_mask(conditions.row_bits(mask)).tolist() == mask.tolist()
    # every class begins at a word of its own
    assert conditions.coverage.class_words.tolist() == [
        0,
        *np.cumsum([-(-int((conditions.classes == c).sum()) // 64) for c in range(3)]).tolist(),
    ]
