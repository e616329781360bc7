"""Generated tables against counts worked out by hand, and against the distributed files."""

import numpy as np
import pandas as pd
import pytest

from evorules.datasets import DATASETS, Dataset, load
from trees.errors import DataError, ParameterError


def class_counts(data: Dataset) -> dict[str, int]:
    return data.y.value_counts(sort=False).to_dict()


def file_rows(path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False)


# Counts as the UCI documentation of each set prints them; class order as its .names file lists them.
@pytest.mark.parametrize(
    ("name", "shape", "counts"),
    [
        ("balance-scale", (625, 4), {"L": 288, "B": 49, "R": 288}),
        ("breast-cancer", (569, 30), {"malignant": 212, "benign": 357}),
        ("car", (1728, 6), {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}),
        ("iris", (150, 4), {"setosa": 50, "versicolor": 50, "virginica": 50}),
        ("monks-1", (432, 6), {"0": 216, "1": 216}),
        ("monks-2", (432, 6), {"0": 290, "1": 142}),
        ("monks-3", (432, 6), {"0": 204, "1": 228}),
        ("multiplexer", (64, 6), {"0": 32, "1": 32}),
        (
            "nursery",
            (12960, 8),
            {"not_recom": 4320, "recommend": 2, "very_recom": 328, "priority": 4266, "spec_prior": 4044},
        ),
        ("parity", (32, 5), {"0": 16, "1": 16}),
        ("tic-tac-toe", (958, 9), {"positive": 626, "negative": 332}),
        ("wine", (178, 13), {"class_0": 59, "class_1": 71, "class_2": 48}),
        ("xor", (160, 2), {"0": 80, "1": 80}),
    ],
)
def test_fixed_tables_have_the_documented_size_and_class_counts(name, shape, counts):
    data = load(name)
    assert data.X.shape == shape
    assert class_counts(data) == counts
    assert list(data.y.cat.categories) == list(counts)


@pytest.mark.parametrize("name", sorted(DATASETS))
def test_every_data_set_is_made_without_options_and_has_a_class_and_a_description(name):
    data = load(name)
    assert data.name == name
    assert data.y.name == "class"
    assert len(data.X) == len(data.y) > 0
    assert not data.to_frame().isna().any().any()
    assert data.description == DATASETS[name].description
    assert "\n" not in data.description


@pytest.mark.parametrize("name", sorted(DATASETS))
def test_every_option_has_a_check_that_its_default_passes(name):
    maker = DATASETS[name]
    assert set(maker.options) == set(maker.checks)
    for option, default in maker.options.items():
        assert maker.checks[option].accepts(default)


@pytest.mark.parametrize("name", ["car", "nursery", "balance-scale"])
def test_table_is_the_distributed_file_line_by_line(name, reference):
    suffix = ".csv.gz" if name == "nursery" else ".csv"
    expected = file_rows(reference / "data" / f"{name}{suffix}")
    ours = load(name).to_frame().astype(str)
    assert list(ours.columns) == list(expected.columns)
    assert ours.to_numpy().tolist() == expected.to_numpy().tolist()


def test_tic_tac_toe_is_the_distributed_file_as_a_set(reference):
    expected = file_rows(reference / "data" / "tic-tac-toe.csv")
    ours = load("tic-tac-toe").to_frame().astype(str)
    assert list(ours.columns) == list(expected.columns)
    assert sorted(ours.to_numpy().tolist()) == sorted(expected.to_numpy().tolist())


@pytest.mark.parametrize("name", ["monks-1", "monks-2", "monks-3"])
def test_monks_problem_is_the_test_part_of_the_distributed_file_line_by_line(name, reference):
    expected = file_rows(reference / "data" / f"{name}.csv").iloc[-432:]
    ours = load(name).to_frame().astype(str)
    assert list(ours.columns) == list(expected.columns)
    assert ours.to_numpy().tolist() == expected.to_numpy().tolist()


def test_wine_is_the_distributed_file(reference):
    expected = file_rows(reference / "data" / "wine.csv")
    ours = load("wine")
    np.testing.assert_array_equal(ours.X.to_numpy(), expected.iloc[:, :-1].to_numpy(dtype=float))
    assert (ours.y.cat.codes + 1).astype(str).tolist() == expected["class"].tolist()


@pytest.mark.parametrize("name", ["car", "nursery", "monks-1", "tic-tac-toe", "multiplexer", "parity"])
def test_no_row_of_a_complete_space_occurs_twice(name):
    assert not load(name).X.duplicated().any()


def test_nominal_columns_declare_their_values_in_the_order_of_the_definition():
    X = load("car").X
    assert list(X["buying"].cat.categories) == ["vhigh", "high", "med", "low"]
    assert list(X["doors"].cat.categories) == ["2", "3", "4", "5more"]
    assert list(load("monks-1").X["a5"].cat.categories) == ["1", "2", "3", "4"]


@pytest.mark.parametrize(("problem", "n_rows"), [(1, 124), (2, 169), (3, 122)])
def test_monks_training_part_is_a_sample_without_repetition_of_the_published_size(problem, n_rows):
    full = load(f"monks-{problem}").to_frame()
    train = load(f"monks-{problem}", random_state=5, part="train")
    assert train.X.shape == (n_rows, 6)
    assert not train.X.duplicated().any()
    right = train.to_frame().merge(full, on=list(train.X.columns), suffixes=("", "_true"))
    wrong = (right["class"] != right["class_true"]).sum()
    assert wrong == (6 if problem == 3 else 0)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("led7", {}),
        ("led24", {"n_rows": 50}),
        ("waveform", {"n_rows": 50}),
        ("waveform-40", {"n_rows": 50}),
        ("monks-3", {"part": "train"}),
        ("multiplexer", {"address_bits": 4, "n_rows": 50}),
        ("parity", {"irrelevant": 8}),
    ],
)
def test_same_random_state_gives_the_same_rows_and_another_one_others(name, options):
    first = load(name, random_state=3, **options).to_frame()
    again = load(name, random_state=3, **options).to_frame()
    other = load(name, random_state=4, **options).to_frame()
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)


def test_generators_leave_the_global_random_state_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - it is the global state that is checked
    load("led7", random_state=None, n_rows=10)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_generators_of_numpy_are_taken_and_advanced():
    rng = np.random.default_rng(0)
    first = load("led7", random_state=rng, n_rows=50).to_frame()
    second = load("led7", random_state=rng, n_rows=50).to_frame()
    again = load("led7", random_state=np.random.default_rng(0), n_rows=50).to_frame()
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(second)
    legacy = [load("led7", random_state=np.random.RandomState(5), n_rows=50).to_frame() for _ in range(2)]
    pd.testing.assert_frame_equal(*legacy)


def test_led_digits_without_noise_are_the_ten_segment_patterns():
    data = load("led7", n_rows=500, noise=0.0)
    shown = data.X.astype(str).agg("".join, axis=1)
    patterns = dict(zip(data.y.astype(str), shown, strict=True))
    assert len(set(zip(data.y.astype(str), shown, strict=True))) == 10
    # segments: top, upper left, upper right, middle, lower left, lower right, bottom
    assert patterns == {
        "0": "1110111",
        "1": "0010010",
        "2": "1011101",
        "3": "1011011",
        "4": "0111010",
        "5": "1101011",
        "6": "1101111",
        "7": "1010010",
        "8": "1111111",
        "9": "1111011",
    }


def test_led_noise_inverts_each_segment_at_its_rate_and_irrelevant_bits_are_fair():
    noisy = load("led24", random_state=0, n_rows=20_000, noise=0.1)
    clean = load("led24", random_state=0, n_rows=20_000, noise=0.0)
    flips = (noisy.X.iloc[:, :7].astype(int) != clean.X.iloc[:, :7].astype(int)).mean()
    # 4 standard deviations of a share of 20000 draws: 0.0085 around 0.1, 0.0141 around 0.5
    assert flips.sub(0.1).abs().max() < 0.0085
    assert noisy.X.iloc[:, 7:].astype(int).mean().sub(0.5).abs().max() < 0.0142
    assert list(noisy.X.columns[[0, 6, 7, 23]]) == ["seg1", "seg7", "irr1", "irr17"]


def test_waveform_class_means_are_the_midpoints_of_two_triangles():
    data = load("waveform", random_state=0, n_rows=30_000)
    means = data.X.groupby(data.y, observed=True).mean()
    # (h2 + h3) / 2, (h1 + h3) / 2, (h1 + h2) / 2 at x7, x11 and x15, from h1(11) = h2(15) = h3(7) = 6
    expected = {"0": [3.0, 2.0, 3.0], "1": [4.0, 4.0, 1.0], "2": [1.0, 4.0, 4.0]}
    for label, values in expected.items():
        assert means.loc[label, ["x7", "x11", "x15"]].tolist() == pytest.approx(values, abs=0.1)
    assert data.X.shape == (30_000, 21)


def test_last_nineteen_attributes_of_the_long_waveform_are_standard_normal():
    noise = load("waveform-40", random_state=0, n_rows=10_000).X.iloc[:, 21:]
    assert noise.shape == (10_000, 19)
    assert noise.mean().abs().max() < 0.04
    assert noise.std().sub(1).abs().max() < 0.03


def test_waveform_means_agree_with_the_distributed_file(reference):
    expected = file_rows(reference / "data" / "waveform.csv").astype(float)
    theirs = expected.groupby("class").mean().to_numpy()
    data = load("waveform", random_state=0)
    ours = data.X.groupby(data.y, observed=True).mean().to_numpy()
    # standard error of the difference of two means of about 1650 rows, each of deviation < 2: below 0.07
    assert np.abs(ours - theirs).max() < 0.28


def test_xor_lists_forty_copies_of_each_state_in_counting_order():
    frame = load("xor").to_frame().astype(int)
    assert frame.iloc[[0, 39, 40, 80, 120, 159]].to_numpy().tolist() == [
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, 1],
        [1, 0, 1],
        [1, 1, 0],
        [1, 1, 0],
    ]


def test_multiplexer_reads_the_address_with_a0_as_the_most_significant_bit():
    frame = load("multiplexer").to_frame().astype(int)
    addressed = frame[(frame.a0 == 1) & (frame.a1 == 0)]
    assert len(addressed) == 16
    assert (addressed["class"] == addressed.d2).all()


@pytest.mark.parametrize(
    ("bits", "shape"), [(1, (8, 3)), (3, (2048, 11)), (4, (10_000, 20)), (5, (10_000, 37))]
)
def test_multiplexer_makes_all_rows_of_small_spaces_and_samples_large_ones(bits, shape):
    data = load("multiplexer", address_bits=bits)
    assert data.X.shape == shape
    assert not data.X.duplicated().any()


def test_parity_is_the_sum_of_the_relevant_bits_modulo_two():
    data = load("parity", bits=3, irrelevant=2)
    bits = data.X.astype(int)
    assert list(bits.columns) == ["x1", "x2", "x3", "irr1", "irr2"]
    assert (bits[["x1", "x2", "x3"]].sum(axis=1) % 2 == data.y.astype(int)).all()


def test_unknown_name_is_refused_with_the_known_names_the_closest_first():
    with pytest.raises(DataError, match=r"There is no data set 'Monk-3' \(known: 'monks-3', "):
        load("Monk-3")


def test_unknown_option_is_refused_with_the_options_of_the_data_set():
    with pytest.raises(
        ParameterError, match=r"'led7' has no option 'noize' \(its options: 'noise', 'n_rows'\)"
    ):
        load("led7", noize=0.2)
    with pytest.raises(ParameterError, match=r"'car' has no option 'n_rows' \(its options: none\)"):
        load("car", n_rows=3)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("led7", {"noise": 1.5}, r"'noise' parameter of load\('led7'\) must be a float in \[0, 1\]. Got 1.5"),
        ("led7", {"n_rows": 0}, r"'n_rows' parameter of load\('led7'\) must be an int"),
        ("waveform", {"n_attributes": 30}, "must be 21 or 40. Got 30"),
        ("monks-1", {"part": "test"}, "must be 'full' or 'train'. Got 'test'"),
        ("multiplexer", {"address_bits": 6}, r"must be an int in \[1, 5\]. Got 6"),
        (
            "multiplexer",
            {"n_rows": 65},
            "must be at most 64, the number of different rows with address_bits=2",
        ),
        ("parity", {"bits": True}, r"must be an int in \[1, 16\]. Got True"),
        ("car", {"random_state": -1}, "'random_state' parameter of load"),
    ],
)
def test_wrong_option_value_is_refused_with_what_is_allowed(name, options, message):
    with pytest.raises(ParameterError, match=message):
        load(name, **options)


def test_data_set_without_class_says_so_and_gives_its_attributes_as_the_frame():
    X = pd.DataFrame({"a": [1, 2]})
    data = Dataset("rows", X, None)
    assert repr(data) == "<Dataset 'rows': 2 rows, 1 attributes, no class>"
    pd.testing.assert_frame_equal(data.to_frame(), X)
