"""What a case of c45_tree may expect, by key: asserted of the fitted tree, its data and the rows asked."""

import numpy as np
import pytest
from cases.settled import names, proba_close
from sklearn.base import clone

from trees.frames import encode_rows

TOLERANCE = 1e-9


def _classes(model, data, query, expected):
    assert list(model.classes_) == expected


def _predict(model, data, query, expected):
    assert model.predict(query).tolist() == expected


def _predict_proba(model, data, query, expected):
    proba_close(model.predict_proba(query), expected)


def _score(model, data, query, expected):
    assert model.score(data.X, data.y) == expected


def _n_leaves(model, data, query, expected):
    assert model.tree_.n_leaves == expected


def _depth(model, data, query, expected):
    assert model.tree_.depth == expected


def _root_attribute(model, data, query, expected):
    assert model.schema_.names[model.tree_.attribute[0]] == expected


def _categories(model, data, query, expected):
    assert sorted(model.schema_.attributes[0].values) == expected


def _leaf_of_value(tree, value):
    [leaf] = [
        leaf
        for leaf, path in tree.paths()
        if [tree.schema.attributes[c.attribute].values[code] for c in path for code in c.codes] == [value]
    ]
    return leaf


def _leaf_weights(model, data, query, expected):
    found = {value: model.tree_.weight[_leaf_of_value(model.tree_, value)] for value in expected}
    assert found == pytest.approx(expected, abs=TOLERANCE)


def _leaf_class_weights(model, data, query, expected):
    for value, weights in expected.items():
        found = model.tree_.class_weight[_leaf_of_value(model.tree_, value)]
        assert dict(zip(model.schema_.classes, found, strict=True)) == pytest.approx(weights, abs=TOLERANCE)


def _leaf_weight_sum(model, data, query, expected):
    assert model.tree_.weight[model.tree_.leaves].sum() == pytest.approx(expected, abs=TOLERANCE)


def _paths(model, data, query, expected):
    assert expected == "A at most once, B at most once; n may repeat"
    assert model.tree_.depth > 2
    for _, path in model.tree_.walk():
        tested = [model.schema_.names[model.tree_.attribute[node]] for node, _ in path]
        assert tested.count("A") <= 1
        assert tested.count("B") <= 1


def _cover(model, data, query, expected):
    assert expected is True
    table = encode_rows(data.X, model.schema_)
    assert model.rules_.match(table).any(axis=0).all()
    assert all(rule.covered > 0 for rule in model.rules_)


def _not_one_branch(model, data, query, expected):
    assert "probability exactly 0 or 1 taken from the first or last branch" in expected
    proba = model.predict_proba(query)
    assert np.all((proba > 0) & (proba < 1))


def _rule_text(model, data, query, expected):
    assert "shop = 2" in str(model.rules_)
    for text in (str(model.tree_), str(model.rules_)):
        assert not any(sign in text for sign in expected)


def _unknown_category(model, data, query, expected):
    strict = clone(model).set_params(unknown="error").fit(data.X, data.y)
    assert expected["raises"] == "ValueError"
    with pytest.raises(ValueError, match="not seen in fit") as caught:
        strict.predict(query)
    assert names(str(caught.value), expected["message_must_name"])


def _repeated_rows(model, data, query, expected):
    assert expected is True
    times = np.asarray(data.sample_weight)
    repeated = clone(model).fit(data.X.loc[np.repeat(data.X.index, times)], np.repeat(data.y, times))
    assert str(repeated.tree_) == str(model.tree_)
    np.testing.assert_array_equal(repeated.predict_proba(query), model.predict_proba(query))


CHECKS = {
    "classes": _classes,
    "predict": _predict,
    "predict_proba": _predict_proba,
    "score": _score,
    "n_leaves": _n_leaves,
    "depth": _depth,
    "root_attribute": _root_attribute,
    "categories": _categories,
    "leaf_weights": _leaf_weights,
    "leaf_weight_sum": _leaf_weight_sum,
    "leaf_class_weights": _leaf_class_weights,
    "rule_text_must_not_contain": _rule_text,
    "on_every_root_to_leaf_path": _paths,
    "no_rule_has_an_empty_training_cover": _cover,
    "with_on_unknown_category_error": _unknown_category,
    "equal_to_comparison": _repeated_rows,
    "never": _not_one_branch,
}

NOT_HERE = {
    "tol": "1e-9 in all of them",
    "if_exposed": "a tree does not keep the gains of its tests",
    "binary_or_grouped_nominal_mode_if_offered": "a test of its own",
}
"""Keys that are not checked here, with the reason."""
