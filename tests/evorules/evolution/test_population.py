import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from deap import tools
from hypothesis import given, settings
from hypothesis import strategies as st

from evorules.evolution import ConditionTable, GASettings, Population, evolve, gain_worth
from evorules.evolution.individual import Gene, Individual
from evorules.evolution.operators import Run, evaluation, initialisation
from tests.reference.ga_tables import table_of, tables
from trees.errors import DataError
from trees.seeding import stream_state


def population_on(table, n=12):
    remaining = ConditionTable.build(table).remaining()
    run = Run(remaining, gain_worth(remaining), stream_state(2, "population"))
    population = initialisation(run, n)
    evaluation(population, run)
    return population


def mixed():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 9, 80).tolist(), (3, rng.integers(0, 3, 80).tolist())]
    columns.append((70, rng.integers(0, 70, 80).tolist()))
    return table_of(columns, rng.integers(0, 2, 80).tolist())


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_individuals_and_arrays_turn_into_each_other(data):
    table = data.draw(tables())
    if ConditionTable.build(table).n_genes == 0:
        return
    population = population_on(table)
    individuals = list(population)
    back = Population.of(population.conditions, individuals)
    for a, b in zip(back.genome, population.genome, strict=True):
        assert a.tolist() == b.tolist()
    assert back.fitness.tolist() == population.fitness.tolist()
    assert [i.fitness.values[0] for i in individuals] == population.fitness.tolist()


def test_a_population_is_a_sequence_of_individuals():
    population = population_on(mixed())
    assert len(population) == 12
    assert population[-1] == population[11]
    assert population[2:4] == [population[2], population[3]]
    assert isinstance(population[0], Individual)
    assert isinstance(population[0][0], Gene)
    with pytest.raises(IndexError, match="range"):
        population[12]


def test_changing_an_individual_does_not_change_the_population():
    population = population_on(mixed())
    individual = population[0]
    individual[0] = individual[0]._replace(active=False)
    assert population[0][0].active


def test_deap_observers_take_a_population():
    population = population_on(mixed())
    best = tools.selBest(population, 3)
    assert [i.fitness.values[0] for i in best] == sorted(population.fitness.tolist(), reverse=True)[:3]
    hall = tools.HallOfFame(2)
    hall.update(population)
    assert hall[0].fitness.values[0] == population.fitness.max()
    statistics = tools.Statistics(key=lambda individual: individual.fitness.values[0])
    statistics.register("mean", np.mean)
    assert statistics.compile(population)["mean"] == pytest.approx(population.fitness.mean())


def test_individuals_that_were_not_evaluated_have_no_valid_fitness():
    population = population_on(mixed())
    population.fitness[3] = np.nan
    assert not population[3].fitness.valid
    assert population[4].fitness.valid
    assert np.isnan(Population.of(population.conditions, [population[3]]).fitness[0])


@pytest.mark.parametrize(
    ("gene", "code", "message"),
    [
        (0, 10**6, "Gene 0 of an individual holds code 1000000"),
        (1, 0, "Gene 1 of an individual holds code"),
        (2, 0, "Gene 2 of an individual holds value set 0x0"),
        (2, 2**80, "Gene 2 of an individual holds value set"),
    ],
)
def test_codes_that_are_no_condition_of_the_attribute_are_refused(gene, code, message):
    population = population_on(mixed())
    individual = population[0]
    individual[gene] = Gene(True, code)
    with pytest.raises(DataError, match=message):
        Population.of(population.conditions, [individual])


def test_individuals_of_another_length_are_refused():
    population = population_on(mixed())
    with pytest.raises(DataError, match="must have 3 genes"):
        Population.of(population.conditions, [population[0][:2]])


def test_individuals_can_be_copied_and_pickled_with_their_fitness():
    individual = population_on(mixed())[0]
    for other in (copy.deepcopy(individual), pickle.loads(pickle.dumps(individual))):
        assert other == individual
        assert type(other) is Individual
        assert other.fitness.values == individual.fitness.values


def test_pickles_of_a_run_load_in_a_fresh_interpreter_without_a_warning(tmp_path):
    # DEAP's creator makes its classes in one process only, and warns when it makes them twice
    table = mixed()
    remaining = ConditionTable.build(table).remaining()
    hall = tools.HallOfFame(2)
    chosen = GASettings(population_size=10, n_generations=2)
    for _ in range(2):
        evolution = evolve(
            remaining, gain_worth(remaining), stream_state(0, "x"), settings=chosen, hall_of_fame=hall
        )
    path = tmp_path / "run.pickle"
    path.write_bytes(pickle.dumps((evolution, hall)))
    program = (
        "import pathlib, pickle, sys\n"
        "evolution, hall = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(evolution.rule.describe(evolution.run.conditions.schema))\n"
        "print(hall[0].fitness.values[0] == evolution.fitness)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(path)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [evolution.rule.describe(table.schema), "True"]
