import pytest

from evorules.evolution import GASettings
from trees.errors import ParameterError


def test_the_defaults_are_the_published_ones():
    chosen = GASettings()
    assert (chosen.population_size, chosen.n_generations, chosen.tournament_size) == (200, 50, 2)
    assert (chosen.crossover_rate, chosen.mutation_rate, chosen.n_elite) == (0.8, 0.01, 1)
    assert (chosen.min_conditions, chosen.measure) == (2, "sensitivity_specificity")


def test_the_norm_that_is_not_named_depends_on_the_heuristic():
    assert GASettings().norm_name == "sum"
    assert GASettings(heuristic="gain").norm_name == "entropy"
    assert GASettings(norm="max").norm_name == "max"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"population_size": 1}, "'population_size' parameter of GASettings must be an int"),
        ({"mutation_rate": 1.5}, "'mutation_rate' parameter of GASettings must be a float in"),
        ({"norm": "entropy"}, "with heuristic='tree'"),
        ({"norm": "none", "heuristic": "gain"}, "with heuristic='gain'"),
        ({"tournament_size": 9, "population_size": 8}, "'tournament_size' .* at most 8"),
        ({"n_elite": 8, "population_size": 8}, "'n_elite' .* at most 7"),
        (
            {"measure": "accuracy"},
            "'measure' parameter of GASettings must be '.*', .* or .*Got 'accuracy'",
        ),
        ({"time_budget": 0}, "'time_budget' parameter of GASettings must be None or a float"),
        ({"patience": 0}, "'patience' parameter of GASettings must be None or an int"),
    ],
)
def test_wrong_values_are_refused_by_name(wrong, message):
    with pytest.raises(ParameterError, match=message):
        GASettings(**wrong)
