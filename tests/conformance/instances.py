"""One instance, or more, of every classifier, small enough for a suite of checks."""

from evorules.associative import (
    CARICClassifier,
    CBAClassifier,
    CMARClassifier,
    EACClassifier,
    LACClassifier,
    MCARClassifier,
    TFPCClassifier,
)
from evorules.hybrids import (
    Auto,
    EagerAssociative,
    GALargeSN,
    GARuleClassifier,
    GASmall,
    LazyAssociative,
    NaiveBayes,
    NearestNeighbours,
    Removal,
    SecondTree,
    SmallDisjunctClassifier,
)
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
    # of one row only, rules of an identifier would be frequent: so some ask for two
    "car-ic": CARICClassifier(min_support=2, random_state=0),
    "car-ic-exact": CARICClassifier(min_support=2, coverage="exact", fallback="majority", tie="prior", k=1),
    "cart": CARTClassifier(random_state=0),
    "cart-reduced-error": CARTClassifier(pruning="reduced_error", random_state=0),
    "cba": CBAClassifier(),
    "cba-m2": CBAClassifier(builder="M2", class_support="balanced", n_jobs=2),
    # scikit-learn brings wide tables with a million rules: the shorter ones are enough for its checks
    "cmar": CMARClassifier(max_rules=20_000),
    "cmar-loose": CMARClassifier(alpha=0.5, delta=1, max_rules=1000),
    "eac": EACClassifier(min_support=2, max_rules=20_000),
    "eac-laplace": EACClassifier(rank="laplace", min_support=2, max_rules=20_000),
    "eac-all": EACClassifier(vote="all", rank="confidence", min_support=2, max_rules=20_000),
    "mcar": MCARClassifier(max_rules=20_000, random_state=0),
    "mcar-all": MCARClassifier(prune_subsumed=False, max_rules=20_000, random_state=1),
    "id3": ID3Classifier(random_state=0),
    "id3-mdl": ID3Classifier(criterion="gain_ratio", pruning="mdl", random_state=0),
    "lac": LACClassifier(max_len=3),
    "lac-confidence": LACClassifier(rank="confidence", minimal=True, max_len=2, cache_size=10),
    "lac-all": LACClassifier(rank="laplace", vote="all", max_len=2, projection="none"),
    "lazydt": LazyDTClassifier(),
    "lazydt-eq": LazyDTClassifier(test="eq", multi=False),
    "tfpc": TFPCClassifier(min_support=2),
    "tfpc-votes": TFPCClassifier(min_support=2, ordering="ACS", vote="best_k", block_all_classes=True),
    "oblique": ObliqueTreeClassifier(random_state=0),
    # enough of a run to find the one right cut among 1,200 conditions
    "ga-alone": GARuleClassifier(min_conditions=1, mutation_rate=0.1, random_state=0),
    "ga-large-sn": SmallDisjunctClassifier(handler=GALargeSN(**SMALL_GA), random_state=0),
    "ga-large-sn-paper": SmallDisjunctClassifier(
        handler=GALargeSN(variant="paper", **SMALL_GA), random_state=0
    ),
    "ga-small": SmallDisjunctClassifier(handler=GASmall(**SMALL_GA), random_state=0),
    "ga-large-sn-pooled": SmallDisjunctClassifier(
        handler=GALargeSN(n_lists=2, combine="laplace", **SMALL_GA), random_state=0
    ),
    "ga-large-sn-lists": SmallDisjunctClassifier(
        handler=GALargeSN(n_lists=3, overrule="both", **SMALL_GA), random_state=0
    ),
    "ga-auto": SmallDisjunctClassifier(
        handler=Auto(thresholds=(15,), ga=GALargeSN(**SMALL_GA)), random_state=0
    ),
    "ib1": SmallDisjunctClassifier(handler=NearestNeighbours()),
    "ib5": SmallDisjunctClassifier(handler=NearestNeighbours(k=5, ib_data="all", overrule="pessimistic")),
    "hybrid-eac": SmallDisjunctClassifier(handler=EagerAssociative(max_len=2)),
    "hybrid-lac": SmallDisjunctClassifier(handler=LazyAssociative(rows="all", overrule="pessimistic")),
    "naive-bayes": SmallDisjunctClassifier(handler=NaiveBayes(min_rows=20)),
    "removal": SmallDisjunctClassifier(handler=Removal(), threshold=3),
    # a looser test: 4 of 4 rows of one of two equal classes have a chance of 1/16
    "removal-significance": SmallDisjunctClassifier(handler=Removal(test="significance", alpha=0.1)),
    "double-c45": SmallDisjunctClassifier(handler=SecondTree()),
    "none": SmallDisjunctClassifier(handler="none"),
}
