"""The study of CAR-IC in its quick form."""

from experiments.__main__ import main


def test_car_ic_sets_ours_beside_the_published_accuracies(capsys):
    main(["car_ic", "--quick", "--sets", "iris"])
    printed = capsys.readouterr().out
    for number in range(5, 11):
        assert f"Table {number}: " in printed
    # seed 001, table 6: iris, CAR-IC 96.67 and TFPC 95.33
    [line] = [text for text in printed.splitlines() if text.strip().startswith("iris ") and "(96.7)" in text][
        :1
    ]
    assert "(95.3)" in line
