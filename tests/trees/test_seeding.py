import random

import numpy as np
import pytest
from reference import random_plain

from trees.errors import ParameterError
from trees.seeding import generator, root_seed, stream_state


def test_splitmix64_gives_the_published_sequence_for_seed_1234567():
    # the first outputs for this seed, as the generator's authors' C code prints them
    from trees._kernels_random import splitmix64

    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [random_plain.splitmix64(1234567, i) for i in range(4)] == expected
    assert [int(splitmix64(np.uint64(1234567), i)) for i in range(4)] == expected


def test_xoshiro_gives_the_published_sequence_for_state_1_2_3_4():
    # rand_xoshiro's reference vector for xoshiro256++ with state 1, 2, 3, 4
    from trees._kernels_random import next_word

    expected = [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
    ]
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    assert [int(next_word(state)) for _ in expected] == expected
    plain = random_plain.Stream([1, 2, 3, 4])
    assert [plain.next_word() for _ in expected] == expected


@pytest.mark.parametrize("bound", [1, 2, 3, 200, 2**31, 2**53 + 1, 2**62 - 2])
def test_integers_equal_the_exact_product_of_the_plain_twin(bound):
    from trees._kernels_random import integer

    state = stream_state(3, "test")
    plain = random_plain.Stream(state)
    drawn = [int(integer(state, bound)) for _ in range(300)]
    assert drawn == [plain.integer(bound) for _ in range(300)]
    assert min(drawn) >= 0
    assert max(drawn) < bound
    assert [int(word) for word in state] == plain.state


def test_uniforms_equal_the_plain_twin_and_lie_in_the_unit_interval():
    from trees._kernels_random import uniform

    state = stream_state(4, "test")
    plain = random_plain.Stream(state)
    drawn = [uniform(state) for _ in range(1000)]
    assert drawn == [plain.uniform() for _ in range(1000)]
    assert 0 <= min(drawn) < max(drawn) < 1
    assert abs(np.mean(drawn) - 0.5) < 0.03  # standard error .009


def test_an_int_stands_for_itself_and_a_larger_one_is_folded():
    assert root_seed(0) == 0
    assert root_seed(np.int64(42)) == 42
    assert root_seed(2**64 - 1) == 2**64 - 1
    assert 0 <= root_seed(2**64) < 2**64
    assert root_seed(2**64) != root_seed(2**64 + 1)


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_generator_gives_a_root_and_is_advanced(make):
    source = make(5)
    first, second = root_seed(source), root_seed(source)
    assert first != second
    assert first == root_seed(make(5))


def test_none_gives_another_root_each_time():
    assert root_seed(None) != root_seed(None)


@pytest.mark.parametrize("wrong", [-1, 1.5, "7", True, random, np.random])
def test_other_random_states_are_refused_by_name(wrong):
    with pytest.raises(ParameterError, match="random_state must be None, an int of at least 0"):
        root_seed(wrong)


def test_streams_differ_in_every_key():
    keys = [("a", 0, 0, 0), ("b", 0, 0, 0), ("a", 1, 0, 0), ("a", 0, 1, 0), ("a", 0, 0, 1), (0, 0, 0, 0)]
    states = [tuple(stream_state(9, *key)) for key in keys] + [tuple(stream_state(10, *keys[0]))]
    words = [word for state in states for word in state]
    assert len(set(words)) == len(words)


def test_stream_state_is_the_same_everywhere():
    # written down once so that a change of the derivation, which would change every result, is noticed
    expected = [15832860245869519510, 3197623913301393858, 17464571115732322268, 4969226069270085274]
    assert stream_state(7, "ga-small", 3, 1, 2).tolist() == expected


def test_generators_differ_by_key():
    assert generator(7, "folds", 0).random() != generator(7, "folds", 1).random()


def test_nothing_touches_the_global_generators():
    before, numpy_before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    root = root_seed(None)
    stream_state(root, "x")
    generator(root, "x").random(3)
    root_seed(np.random.RandomState(1))
    assert random.getstate() == before
    assert np.random.get_state()[1].tolist() == numpy_before  # noqa: NPY002
