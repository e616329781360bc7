import functools
import random

import numpy as np
import pytest
from deap import tools

from evorules.evolution import ConditionTable, GASettings, evolve, gain_worth
from evorules.evolution.individual import Gene, Individual
from evorules.evolution.operators import SHIPPED, mutation, one_point_crossover
from evorules.evolution.toolbox import Toolbox
from tests.reference.ga_tables import table_of
from trees.counts import Counts
from trees.errors import DataError, ParameterError
from trees.measures import confidence
from trees.seeding import stream_state

SMALL = GASettings(population_size=20, n_generations=4)


def noisy(n_values=3):
    rng = np.random.default_rng(1)
    n = 150
    x, c, other = rng.integers(0, 12, n), rng.integers(0, n_values, n), rng.integers(0, 9, n)
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), (x > 6) & (c < 2))
    return table_of([x.tolist(), (n_values, c.tolist()), other.tolist()], y.astype(int).tolist())


def run(toolbox, table=None, settings=SMALL, **more):
    remaining = ConditionTable.build(noisy() if table is None else table).remaining()
    state = stream_state(3, "toolbox")
    return evolve(remaining, gain_worth(remaining), state, toolbox=toolbox, settings=settings, **more)


def test_a_fresh_toolbox_holds_our_operators_bound_to_the_settings():
    toolbox = Toolbox(GASettings(crossover_rate=0.7, tournament_size=3, min_conditions=1, init="random"))
    assert toolbox.is_shipped()
    assert toolbox.mate.func is one_point_crossover
    assert toolbox.mate.keywords == {"rate": 0.7}
    assert toolbox.select.keywords == {"size": 3}
    assert toolbox.prune.keywords == {"min_conditions": 1, "scope": "active"}
    assert toolbox.init.keywords == {"seeded": False}


def test_operators_registered_again_with_other_numbers_stay_compiled_and_use_them():
    toolbox = Toolbox(SMALL)
    toolbox.register("mutate", mutation, rate=0.4)
    assert toolbox.is_shipped()
    changed, plain = run(toolbox), run(None)
    assert changed.population.genome.condition.tolist() != plain.population.genome.condition.tolist()
    stepwise = run(toolbox, stepwise=True)
    assert changed.population.genome.condition.tolist() == stepwise.population.genome.condition.tolist()


@pytest.mark.parametrize(
    ("alias", "operator", "bound"),
    [
        ("mate", tools.cxUniform, {"indpb": 0.5}),
        ("mate", tools.cxTwoPoint, {}),
        ("select", tools.selRoulette, {}),
        ("select", tools.selTournament, {"tournsize": 3}),
        ("select", tools.selBest, {}),
        (
            "select",
            tools.selDoubleTournament,
            {"fitness_size": 2, "parsimony_size": 1.4, "fitness_first": True},
        ),
        ("select", tools.selStochasticUniversalSampling, {}),
    ],
)
@pytest.mark.parametrize("n_values", [3, 70])
def test_ordinary_deap_operators_work_and_repeat(alias, operator, bound, n_values):
    before, numpy_before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    evolutions = []
    for seed in (1, 2):
        random.seed(seed)
        outside = random.getstate()
        toolbox = Toolbox(SMALL)
        toolbox.register(alias, operator, **bound)
        assert not toolbox.is_shipped()
        evolutions.append(run(toolbox, noisy(n_values)))
        assert random.getstate() == outside
    random.setstate(before)
    assert np.random.get_state()[1].tolist() == numpy_before  # noqa: NPY002
    first, second = evolutions
    assert first.rule == second.rule
    for a, b in zip(first.population.genome, second.population.genome, strict=True):
        assert a.tolist() == b.tolist()
    assert first.records[-1, 3] >= first.records[0, 3]
    assert first.rule.correct > 0


def test_selection_of_the_best_only_fills_the_population_with_it():
    toolbox = Toolbox(SMALL)
    toolbox.register("select", lambda individuals, k: [tools.selBest(individuals, 1)[0]] * k)
    quiet = GASettings(population_size=20, n_generations=1, crossover_rate=0.0, mutation_rate=0.0)
    toolbox.register("mutate", mutation, rate=0.0)
    evolution = run(toolbox, settings=quiet)
    assert len(np.unique(evolution.population.genome.condition, axis=0)) == 1


def test_selected_individuals_may_be_copies():
    def copies(individuals, k):
        return [Individual(individuals[0]) for _ in range(k)]

    toolbox = Toolbox(SMALL)
    toolbox.register("select", copies)
    assert run(toolbox).fitness > 0


def test_own_operators_get_lists_of_genes_and_may_change_them():
    calls = []

    def switch_off_the_last(individual):
        calls.append(len(individual))
        individual[-1] = individual[-1]._replace(active=False)
        return (individual,)

    toolbox = Toolbox(SMALL)
    toolbox.register("prune", switch_off_the_last)
    evolution = run(toolbox)
    assert set(calls) == {3}
    # the first population, then an even number of children
    assert len(calls) == 20 + 4 * 20
    assert not evolution.population.genome.active[:, -1].any()


def test_an_own_initialisation_returns_one_individual():
    conditions = ConditionTable.build(noisy())
    low, _ = conditions.code_ranges
    toolbox = Toolbox(SMALL)
    toolbox.register("init", lambda: [Gene(True, int(code)) for code in low])
    evolution = run(toolbox, settings=GASettings(population_size=6, n_generations=0))
    assert np.unique(evolution.population.genome.condition, axis=0).tolist() == [low.tolist()]


def test_an_own_evaluation_computes_from_the_counts_of_the_rule():
    def precision(individual):
        counts = Counts(
            individual.class_totals, individual.counts[None, :], np.array([individual.consequent])
        )
        return (float(confidence(counts)[0]),)

    toolbox = Toolbox(SMALL)
    toolbox.register("evaluate", precision)
    evolution = run(toolbox)
    assert evolution.fitness == evolution.rule.confidence


def test_an_own_evaluation_may_return_a_number_but_not_nan():
    toolbox = Toolbox(SMALL)
    toolbox.register("evaluate", lambda individual: 0.25)
    assert run(toolbox).fitness == 0.25
    toolbox.register("evaluate", lambda individual: (float("nan"),))
    with pytest.raises(ParameterError, match="must return one finite number"):
        run(toolbox)


def test_a_selection_of_the_wrong_size_is_an_error():
    toolbox = Toolbox(SMALL)
    toolbox.register("select", lambda individuals, k: individuals[:3])
    with pytest.raises(ParameterError, match=r"'select' must return 20 individuals\. Got 3"):
        run(toolbox)


def test_an_operator_that_moves_genes_to_other_places_is_told_so():
    toolbox = Toolbox(SMALL)
    toolbox.register("mutate", tools.mutShuffleIndexes, indpb=1.0)
    with pytest.raises(DataError, match="Operators must keep genes in their places"):
        run(toolbox)


def test_the_global_generators_are_put_back_after_an_error():
    toolbox = Toolbox(SMALL)
    toolbox.register("mutate", lambda individual: 1 / 0)
    before = random.getstate()
    with pytest.raises(ZeroDivisionError, match="division"):
        run(toolbox)
    assert random.getstate() == before
    assert toolbox.run is None


@pytest.mark.parametrize("alias", ["init", "select", "mate", "mutate", "prune", "evaluate"])
def test_a_decorated_operator_of_ours_is_called_on_individuals(alias):
    calls = []

    def watch(operator):
        @functools.wraps(operator)
        def wrapper(*arguments, **bound):
            calls.append(arguments)
            return operator(*arguments, **bound)

        return wrapper

    toolbox = Toolbox(SMALL)
    toolbox.decorate(alias, watch)
    assert not toolbox.is_shipped()
    assert not toolbox.takes_population(alias)
    evolution = run(toolbox)
    assert calls
    if alias == "select":
        assert all(isinstance(individual, Individual) for individual in calls[0][0])
    else:
        assert all(isinstance(individual, Individual) for individual in calls[0])
    assert evolution.records[-1, 3] >= evolution.records[0, 3]


def test_a_decorator_can_undo_what_an_operator_did():
    def keep_all_active(operator):
        def wrapper(individual, **bound):
            (changed,) = operator(individual, **bound)
            changed[:] = [gene._replace(active=True) for gene in changed]
            return (changed,)

        return wrapper

    toolbox = Toolbox(SMALL)
    toolbox.decorate("prune", keep_all_active)
    assert run(toolbox).population.genome.active.all()


def test_a_decorated_crossover_is_called_at_its_rate_and_always_crosses():
    calls = []

    def watch(operator):
        def wrapper(a, b, **bound):
            calls.append((list(a), list(b)))
            return operator(a, b, **bound)

        return wrapper

    toolbox = Toolbox(SMALL)
    toolbox.register("mate", one_point_crossover, rate=0.5)
    toolbox.decorate("mate", watch)
    run(toolbox, settings=GASettings(population_size=200, n_generations=20))
    # 20 generations of 100 pairs
    assert len(calls) / 2000 == pytest.approx(0.5, abs=0.05)


def test_a_wrapper_around_our_operator_keeps_the_mark_and_is_not_bypassed():
    calls = []

    @functools.wraps(mutation)
    def counted(*arguments, **bound):
        calls.append(arguments)
        return mutation(*arguments, **bound)

    toolbox = Toolbox(SMALL)
    toolbox.register("mutate", counted, rate=0.01)
    assert toolbox.takes_population("mutate")
    assert not toolbox.is_shipped()
    assert run(toolbox).rule == run(None).rule
    assert len(calls) == 4


@pytest.mark.parametrize("aliases", [*([alias] for alias in SHIPPED), list(SHIPPED)])
@pytest.mark.parametrize("size", [2, 3])
def test_steps_joined_in_one_call_give_what_single_steps_give(aliases, size):
    def single(operator):
        # not our function any more, but one on populations: it is called by itself
        return functools.wraps(operator)(lambda *arguments, **bound: operator(*arguments, **bound))

    chosen = GASettings(population_size=21, n_generations=6, tournament_size=size, mutation_rate=0.2)
    toolbox = Toolbox(chosen)
    for alias in aliases:
        bound = getattr(toolbox, alias)
        toolbox.register(alias, single(bound.func), **bound.keywords)
    alone, joined = run(toolbox, settings=chosen), run(Toolbox(chosen), settings=chosen, stepwise=True)
    assert alone.run.state.tolist() == joined.run.state.tolist()
    assert alone.population.fitness.tobytes() == joined.population.fitness.tobytes()
    for a, b in zip(alone.population.genome, joined.population.genome, strict=True):
        assert a.tolist() == b.tolist()


def test_the_form_on_individuals_needs_a_run():
    toolbox = Toolbox(SMALL)
    toolbox.decorate("mutate", lambda operator: operator)
    with pytest.raises(RuntimeError, match="no run is on"):
        toolbox.mutate(Individual())
