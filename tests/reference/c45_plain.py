"""Growing a C4.5 tree in plain Python floats: sections 1 and 2 of the specification as they stand.

Twin of `trees.growth.fast.grow`. Rows, classes and weights are lists; None is a missing cell. Sums are
taken in the order of rows, values and classes, so that whole weights give the very floats of the fast engine.
With fractional weights a comparison of two equal quantities is decided by rounding; `Growth.doubtful` tells
whether one was met, and then the trees need not be equal.
"""

import itertools
import math

LN2 = 0.69314718055994530942
EPSILON = 0.001


def log2(x):
    return math.log(x) / LN2 if x > 0 else 0.0


def total_info(sizes):
    spread = total = 0.0
    for n in sizes:
        spread += n * log2(n)
        total += n
    return total * log2(total) - spread


def leaf(label, cases, errors, class_weight):
    return {
        "attribute": None,
        "threshold": None,
        "children": [],
        "label": label,
        "N": cases,
        "E": errors,
        "class_weight": class_weight,
    }


class Growth:
    """Grows one tree; `columns` are lists of cells, `n_values[a]` is 0 for a numeric attribute."""

    def __init__(self, columns, n_values, y, n_classes, weights, options):
        self.columns, self.n_values, self.y, self.n_classes = columns, n_values, y, n_classes
        self.options = options
        self.doubtful = False
        total = sum(weights)
        many = [V > 0 and 0.3 * total <= V for V in n_values]
        self.in_average = [all(many) or not m for m in many]
        self.levels = [sorted({v for v in column if v is not None}) for column in columns]
        rows = list(range(len(y)))
        self.root = self.grow(rows, list(weights), [False] * len(columns), 0)

    def apart(self, left, right, weights):
        """Note that the order of two equal quantities depends on rounding, unless all sums are exact."""
        if abs(left - right) < 1e-9 and any(w != int(w) for w in weights):
            self.doubtful = True

    def class_weights(self, rows, weights):
        per_class = [0.0] * self.n_classes
        for row, weight in zip(rows, weights, strict=True):
            per_class[self.y[row]] += weight
        return per_class

    def grow(self, rows, weights, tested, depth):
        per_class = self.class_weights(rows, weights)
        cases = 0.0
        for weight in weights:
            cases += weight
        label = per_class.index(max(per_class))
        node = leaf(label, cases, cases - per_class[label], per_class)
        for other in range(self.n_classes):
            if other != label:
                self.apart(per_class[other], per_class[label], weights)
        if len({self.y[row] for row in rows}) == 1:
            return node
        self.apart(cases, 2 * self.options.min_cases, weights)
        if cases < 2 * self.options.min_cases or depth == self.options.max_depth:
            return node
        tests = [self.test(a, rows, weights, cases, tested[a]) for a in range(len(self.columns))]
        a = self.choose(tests, weights)
        if a is None:
            return node
        node["attribute"] = a
        self.split(node, a, tests[a][2], rows, weights, cases, tested, depth)
        node["E"] = 0.0
        for child in node["children"]:
            node["E"] += child["E"]
        as_leaf = cases - per_class[label]
        self.apart(node["E"], as_leaf - EPSILON, weights)
        if self.options.collapse and node["E"] >= as_leaf - EPSILON:
            node["attribute"], node["threshold"], node["children"] = None, None, []
        return node

    def choose(self, tests, weights):
        gains = [gain for gain, _, _ in tests]
        entered = [g for g, enters in zip(gains, self.in_average, strict=True) if g > -EPSILON and enters]
        total = 0.0
        for gain in entered:
            total += gain
        average = total / len(entered) if entered else 1e6
        best, most = None, -EPSILON
        worths = []
        for a, (gain, info, _) in enumerate(tests):
            worth = -EPSILON
            if self.options.criterion == "gain":
                if info > 0 and gain > -EPSILON:
                    worth = gain
            else:
                self.apart(gain, average - EPSILON, weights)
                self.apart(info, EPSILON, weights)
                if gain >= average - EPSILON and info > EPSILON:
                    worth = gain / info
            if worth > -EPSILON:
                worths.append(worth)
            if worth > most:
                best, most = a, worth
        if sum(1 for worth in worths if abs(worth - most) < 1e-9) > 1:
            self.apart(0, 0, weights)
        return best

    def test(self, a, rows, weights, cases, tested):
        """Return (gain, split information, (value below, value above) of a numeric attribute)."""
        if self.n_values[a] == 0:
            return self.numeric(a, rows, weights, cases)
        return (-EPSILON, 0.0, None) if tested else self.nominal(a, rows, weights, cases)

    def gain(self, outcomes, sizes, known, unknown, base, weights):
        for size in sizes:
            self.apart(size, self.options.min_cases, weights)
        if known == 0 or sum(size >= self.options.min_cases for size in sizes) < 2:
            return -EPSILON
        info = 0.0
        for per_class in outcomes:
            info += total_info(per_class)
        return (1.0 - unknown) * (base - info / known)

    def nominal(self, a, rows, weights, cases):
        table = [[0.0] * self.n_classes for _ in range(self.n_values[a] + 1)]
        for row, weight in zip(rows, weights, strict=True):
            cell = self.columns[a][row]
            table[0 if cell is None else int(cell) + 1][self.y[row]] += weight
        sizes = []
        for per_class in table:
            sizes.append(0.0)
            for n in per_class:
                sizes[-1] += n
        if all(self.columns[a][row] is None for row in rows):
            return -EPSILON, 0.0, None
        known = cases - sizes[0]
        spread = 0.0
        for c in range(self.n_classes):
            n = 0.0
            for per_class in table[1:]:
                n += per_class[c]
            spread += n * log2(n)
        base = (known * log2(known) - spread) / known
        gain = self.gain(table[1:], sizes[1:], known, sizes[0] / cases, base, weights)
        return gain, total_info(sizes) / cases, None

    def numeric(self, a, rows, weights, cases):
        column = self.columns[a]
        missing = 0.0
        for n in self.class_weights(
            [row for row in rows if column[row] is None],
            [weight for row, weight in zip(rows, weights, strict=True) if column[row] is None],
        ):
            missing += n
        known = cases - missing
        self.apart(known, 2 * self.options.min_cases, weights)
        if known < 2 * self.options.min_cases:
            return -EPSILON, 0.0, None
        ordered = sorted(
            (column[row], i) for i, row in enumerate(rows) if column[row] is not None
        )  # ties stay in row order
        above = self.class_weights([rows[i] for _, i in ordered], [weights[i] for _, i in ordered])
        below = [0.0] * self.n_classes
        base = total_info(above) / known
        side = 0.10 * known / self.n_classes
        side = self.options.min_cases if side <= self.options.min_cases else min(side, 25.0)
        low = 0.0
        cuts = []
        for (value, i), (following, _) in itertools.pairwise(ordered):
            below[self.y[rows[i]]] += weights[i]
            above[self.y[rows[i]]] -= weights[i]
            low += weights[i]
            self.apart(low, side, weights)
            self.apart(low, known - side, weights)
            if low < side:
                continue
            if low > known - side:
                break
            if value < following:
                gain = self.gain(
                    (below, above), (low, known - low), known, 1.0 - known / cases, base, weights
                )
                cuts.append((gain, low, value, following))
        penalty = log2(len(cuts)) / cases
        best, most = None, 0.0
        for cut in cuts:
            self.apart(cut[0], penalty, weights)
            if cut[0] - penalty > most:
                best, most = cut, cut[0] - penalty
        if best is None:
            return -EPSILON, 0.0, None
        if sum(1 for cut in cuts if abs(cut[0] - best[0]) < 1e-9) > 1:
            self.apart(0, 0, weights)
        return most, total_info((missing, best[1], known - best[1])) / cases, best[2:]

    def split(self, node, a, cut, rows, weights, cases, tested, depth):
        column = self.columns[a]
        n_branches = self.n_values[a] or 2
        if cut is not None:
            middle = (cut[0] + cut[1]) / 2
            if not cut[0] <= middle < cut[1]:
                middle = cut[0]
            node["threshold"] = max(level for level in self.levels[a] if level <= middle)
        branches = [[] for _ in range(n_branches)]
        unknown = []
        for row, weight in zip(rows, weights, strict=True):
            cell = column[row]
            if cell is None:
                unknown.append((row, weight))
            else:
                branches[int(cell) if cut is None else int(cell > cut[0])].append((row, weight))
        known = cases - sum(weight for _, weight in unknown)
        below = tested.copy()
        below[a] = True
        for branch in branches:
            if not branch:
                node["children"].append(leaf(node["label"], 0.0, 0.0, node["class_weight"]))
                continue
            factor = sum(weight for _, weight in branch) / known
            shared = [(row, weight * factor) for row, weight in unknown] + branch
            node["children"].append(
                self.grow([row for row, _ in shared], [weight for _, weight in shared], below, depth + 1)
            )


def in_preorder(node):
    """Return the nodes of a grown tree in pre-order."""
    found = [node]
    for child in node["children"]:
        found.extend(in_preorder(child))
    return found
