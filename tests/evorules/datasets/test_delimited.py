"""What read_csv makes of text, what it refuses, and that write_csv gives the same cells back."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evorules.datasets import load, read_csv, write_csv
from trees.errors import DataError, DataWarning, ParameterError

USUAL_MISSING = ["?", "NA", "N/A", "na", "n/a", "NaN", "nan", "null", "NULL", "None"]


@pytest.fixture
def csv_file(tmp_path):
    def write(text, name="table.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def values(column):
    return [None if pd.isna(cell) else cell for cell in column]


def test_columns_of_numbers_are_numeric_and_others_are_text(csv_file):
    data = read_csv(csv_file("a,b,c,d\n1,1.5,x,-2e3\n2,.5,y 1,+4.\n"))
    assert data.X["a"].dtype == np.int64
    assert data.X["b"].tolist() == [1.5, 0.5]
    assert values(data.X["c"]) == ["x", "y 1"]
    assert data.X["d"].tolist() == [-2000.0, 4.0]
    assert data.y is None
    assert data.name == "table"


def test_class_is_taken_out_and_keeps_its_spelling_though_it_looks_numeric(csv_file):
    data = read_csv(csv_file("y,a\n01,5\n1,6\n"), target="y")
    assert list(data.X.columns) == ["a"]
    assert values(data.y) == ["01", "1"]
    assert data.y.name == "y"


def test_empty_and_blank_fields_are_missing_in_columns_of_both_kinds(csv_file):
    data = read_csv(csv_file('n,t\n1,x\n,\n   ,"  "\n"",""\n'))
    assert data.X["n"].tolist()[0] == 1.0
    assert data.X.isna().sum().to_dict() == {"n": 3, "t": 3}


def test_words_for_nothing_stay_categories_unless_they_are_named(csv_file):
    text = "t\nNA\nNone\nnan\nNaN\nnull\nN/A\n?\n"
    assert values(read_csv(csv_file(text)).X["t"]) == ["NA", "None", "nan", "NaN", "null", "N/A", "?"]
    some = read_csv(csv_file(text), missing=["NA", "?"])
    assert values(some.X["t"]) == [None, "None", "nan", "NaN", "null", "N/A", None]


def test_missing_texts_are_compared_without_outer_blanks_and_with_case(csv_file):
    data = read_csv(csv_file("n,t\n 1 ,na\n ? ,NA\n2,x\n"), missing=[" ?", "NA"])
    assert values(data.X["n"]) == [1.0, None, 2.0]
    assert values(data.X["t"]) == ["na", None, "x"]


def test_a_single_text_is_a_list_of_one(csv_file):
    data = read_csv(csv_file("n,code\n1,01\nNA,1\n"), missing="NA", nominal="code")
    assert values(data.X["n"]) == [1.0, None]
    assert values(data.X["code"]) == ["01", "1"]


def test_column_without_any_known_cell_is_numeric(csv_file):
    data = read_csv(csv_file("a,b\n?,1\n,2\n"), missing=["?"])
    assert data.X["a"].dtype == np.float64
    assert data.X["a"].isna().all()


def test_codes_with_leading_zeros_are_numbers_unless_declared_nominal(csv_file):
    path = csv_file("code\n001\n01\n1\n")
    assert read_csv(path).X["code"].tolist() == [1, 1, 1]
    assert values(read_csv(path, nominal=["code"]).X["code"]) == ["001", "01", "1"]


@pytest.mark.parametrize(
    "text", ["inf", "-Infinity", "1e999", "nan", "1_000", "0x10", "١٢", "1,5", "1.2.3", "--1"]
)
def test_what_is_no_finite_decimal_number_makes_a_column_nominal(csv_file, text):
    path = csv_file(f'a;b\n1;x\n"{text}";y\n')
    data = read_csv(path, delimiter=";", nominal=["a"])
    assert values(data.X["a"]) == ["1", text]
    with pytest.raises(DataError, match=r"column 'a' is declared numeric and holds '.*' \(line 3\)"):
        read_csv(path, delimiter=";", numeric=["a"])


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e999", "nan", "?", "NA"])
def test_infinite_and_missing_looking_texts_among_numbers_are_warned_of(csv_file, text):
    with pytest.warns(
        DataWarning, match=rf"column 'a' is read as nominal: 1 of 2 cells .*'{text}'".replace("?", r"\?")
    ):
        data = read_csv(csv_file(f"a\n1\n{text}\n"))
    assert values(data.X["a"]) == ["1", text]


def test_few_texts_among_numbers_are_warned_of_with_lines_and_the_way_out(csv_file):
    rows = [str(number) for number in range(40)]
    rows[10] = "twelve"
    rows[20] = "twelve"
    rows[30] = "n.d."
    expected = (
        r"column 'a' is read as nominal: 37 of 40 cells are numbers, but not 'twelve' \(line 12\), "
        r"'n.d.' \(line 32\). Pass missing=\['twelve', 'n.d.'\] \(--missing on the command line\) for texts "
        r"that mean missing, or nominal=\['a'\] if the column is nominal."
    )
    path = csv_file("a\n" + "\n".join(rows) + "\n")
    with pytest.warns(DataWarning, match=expected) as caught:
        data = read_csv(path)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert values(data.X["a"]) == rows
    assert read_csv(path, missing=["twelve", "n.d."]).X["a"].isna().sum() == 3
    assert values(read_csv(path, nominal=["a"]).X["a"]) == rows


def test_long_lists_of_odd_texts_are_cut_after_five(csv_file):
    rows = [*map(str, range(40)), *"stuvwxyz"]
    with pytest.warns(
        DataWarning, match=r"'w' \(line 46\) and 3 more. Pass missing=\['s', 't', 'u', 'v', 'w', ...\]"
    ):
        read_csv(csv_file("a\n" + "\n".join(rows) + "\n"))


@pytest.mark.parametrize(
    "cells",
    [
        ["2", "3", "4", "5more"],  # few distinct numbers: an ordinary nominal column
        [*map(str, range(75)), *(f"A/{number}" for number in range(25))],  # many other texts
        ["a", "b", "7"],
        ["NA", "EU"],
    ],
)
def test_ordinary_nominal_columns_are_not_warned_of(csv_file, cells):
    data = read_csv(csv_file("a\n" + "\n".join(cells) + "\n"))
    assert values(data.X["a"]) == cells


def test_blank_lines_are_skipped_and_line_numbers_still_fit(csv_file):
    data = read_csv(csv_file("\n\na,b\n1,2\n\n   \n3,4\n"))
    assert data.X.to_numpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(DataError, match="line 6: expected 2 fields, as there are names, got 1"):
        read_csv(csv_file("\na,b\n1,2\n\n   \n3\n"))


def test_fields_in_quotes_hold_delimiters_quotes_and_line_ends(csv_file):
    data = read_csv(csv_file('a,b\n"x, ""y""\nz",1\r\n"1\n2",2\n'))
    assert values(data.X["a"]) == ['x, "y"\nz', "1\n2"]
    assert data.X["b"].tolist() == [1, 2]


def test_blanks_around_nominal_values_stay_unless_trim_is_asked_for(csv_file):
    path = csv_file("a, b\n x,1\ny , 2\n")
    kept = read_csv(path)
    assert list(kept.X.columns) == ["a", " b"]
    assert values(kept.X["a"]) == [" x", "y "]
    assert kept.X[" b"].tolist() == [1, 2]
    trimmed = read_csv(path, trim=True)
    assert list(trimmed.X.columns) == ["a", "b"]
    assert values(trimmed.X["a"]) == ["x", "y"]


def test_values_that_differ_only_in_blanks_are_warned_of(csv_file):
    path = csv_file("city\nOslo\nOslo \nBergen\n")
    with pytest.warns(DataWarning, match=r"such as 'Oslo ' \(line 3\) and 'Oslo'. Pass trim=True"):
        data = read_csv(path)
    assert values(data.X["city"]) == ["Oslo", "Oslo ", "Bergen"]
    assert values(read_csv(path, trim=True).X["city"]) == ["Oslo", "Oslo", "Bergen"]


def test_decimal_commas_and_thousands_points_are_read_when_named(csv_file):
    data = read_csv(
        csv_file("a;b\n1.234,5;1.000\n-7,25;2.000.000\n"), delimiter=";", decimal=",", thousands="."
    )
    assert data.X["a"].tolist() == [1234.5, -7.25]
    assert data.X["b"].tolist() == [1000, 2_000_000]


def test_points_that_do_not_group_three_digits_are_no_thousands_marks(csv_file):
    data = read_csv(
        csv_file("day;n\n27.02.2022;1\n01.10.2022;2\n"), delimiter=";", decimal=",", thousands="."
    )
    assert values(data.X["day"]) == ["27.02.2022", "01.10.2022"]


@pytest.mark.parametrize(
    ("cells", "offered"),
    [
        (["1,5", "2"], r"decimal=','"),
        (["1,234", "12,000,000"], r"decimal='.', thousands=','"),
        (["1.234,5", "7"], r"decimal=',', thousands='.'"),
    ],
)
def test_numbers_in_another_style_are_warned_of_with_that_style(csv_file, cells, offered):
    with pytest.warns(
        DataWarning, match=rf"numbers in another style, such as '{cells[0]}' \(line 2\).*{offered}"
    ):
        read_csv(csv_file("a;b\n" + "\n".join(f"{cell};x" for cell in cells)), delimiter=";")


def test_compressed_files_and_byte_order_marks_are_read(tmp_path):
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress("\ufeffa,b\r\n1,ü\r\n".encode()))
    data = read_csv(path)
    assert list(data.X.columns) == ["a", "b"]
    assert values(data.X["b"]) == ["ü"]
    assert data.name == "rows"


def test_other_encodings_are_read_when_named(csv_file):
    path = csv_file("a,b\nStraße,1\n", encoding="utf-16")
    assert values(read_csv(path, encoding="utf-16").X["a"]) == ["Straße"]
    with pytest.raises(DataError, match="begins like UTF-16: pass encoding='utf-16'"):
        read_csv(path)


def test_undecodable_bytes_are_refused_with_line_and_bytes(csv_file):
    path = csv_file("a,b\nx,1\nStraße,2\n", encoding="latin-1")
    with pytest.raises(
        DataError, match=r"table.csv, line 3: b'.*Stra\\xdfe.*' is not utf-8-sig text.*latin-1"
    ):
        read_csv(path)
    assert values(read_csv(path, encoding="latin-1").X["a"]) == ["x", "Straße"]


def test_undecodable_bytes_far_into_a_file_are_refused_with_their_line(tmp_path):
    path = tmp_path / "long.csv"
    path.write_bytes(b"a,b\n" + b"x,1\n" * 20_000 + b"\xff,1\n")
    with pytest.raises(DataError, match="line 20002"):
        read_csv(path)


def test_truncated_gzip_file_is_refused(tmp_path):
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" * 500)[:-12])
    with pytest.raises(DataError, match=r"rows.csv.gz is not a complete gzip file"):
        read_csv(path)
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(DataError, match=r"rows.csv.gz is not a complete gzip file"):
        read_csv(path)


@pytest.mark.parametrize("text", ["", "\n", "  \n\n", "\ufeff"])
def test_empty_file_is_refused(csv_file, text):
    with pytest.raises(DataError, match=r"table.csv is empty"):
        read_csv(csv_file(text))


def test_file_without_rows_is_refused(csv_file):
    with pytest.raises(DataError, match="no rows below"):
        read_csv(csv_file("a,b\n\n"))


@pytest.mark.parametrize(("row", "n"), [("1", 1), ("1,2,3", 3), ("1,2,", 3)])
def test_ragged_row_is_refused_with_its_line_and_text(csv_file, row, n):
    with pytest.raises(
        DataError, match=rf"table.csv, line 3: expected 2 fields, as there are names, got {n}: '{row}'"
    ):
        read_csv(csv_file(f"a,b\n1,2\n{row}\n3,4\n"))


def test_ragged_row_after_a_field_of_several_lines_is_cited_with_its_own_line(csv_file):
    with pytest.raises(DataError, match="line 5: expected 2 fields"):
        read_csv(csv_file('a,b\n"x\ny\nz",1\n1,2,3\n'))


def test_quote_that_does_not_close_is_refused_with_the_line_where_it_begins(csv_file):
    with pytest.raises(DataError, match=r"table.csv, line 3: unexpected end of data"):
        read_csv(csv_file('a,b\n1,2\n"x,3\n4,5\n'))
    with pytest.raises(DataError, match=r"line 2: ',' expected after"):
        read_csv(csv_file('a,b\n"x"y,2\n'))


def test_names_that_occur_twice_are_refused_with_their_columns(csv_file):
    with pytest.raises(DataError, match="the name 'a' occurs more than once, in columns 1 and 3"):
        read_csv(csv_file("a,b,a\n1,2,3\n"))


def test_column_without_a_name_is_numbered_and_warned_of(csv_file):
    with pytest.warns(DataWarning, match="column 1 has no name"):
        data = read_csv(csv_file(",b\n1,2\n"))
    assert list(data.X.columns) == ["column 1", "b"]


def test_absent_target_is_refused_with_the_columns_the_closest_first(csv_file):
    with pytest.raises(DataError, match=r"has no column 'Class' \(columns: 'class', "):
        read_csv(csv_file("a,b,class\n1,2,x\n"), target="Class")
    with pytest.raises(DataError, match=r"has no column 'bb' \(columns: 'b'"):
        read_csv(csv_file("a,b,class\n1,2,x\n"), nominal=["bb"])


def test_long_lists_of_columns_are_shortened(csv_file):
    names = ",".join(f"a{number}" for number in range(30))
    with pytest.raises(DataError, match="and 18 more"):
        read_csv(csv_file(f"{names}\n{names}\n"), target="class")


def test_numbers_in_the_place_of_names_are_pointed_out(csv_file):
    with pytest.raises(DataError, match="the first line must hold the names of the columns"):
        read_csv(csv_file("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n"), target="class")


@pytest.mark.parametrize(("delimiter", "shown"), [(";", "';'"), ("\t", r"'\\t'"), ("|", r"'\|'")])
def test_single_column_that_another_delimiter_splits_is_refused_with_that_delimiter(
    csv_file, delimiter, shown
):
    text = "a;b\n1,5;2\n".replace(";", delimiter)
    with pytest.raises(DataError, match=rf"line 1: one single column.*Pass delimiter={shown}"):
        read_csv(csv_file(text))


def test_single_column_is_read_if_it_is_not_the_class(csv_file):
    path = csv_file("a\nx\n\ny; z\n")
    assert values(read_csv(path).X["a"]) == ["x", "y; z"]
    with pytest.raises(DataError, match="no column besides the class 'a'"):
        read_csv(path, target="a")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delimiter": ";;"}, "'delimiter' parameter of read_csv must be one character.*Got ';;'"),
        ({"decimal": ""}, "'decimal' parameter"),
        ({"thousands": "0"}, "'thousands' parameter"),
        ({"thousands": "."}, "must differ from the decimal mark"),
        ({"encoding": "utf-9"}, "no known encoding: 'utf-9'"),
        ({"missing": [-999]}, "'missing' parameter of read_csv must be a list of texts. Got -999"),
        ({"nominal": ["a"], "numeric": ["a"]}, "'a' in 'nominal' and in 'numeric'"),
        ({"target": "a", "numeric": ["a"]}, "classes are nominal"),
    ],
)
def test_wrong_parameters_are_refused(csv_file, options, message):
    with pytest.raises(ParameterError, match=message):
        read_csv(csv_file("a,b\n1,2\n"), **options)


def test_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing.csv"):
        read_csv(tmp_path / "nothing.csv")


def test_rows_beyond_one_block_are_read(csv_file):
    data = read_csv(csv_file("a,b\n" + "".join(f"{number},v{number % 3}\n" for number in range(20_000))))
    assert data.X["a"].tolist() == list(range(20_000))
    assert data.X["b"].iloc[-1] == "v1"  # 19999 = 3 * 6666 + 1


def test_case_s19_codes_with_leading_zeros(reference):
    case = next(c for c in _cases(reference) if c["id"] == "S19")
    path = reference / "cases" / case["data"]["path"]
    data = read_csv(path, target="y", nominal=["code"])
    assert sorted(data.X["code"].unique()) == case["expected"]["categories"]
    assert read_csv(path, target="y").X["code"].unique().tolist() == [1]


def test_case_s23_honest_categories(reference):
    case = next(c for c in _cases(reference) if c["id"] == "S23")
    path = reference / "cases" / case["data"]["path"]
    data = read_csv(path, target="y", missing=case["data"]["missing_tokens"])
    for name, categories in case["expected"]["categories"].items():
        assert sorted(data.X[name].dropna().unique()) == categories
    assert data.X.isna().sum().to_dict() == case["expected"]["n_missing"]


def _cases(reference):
    return [
        json.loads(line) for line in (reference / "cases" / "cases.jsonl").read_text("utf-8").splitlines()
    ]


def test_fourteen_spellings_of_nothing(reference):
    path = reference / "data" / "messy" / "na_variants.csv"
    data = read_csv(path, target="outcome", missing=[*USUAL_MISSING, "-"], trim=True)
    assert data.y.value_counts().to_dict() == {"well": 40, "sick": 20}
    assert data.X["age"].dtype == data.X["income"].dtype == np.float64
    # 13 spellings and the dash, once in each column
    assert data.X.isna().sum().to_dict() == {"age": 14, "income": 14, "city": 14, "smoker": 14}
    assert set(data.X["city"].dropna()) == {"Oslo", "oslo", "OSLO", "Bergen", "Na", "Nan"}
    assert (data.X["city"] == "Na").sum() == 5
    assert (data.X["city"] == "Nan").sum() == 6


def test_a_dash_does_not_turn_a_column_of_numbers_nominal_in_silence(reference):
    path = reference / "data" / "messy" / "na_variants.csv"
    with pytest.warns(DataWarning) as caught:
        data = read_csv(path, target="outcome", missing=USUAL_MISSING, trim=True)
    assert [str(warning.message).split(":")[1] for warning in caught] == [
        " column 'age' is read as nominal",
        " column 'income' is read as nominal",
    ]
    assert all("'-'" in str(warning.message) for warning in caught)
    assert data.X.isna().sum().to_dict() == {"age": 13, "income": 13, "city": 13, "smoker": 13}


def test_titanic_as_distributed(reference):
    data = read_csv(reference / "data" / "messy" / "titanic_raw.csv", target="Survived")
    assert data.X.shape == (891, 11)
    assert data.y.value_counts().to_dict() == {"0": 549, "1": 342}
    missing = data.X.isna().sum()
    assert missing[missing > 0].to_dict() == {"Age": 177, "Cabin": 687, "Embarked": 2}
    assert data.X["Name"].nunique() == 891
    assert data.X["Ticket"].nunique() == 681


def test_telco_as_distributed(reference):
    data = read_csv(reference / "data" / "messy" / "telco_raw.csv.gz", target="Churn")
    assert data.X.shape == (7043, 20)
    assert data.y.value_counts().to_dict() == {"No": 5174, "Yes": 1869}
    assert data.X["TotalCharges"].dtype == np.float64
    assert data.X["TotalCharges"].isna().sum() == 11
    assert data.X["OnlineBackup"].nunique() == 3


def test_european_conventions(reference):
    path = reference / "data" / "messy" / "european.csv"
    data = read_csv(path, target="Rückgabe", delimiter=";", decimal=",", thousands=".")
    assert list(data.X.columns) == ["Kunde", "Eröffnet", "Umsatz", "Anteil %", "Straße"]
    assert data.y.value_counts().to_dict() == {"ja": 40, "nein": 10}
    assert data.X["Umsatz"].isna().sum() == 5
    assert data.X["Umsatz"].min() == 117.93
    assert data.X["Umsatz"].max() == 244624.31
    assert data.X["Anteil %"].dtype == np.float64
    assert set(data.X["Straße"]) == {"Hauptstraße", "Königsallee", "Am Bahnhof; Süd"}
    with pytest.raises(DataError, match=r"one single column.*Pass delimiter=';'"):
        read_csv(path, target="Rückgabe")


def test_written_file_is_plain_and_its_compressed_form_always_the_same_bytes(tmp_path):
    frame = pd.DataFrame({"a": [1.5, np.nan], "b": ['x "y", z', None], "c": [3, 4]})
    write_csv(frame, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == b'a,b,c\n1.5,"x ""y"", z",3\n,,4\n'
    write_csv(frame, tmp_path / "a.csv.gz")
    first = (tmp_path / "a.csv.gz").read_bytes()
    write_csv(frame, tmp_path / "a.csv.gz")
    assert (tmp_path / "a.csv.gz").read_bytes() == first
    assert gzip.decompress(first) == (tmp_path / "a.csv").read_bytes()


@pytest.mark.parametrize("name", ["car", "iris", "balance-scale", "waveform"])
def test_data_set_comes_back_from_a_file(tmp_path, name):
    data = load(name)
    write_csv(data, tmp_path / "rows.csv")
    nominal = [column for column in data.X if data.X[column].dtype == "category"]
    back = read_csv(tmp_path / "rows.csv", target="class", nominal=nominal)
    assert back.y.tolist() == data.y.tolist()
    assert back.X.to_numpy().tolist() == data.X.to_numpy().tolist()


words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6).filter(str.strip)
floats = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.none() | floats, st.none() | words), min_size=1, max_size=20))
@example([(None, "x\ry"), (-0.5, None), (5e-324, " NA ")])
def test_any_cells_come_back_from_a_file(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "round_trip.csv"
    frame = pd.DataFrame(
        {"n": [row[0] for row in rows], "t": [row[1] for row in rows], "k": range(len(rows))}
    )
    frame["n"] = frame["n"].astype(float)
    write_csv(frame, path)
    back = read_csv(path, nominal=["t"], numeric=["n"]).X
    np.testing.assert_array_equal(back["n"].astype(float), frame["n"])
    assert values(back["t"]) == values(frame["t"])
    assert back["k"].tolist() == frame["k"].tolist()


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"a": [1.0, np.inf]}), "'a' holds infinite numbers"),
        (pd.DataFrame({"a": ["x", " "]}), "'a' holds the text ' ', which would not be read back"),
        (pd.DataFrame({"a": ["x\0"]}), r"'a' holds the text 'x\\x00'"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a' occurs more than once"),
    ],
)
def test_what_would_not_come_back_is_not_written(tmp_path, frame, message):
    with pytest.raises(DataError, match=message):
        write_csv(frame, tmp_path / "rows.csv")
    assert not (tmp_path / "rows.csv").exists()
