"""One instance, or more, of every classifier, small enough for a suite of checks."""

from evorules.hybrids import GALargeSN, GASmall, SecondTree, SmallDisjunctClassifier
from trees.c45 import C45Classifier
from trees.c45rules import C45RulesClassifier
from trees.cart import CARTClassifier
from trees.id3 import ID3Classifier
from trees.lazydt import LazyDTClassifier
from trees.oblique import ObliqueTreeClassifier

SMALL_GA = {"population_size": 20, "n_generations": 5}

INSTANCES = {
    "c45": C45Classifier(),
    "c45-r8": C45Classifier(mode="r8"),
    "c45-groups": C45Classifier(group_values=True),
    "c45rules": C45RulesClassifier(random_state=0),
    "c45rules-r8": C45RulesClassifier(mode="r8"),
    "c45rules-other": C45RulesClassifier(
        selection="anneal", class_order="description_length", random_state=0
    ),
    "cart": CARTClassifier(random_state=0),
    "cart-reduced-error": CARTClassifier(pruning="reduced_error", random_state=0),
    "id3": ID3Classifier(random_state=0),
    "id3-mdl": ID3Classifier(criterion="gain_ratio", pruning="mdl", random_state=0),
    "lazydt": LazyDTClassifier(),
    "lazydt-eq": LazyDTClassifier(test="eq", multi=False),
    "oblique": ObliqueTreeClassifier(random_state=0),
    "ga-large-sn": SmallDisjunctClassifier(handler=GALargeSN(**SMALL_GA), random_state=0),
    # a lower threshold: on few rows, a few published runs cannot reach the accuracy that a check asks for
    "ga-large-sn-paper": SmallDisjunctClassifier(
        handler=GALargeSN(variant="paper", **SMALL_GA), threshold=5, random_state=0
    ),
    "ga-small": SmallDisjunctClassifier(handler=GASmall(**SMALL_GA), random_state=0),
    "double-c45": SmallDisjunctClassifier(handler=SecondTree()),
    "none": SmallDisjunctClassifier(handler="none"),
}
