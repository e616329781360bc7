"""What comes in through the one boundary: kinds of column, missing cells, errors that name the way out."""

import numpy as np
import pandas as pd
import pytest

from trees.errors import DataError, DataWarning, UnseenCategoryError
from trees.frames import encode_rows
from trees.schema import Attribute
from trees.table import Table

NAN = float("nan")


def attribute_of(column, **options):
    return Table.from_frame(pd.DataFrame({"a": column}), **options).schema.attributes[0]


@pytest.mark.parametrize(
    "column",
    [
        ["u", None, "v"],
        np.array(["u", NAN, "v"], dtype=object),
        pd.Series(["u", None, "v"], dtype="str"),
        pd.Series(["u", pd.NA, "v"], dtype="string"),
        pd.Categorical(["u", None, "v"]),
    ],
    ids=["list", "object", "str", "string", "category"],
)
def test_every_spelling_of_text_with_missing_is_one_nominal_attribute(column):
    table = Table.from_frame(pd.DataFrame({"a": column}))
    assert table.schema.attributes == (Attribute("a", "nominal", ("u", "v")),)
    np.testing.assert_array_equal(table.X[:, 0], [0, NAN, 1])


@pytest.mark.parametrize(
    "column",
    [
        [1, 2, 3],
        [1.5, NAN, 3],
        pd.array([1, None, 3], dtype="Int64"),
        pd.array([1.5, None], dtype="Float32"),
        np.array([1, 2.5, None], dtype=object),
        np.array([1, 2], dtype=np.uint8),
    ],
    ids=["int", "float", "Int64", "Float32", "object", "uint8"],
)
def test_numbers_are_numeric(column):
    assert attribute_of(column) == Attribute("a", "numeric")


@pytest.mark.parametrize("column", [[True, False], pd.array([True, None, False], dtype="boolean")])
def test_booleans_are_nominal(column):
    assert attribute_of(column) == Attribute("a", "nominal", (True, False))


def test_declared_categories_keep_their_order_even_without_rows():
    column = pd.Categorical(["low", "high"], categories=["low", "middle", "high"])
    assert attribute_of(column).values == ("low", "middle", "high")


def test_undeclared_values_stand_in_order_of_first_appearance():
    assert attribute_of(["b", "a", "b"]).values == ("b", "a")


def test_nominal_overrides_what_a_column_holds():
    assert attribute_of([3, 1, 3], nominal=["a"]).values == (3, 1)
    assert Table.from_frame(np.array([[3.0], [1.0]]), nominal=[0]).schema.attributes[0].values == (3, 1)


def test_mixed_numbers_and_text_are_nominal_with_a_warning():
    with pytest.warns(DataWarning, match="'a' mixes numbers and text"):
        attribute = attribute_of(np.array([1, "z", 2.0, None], dtype=object))
    assert attribute.values == ("1", "z", "2")


def test_numbers_in_an_encoded_mixed_column_match_their_text():
    with pytest.warns(DataWarning, match="mixes"):
        schema = Table.from_frame(pd.DataFrame({"a": [1, "z", 2]}, dtype=object)).schema
    np.testing.assert_array_equal(encode_rows(pd.DataFrame({"a": [2.0, 1.0]}), schema).X[:, 0], [2, 0])


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"d": pd.to_datetime(["2020-01-01"])}), "'d' holds dates or times.*days since"),
        (pd.DataFrame({"d": pd.to_timedelta([1], unit="D")}), "'d' holds dates or times"),
        (pd.DataFrame({"d": pd.period_range("2020", periods=1, freq="Y")}), "'d' holds dates or times"),
        (pd.DataFrame([[1, 2]], columns=["q", "q"]), "unique; rename 'q'"),
        (pd.DataFrame({"f": [1.0, np.inf]}), "infinity: column 'f' in row 1.*NaN"),
        (pd.DataFrame({"o": [1, [2]]}), "'o' holds a list in row 1"),
        (pd.DataFrame({"o": [{"k": 1}, "x"]}), "'o' holds a dict in row 0"),
        (pd.DataFrame({"c": [1 + 2j]}), "Complex data not supported: column 'c'"),
        (pd.DataFrame({"a": pd.Series([], dtype=float)}), "no rows to learn from"),
        (pd.DataFrame(index=range(3)), "no columns"),
        (np.array([[1.0, -np.inf]]), "infinity: column 'x1' in row 0"),
        (pd.Series([1, 2]), r"X.to_frame\(\)"),
    ],
)
def test_what_no_table_can_hold_is_one_error_that_names_column_and_way_out(frame, message):
    with pytest.raises(DataError, match=message):
        Table.from_frame(frame)


def test_a_wrong_name_in_nominal_is_an_error():
    with pytest.raises(DataError, match=r"'zip'.*known: 'a'"):
        attribute_of([1, 2], nominal=["zip"])


@pytest.mark.parametrize(
    "y", [[None, "a"], [np.nan, 1.0], pd.Series(["a", pd.NA]), pd.Categorical([None, "a"])]
)
def test_missing_labels_are_an_error_that_counts_them(y):
    with pytest.raises(DataError, match=r"class .* is missing in 1 row\(s\), first in row"):
        Table.from_frame(pd.DataFrame({"a": [1, 2]}), y)


def test_labels_that_cannot_be_sorted_are_an_error():
    with pytest.raises(DataError, match="several types"):
        Table.from_frame(pd.DataFrame({"a": [1, 2]}), np.array([1, "x"], dtype=object))


def test_declared_classes_keep_their_order_and_empty_ones_count():
    y = pd.Series(pd.Categorical(["yes", "no"], categories=["yes", "perhaps", "no"]), name="play")
    table = Table.from_frame(pd.DataFrame({"a": [1, 2]}), y)
    assert table.schema.target == Attribute("play", "nominal", ("yes", "perhaps", "no"))
    assert table.classes.tolist() == [0, 2]
    assert table.class_totals.tolist() == [1, 0, 1]


def test_rows_of_weight_zero_leave_no_trace():
    frame = pd.DataFrame({"a": ["u", "v", "w"], "b": [1.0, 2.0, np.inf]})
    table = Table.from_frame(frame, ["p", "q", "r"], sample_weight=[1, 2, 0])
    assert table.schema.attributes[0].values == ("u", "v")
    assert table.schema.classes == ("p", "q")
    assert table.weight.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1], "must not be negative; row 1 has -1"),
        ([0, 0], "at least one non-zero|0 in every row"),
        ([1, np.nan], "NaN"),
    ],
)
def test_bad_weights_are_errors(weight, message):
    with pytest.raises(ValueError, match=message):
        Table.from_frame(pd.DataFrame({"a": [1, 2]}), [0, 1], sample_weight=weight)


def test_encoding_matches_columns_by_name():
    schema = Table.from_frame(pd.DataFrame({"u": ["hi", "lo"], "v": [1, 2]})).schema
    encoded = encode_rows(pd.DataFrame({"v": [7], "u": ["lo"]}), schema)
    np.testing.assert_array_equal(encoded.X, [[1, 7]])


def test_an_absent_and_an_additional_column_are_named():
    schema = Table.from_frame(pd.DataFrame({"u": ["hi"], "v": [1]})).schema
    with pytest.raises(DataError, match=r"now missing:\n- v"):
        encode_rows(pd.DataFrame({"u": ["hi"]}), schema)
    with pytest.raises(DataError, match=r"unseen at fit time:\n- w"):
        encode_rows(pd.DataFrame({"u": ["hi"], "v": [1], "w": [2]}), schema)


def test_an_unseen_category_is_missing_or_an_error():
    schema = Table.from_frame(pd.DataFrame({"outlook": ["sunny", "rain"]})).schema
    frame = pd.DataFrame({"outlook": ["foggy", "rain"]})
    np.testing.assert_array_equal(encode_rows(frame, schema).X[:, 0], [NAN, 1])
    with pytest.raises(
        UnseenCategoryError, match=r"'outlook' has value 'foggy', not seen in fit.*sunny, rain"
    ):
        encode_rows(frame, schema, unknown="error")


def test_categories_are_matched_by_label_not_by_code():
    schema = Table.from_frame(pd.DataFrame({"a": pd.Categorical(["a", "b", "c"])})).schema
    frame = pd.DataFrame({"a": pd.Categorical(["b", "c"], categories=["b", "c"])})
    np.testing.assert_array_equal(encode_rows(frame, schema, unknown="error").X[:, 0], [1, 2])


def test_a_declared_but_absent_category_is_no_unseen_value():
    schema = Table.from_frame(pd.DataFrame({"a": ["a", "b"]})).schema
    frame = pd.DataFrame({"a": pd.Categorical(["b"], categories=["b", "z"])})
    np.testing.assert_array_equal(encode_rows(frame, schema, unknown="error").X[:, 0], [1])


def test_text_in_a_numeric_column_is_an_error_at_prediction():
    schema = Table.from_frame(pd.DataFrame({"age": [1.0, 2.0]})).schema
    with pytest.raises(DataError, match="'age' was numeric in fit and now holds 'old'"):
        encode_rows(pd.DataFrame({"age": ["old"]}), schema)


def test_a_column_without_any_known_cell_encodes_as_missing():
    schema = Table.from_frame(pd.DataFrame({"age": [1.0], "s": ["x"]})).schema
    frame = pd.DataFrame({"age": [None], "s": [None]}, dtype=object)
    assert np.isnan(encode_rows(frame, schema).X).all()


def test_frames_survive_the_way_into_a_table_and_back():
    frame = pd.DataFrame(
        {
            "s": pd.Categorical(["x", None, "y"], categories=["y", "x"]),
            "b": pd.Categorical([True, False, None], categories=[True, False]),
            "n": [1.5, NAN, -2.0],
        }
    )
    y = pd.Series(pd.Categorical(["p", "q", "p"]), name="class")
    again = Table.from_frame(frame, y).to_frame()
    pd.testing.assert_frame_equal(again, frame.assign(**{"class": y}))


def test_input_is_never_written_to():
    X = np.array([[1.0, np.nan], [2.0, 3.0]], order="F")
    X.setflags(write=False)
    assert Table.from_frame(X, [0, 1]).X.flags["C_CONTIGUOUS"]


def test_a_list_of_mixed_rows_keeps_the_type_of_each_cell():
    table = Table.from_frame([["x", 1], ["y", 2.5]], [0, 1])
    assert [a.kind for a in table.schema.attributes] == ["nominal", "numeric"]
    assert table.schema.names == ["x0", "x1"]


def test_integer_and_float_spellings_of_a_category_are_one_value():
    schema = Table.from_frame(pd.DataFrame({"a": [1, 2]}), nominal=["a"]).schema
    np.testing.assert_array_equal(encode_rows(pd.DataFrame({"a": [2.0, np.nan]}), schema).X[:, 0], [1, NAN])


def test_truth_values_in_the_spelling_of_a_file_are_those_of_the_schema():
    schema = Table.from_frame(pd.DataFrame({"member": [True, False]})).schema
    encoded = encode_rows(pd.DataFrame({"member": ["False", "True"]}), schema, unknown="error")
    np.testing.assert_array_equal(encoded.X[:, 0], [1, 0])


def test_columns_named_by_numbers_are_matched_by_name_too():
    frame = pd.DataFrame({7: [1.0, 2.0], 5: [3.0, 4.0]})
    schema = Table.from_frame(frame).schema
    np.testing.assert_array_equal(encode_rows(frame[[5, 7]], schema).X, frame.to_numpy())


def test_numbered_columns_in_another_order_are_refused():
    frame = pd.DataFrame(np.zeros((3, 2)))
    schema = Table.from_frame(frame).schema
    with pytest.raises(DataError, match="fitted on columns without names"):
        encode_rows(frame[[1, 0]], schema, by_name=False)


def test_objects_with_to_pandas_bring_their_names():
    class Foreign:
        def __init__(self, frame):
            self.frame = frame

        def to_pandas(self):
            return self.frame

    frame = pd.DataFrame({"a": [1.0], "b": [2.0]})
    schema = Table.from_frame(Foreign(frame)).schema
    np.testing.assert_array_equal(encode_rows(Foreign(frame[["b", "a"]]), schema).X, [[1, 2]])


@pytest.mark.parametrize("rows", [[["u", 1, "junk"]], [["u"]], [[1.0]]])
def test_rows_of_the_wrong_width_are_refused(rows):
    schema = Table.from_frame([["u", 1], ["v", 2]]).schema
    with pytest.raises(DataError, match=r"X has \d features, but the model is expecting 2"):
        encode_rows(rows, schema, by_name=False)


@pytest.mark.parametrize("y", [pd.array([True, None], dtype="boolean"), pd.array([1, None], dtype="Int64")])
def test_missing_labels_of_nullable_types_are_counted(y):
    with pytest.raises(DataError, match=r"missing in 1 row\(s\), first in row 1"):
        Table.from_frame(pd.DataFrame({"a": [1, 2]}), y)


def test_numbers_as_categories_are_read_where_fit_saw_numbers():
    schema = Table.from_frame(pd.DataFrame({"a": [1.0, 2.0]})).schema
    encoded = encode_rows(pd.DataFrame({"a": pd.Categorical([2.0, None, 1.0])}), schema)
    np.testing.assert_array_equal(encoded.X[:, 0], [2, NAN, 1])
    with pytest.raises(DataError, match="now holds 'a'"):
        encode_rows(pd.DataFrame({"a": np.array([1, "a"], dtype=object)}), schema)


def test_integers_beyond_a_float_and_weights_beyond_one_are_refused():
    with pytest.raises(DataError, match="'a' holds an integer beyond the range of a float"):
        Table.from_frame(pd.DataFrame({"a": np.array([10**400, 1], dtype=object)}))
    with pytest.raises(DataError, match="sum of sample_weight is not finite"):
        Table.from_frame(pd.DataFrame({"a": [1, 2]}), [0, 1], sample_weight=[1.7e308, 1.7e308])


@pytest.mark.parametrize("cell", [99.0, -7.0, 0.5, np.inf])
def test_a_table_refuses_cells_that_are_no_codes(cell):
    schema = Table.from_frame(pd.DataFrame({"a": ["u", "v"]})).schema
    with pytest.raises(DataError, match="'a' has a cell that is no code"):
        Table(schema, np.array([[cell]]))


@pytest.mark.parametrize("given", [None, 5])
def test_what_is_no_table_is_refused(given):
    with pytest.raises(DataError, match=rf"Expected a table, got {given}\. Pass a DataFrame"):
        Table.from_frame(given)
