"""C4.5 Release 8 in plain Python with recursion, written from the specification's sections 0 to 4.

Twin of `trees.growth.literal._kernels_*`, `trees.pruning._kernels_pessimistic` and
`trees.growth._kernels_descend`. `real` is np.float32 or np.float64; sums are taken in the case order that
the specification gives, so that results are equal bit for bit. A missing cell is NaN.
"""

import math

import numpy as np

EPSILON = 0.001
LN2 = 0.69314718055994530942
VAL = (0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEV = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)


def log2(x):
    return math.log(float(x)) / LN2 if x > 0 else 0.0


def total(numbers, real):
    result = real(0)
    for n in numbers:
        result = result + n
    return result


def total_info(counts, real):
    spread = real(0)
    for n in counts:
        spread = real(float(spread) + float(n) * log2(n))
    weight = total(counts, real)
    return real(float(weight) * log2(weight) - float(spread))


def gain_of(rows, sizes, base, unknown, known, least, real):
    if known == 0 or sum(size >= least for size in sizes) < 2:
        return real(-EPSILON)
    info = total([total_info(row, real) for row in rows], real)
    return (real(1) - unknown) * (base - info / known)


def worth(gain, info, least_gain, criterion, real):
    if criterion == "gain":
        return gain if info > 0 and float(gain) > -EPSILON else real(-EPSILON)
    if float(gain) >= float(least_gain) - EPSILON and float(info) > EPSILON:
        return gain / info
    return real(-EPSILON)


def added_errors(n, e, confidence, real):
    cf = real(confidence)
    val, dev = [real(v) for v in VAL], [real(d) for d in DEV]
    i = next(i for i in range(len(val)) if cf <= val[i])
    z = dev[i - 1] + (dev[i] - dev[i - 1]) * (cf - val[i - 1]) / (val[i] - val[i - 1])
    c = z * z

    def many(e):
        if float(e) + 0.5 >= n:
            return real(0.67 * float(n - e))
        half = float(e) + 0.5
        root = math.sqrt(float(c) * (half * (1 - half / float(n)) + float(c) / 4))
        return n * real((half + float(c) / 2 + root) / float(n + c)) - e

    if float(e) >= 0.9999:
        return many(e)
    none = real(float(n) * (1 - math.exp(math.log(float(cf)) / float(n))))
    return none if float(e) < 1e-6 else none + e * (many(real(1)) - none)


class Node:
    """`attribute` is None in a leaf; `groups` lists the value codes of every branch of a nominal test."""

    def __init__(self, weight, errors, counts, label):
        self.N, self.E, self.counts, self.label = weight, errors, counts, label
        self.attribute, self.cut, self.groups, self.below = None, None, None, []

    def branch(self, value):
        """Return the branch of a known value, -1 if it belongs to none."""
        if self.groups is None:
            return 0 if value <= self.cut else 1
        return next((b for b, values in enumerate(self.groups) if int(value) in values), -1)

    def walk(self):
        yield self
        for below in self.below:
            yield from below.walk()


class Cases:
    """The case array: rows and weights, permuted as the program goes."""

    def __init__(self, columns, y, n_classes, weights, real):
        self.columns, self.y, self.n_classes, self.real = columns, y, n_classes, real
        self.row = list(range(len(y)))
        self.weight = [real(w) for w in weights]
        self.counting = all(w == 1 for w in weights)

    def value(self, a, i):
        return self.columns[a][self.row[i]]

    def swap(self, i, j):
        self.row[i], self.row[j] = self.row[j], self.row[i]
        self.weight[i], self.weight[j] = self.weight[j], self.weight[i]

    def gather(self, low, high, wanted):
        for i in range(low, high + 1):
            if wanted(i):
                self.swap(low, i)
                low += 1
        return low

    def size(self, low, high):
        if self.counting:
            return self.real(high - low + 1)
        return total(self.weight[low : high + 1], self.real)

    def add(self, counts, i):
        counts[self.y[self.row[i]]] += self.weight[i]

    def class_counts(self, low, high):
        counts = [self.real(0)] * self.n_classes
        for i in range(low, high + 1):
            self.add(counts, i)
        return counts

    def sort(self, a, low, high, literal):
        if low >= high:
            return
        if not literal:
            x, y, z = self.value(a, low), self.value(a, (low + high) // 2), self.value(a, high)
            if (x <= y) == (y <= z):
                self.swap((low + high) // 2, high)
            elif (y <= x) == (x <= z):
                self.swap(low, high)
        pivot = self.value(a, high)
        middle = self.gather(low, high - 1, lambda i: self.value(a, i) <= pivot)
        below = middle
        for i in range(middle - 1, low - 1, -1):
            if self.value(a, i) == pivot:
                below -= 1
                self.swap(below, i)
        self.sort(a, low, below - 1, literal)
        self.swap(middle, high)
        self.sort(a, middle + 1, high, literal)

    def each_branch(self, node, low, high, known, visit):
        """Gather unknowns, then each branch; call visit(branch, end, factor), with None twice if empty."""
        a = node.attribute
        front = self.gather(low, high, lambda i: math.isnan(self.value(a, i)))
        counting = self.counting
        self.counting = counting and front == low
        known = known(front)
        for b in range(len(node.groups or "ab")):
            end = self.gather(front, high, lambda i, b=b: node.branch(self.value(a, i)) == b)
            if end == front:
                visit(b, None, None)
                continue
            factor = self.size(front, end - 1) / known
            for i in range(low, front):
                self.weight[i] = self.weight[i] * factor
            visit(b, end - 1, factor)
            self.gather(low, end - 1, lambda i: math.isnan(self.value(a, i)))
            for i in range(low, front):
                self.weight[i] = self.weight[i] / factor
        self.counting = counting


class Growth(Cases):
    """Grows a tree by sections 1 and 2; `n_values[a]` is 0 for a numeric attribute."""

    def __init__(self, columns, n_values, y, n_classes, weights, options, real, literal, defects):
        super().__init__(columns, y, n_classes, weights, real)
        self.n_values, self.options, self.literal, self.defects = n_values, options, literal, defects
        self.least = real(options.min_cases)
        self.all_weight = sum(weights)
        self.tested = [0] * len(columns)
        many = [v > 0 and v >= 0.3 * self.all_weight for v in n_values]
        self.in_average = [options.group_values or all(many) or not m for m in many]
        self.root = self.form(0, len(y) - 1, 0)

    def form(self, low, high, depth):
        real = self.real
        counts, cases = self.class_counts(low, high), self.size(low, high)
        label = counts.index(max(counts))
        node = Node(cases, cases - counts[label], counts, label)
        limit = self.options.max_depth
        if counts[label] == cases or cases < 2 * self.least or depth == limit or not self.columns:
            return node
        merits = [self.evaluate(a, low, high, cases) for a in range(len(self.columns))]
        possible = [m[0] for m, few in zip(merits, self.in_average, strict=True) if m[0] > -EPSILON and few]
        average = total(possible, real) / real(len(possible)) if possible else real(1e6)
        best, chosen = real(-EPSILON), None
        for a, (gain, info, _) in enumerate(merits):
            value = worth(gain, info, average, self.options.criterion, real)
            if value > best:
                best, chosen = value, a
        if chosen is None:
            return node
        self.install(node, chosen, merits[chosen][2])
        self.tested[chosen] += 1
        leaf_errors, node.E = node.E, real(0)

        def visit(_, end, __):
            below = Node(real(0), real(0), counts, label) if end is None else self.form(low, end, depth + 1)
            node.below.append(below)
            node.E = node.E + below.E

        self.each_branch(node, low, high, lambda front: cases - self.size(low, front - 1), visit)
        self.tested[chosen] -= 1
        if self.options.collapse and float(node.E) >= float(leaf_errors) - EPSILON:
            node.attribute, node.cut, node.groups, node.below = None, None, None, []
        return node

    def install(self, node, a, what):
        node.attribute = a
        if self.n_values[a] == 0:
            node.cut = max(v for v in self.columns[a] if v <= what)
        else:
            node.groups = what

    def evaluate(self, a, low, high, cases):
        """Return gain, split information and midpoint or groups of values."""
        here = self.size(low, high)
        if self.n_values[a] == 0:
            return self.numeric(a, low, high, here)
        grouped = self.options.group_values and self.n_values[a] > 2
        if self.tested[a] and not grouped:
            return self.real(-EPSILON), self.real(0), None
        rows = [[self.real(0)] * self.n_classes for _ in range(self.n_values[a] + 1)]
        for i in range(low, high + 1):
            value = self.value(a, i)
            self.add(rows[0 if math.isnan(value) else int(value) + 1], i)
        return (self.subset if grouped else self.nominal)(rows, cases, here)

    def base(self, rows, known):
        spread = 0.0
        for c in range(self.n_classes):
            n = total([row[c] for row in rows[1:]], self.real)
            spread += float(n) * log2(n)
        return self.real((float(known) * log2(known) - spread) / float(known))

    def nominal(self, rows, cases, here):
        real = self.real
        sizes = [total(row, real) for row in rows]
        if cases <= sizes[0]:
            return real(-EPSILON), real(0), None
        known, unknown = cases - sizes[0], sizes[0] / here
        gain = gain_of(rows[1:], sizes[1:], self.base(rows, known), unknown, known, self.least, real)
        return gain, total_info(sizes, real) / cases, [[v] for v in range(len(rows) - 1)]

    def numeric(self, a, low, high, cases):
        real = self.real
        nothing = real(-EPSILON), real(0), None
        first = self.gather(low, high, lambda i: math.isnan(self.value(a, i)))
        missing = total(self.class_counts(low, first - 1), real)
        known = cases - missing
        if known < 2 * self.least:
            return nothing
        unknown = real(1.0 - float(known / cases))
        self.sort(a, first, high, self.literal)
        left, right = [real(0)] * self.n_classes, self.class_counts(first, high)
        base = total_info(right, real) / known
        side = real(0.10 * float(known) / self.n_classes)
        side = self.least if side <= self.least else min(side, real(25))
        weight, tries = real(0), []
        gap = 1e-5 if real is np.float32 else 0.0
        for i in range(first, high):
            self.add(left, i)
            right[self.y[self.row[i]]] -= self.weight[i]
            weight = weight + self.weight[i]
            if weight < side:
                continue
            if weight > known - side:
                break
            if float(self.value(a, i)) < float(self.value(a, i + 1)) - gap:
                sizes = [weight, known - weight]
                gain = gain_of([left, right], sizes, base, unknown, known, self.least, real)
                tries.append((gain, total_info([missing, *sizes], real) / cases, i))
        penalty = real(log2(len(tries)) / float(cases))
        best, chosen = real(0), None
        for gain, info, i in tries:
            if gain - penalty > best:
                best, chosen = gain - penalty, (info, i)
        if chosen is None:
            return nothing
        below, above = self.value(a, chosen[1]), self.value(a, chosen[1] + 1)
        middle = (below + above) / real(2)
        return best, chosen[0], middle if middle < above else below

    def subset(self, rows, cases, here):
        real, criterion = self.real, self.options.criterion
        sizes = [total(row, real) for row in rows]
        known, unknown = cases - sizes[0], sizes[0] / here
        if float(known) < EPSILON:
            if self.defects:
                self.least = real(1)
            return real(-EPSILON), real(0), None
        base = self.base(rows, known)

        def judge(blocks, least=None):
            least = real(1) if least is None else least
            weights = [block[2] for block in blocks]
            gain = gain_of([block[1] for block in blocks], weights, base, unknown, known, least, real)
            info = total_info([sizes[0], *weights], real) / cases
            return gain, info, worth(gain, info, real(EPSILON), criterion, real)

        def merged(blocks, x, y):
            values = blocks[x][0] + blocks[y][0]
            row = [m + n for m, n in zip(blocks[x][1], blocks[y][1], strict=True)]
            result = list(blocks)
            result[x] = (values, row, blocks[x][2] + blocks[y][2])
            result[y] = result[-1]
            return result[:-1]

        blocks = [([v], rows[v + 1], sizes[v + 1]) for v in range(len(rows) - 1)]
        before = judge(blocks)
        rest = [block[0][0] for block in blocks if not block[2] > 0.5]
        blocks = [block for block in blocks if block[2] > 0.5]
        n_first = len(blocks)
        blocks = self.merge_pure(blocks, merged)
        if len(blocks) < n_first:
            before = judge(blocks)
        blocks, info, value = self.merge_best(blocks, before, judge, merged)
        if value <= 0:
            return real(-EPSILON), real(0), None
        groups = [sorted(block[0]) for block in blocks] + ([rest] if rest else [])
        return judge(blocks, self.least)[0], info, groups

    def merge_pure(self, blocks, merged):
        x = 0
        while x < len(blocks) - 1:
            only = next((c for c, n in enumerate(blocks[x][1]) if float(n) >= 0.1), None)
            if only is not None and float(blocks[x][1][only]) >= float(blocks[x][2]) - 0.1:
                y = x + 1
                while y < len(blocks):
                    if float(blocks[y][1][only]) >= float(blocks[y][2]) - 0.1:
                        blocks = merged(blocks, x, y)
                    else:
                        y += 1
            x += 1
        return blocks

    def merge_best(self, blocks, before, judge, merged):
        real, use_gain = self.real, self.options.criterion == "gain"
        gain, info, value = before
        least_gain = gain / real(2)
        while len(blocks) > 2:
            weights = [block[2] for block in blocks]
            reasonable = sum(w >= self.least for w in weights)
            barred = weights.index(max(weights)) if reasonable < 3 else None
            best, pair = (real(-EPSILON), real(0), real(0)), None
            for x in range(len(blocks)):
                for y in range(x + 1, len(blocks)):
                    if barred in (x, y):
                        continue
                    found = judge(merged(blocks, x, y))
                    if (
                        (found[0] >= least_gain and best[0] < least_gain)
                        or found[2] >= best[2]
                        or (pair is None and (use_gain or reasonable < 2))
                    ):
                        best, pair = found, (x, y)
            no_better = float(best[2]) < float(value) + 1e-5 or (best[2] == value and best[0] < gain)
            if pair is None or (not use_gain and reasonable >= 2 and no_better):
                break
            blocks = merged(blocks, *pair)
            gain, info, value = best
        return blocks, info, value


class Pruning(Cases):
    """Prunes a tree of `Node` in place by section 3, without the removal of impossible values."""

    def __init__(self, root, columns, y, n_classes, weights, real, *, order, confidence, raising):
        super().__init__(columns, y, n_classes, weights, real)
        self.row = list(order)
        self.weight = [real(weights[row]) for row in order]
        self.confidence, self.raising = confidence, raising
        self.estimate(root, 0, len(y) - 1, True)

    def estimate(self, node, low, high, update):
        real = self.real
        cases, counts = self.size(low, high), self.class_counts(low, high)
        label = node.label
        for c, n in enumerate(counts):
            if n > counts[label]:
                label = c
        errors = cases - counts[label]
        as_leaf = errors + added_errors(cases, errors, self.confidence, real)
        if update:
            node.N, node.label, node.counts = cases, label, counts
        if node.attribute is None:
            if update:
                node.E = as_leaf
            return as_leaf
        tree_errors, most, largest = real(0), real(0), None

        def visit(b, end, factor):
            nonlocal tree_errors, most, largest
            if end is not None:
                if factor >= most:
                    most, largest = factor, b
                tree_errors = tree_errors + self.estimate(node.below[b], low, end, update)

        self.each_branch(node, low, high, lambda front: self.size(front, high), visit)
        if not update:
            return tree_errors
        branch_errors = math.inf
        if self.raising and largest is not None:
            branch_errors = float(self.estimate(node.below[largest], low, high, False))
        if float(as_leaf) <= branch_errors + 0.1 and float(as_leaf) <= float(tree_errors) + 0.1:
            node.attribute, node.cut, node.groups, node.below = None, None, None, []
            node.E = as_leaf
        elif branch_errors <= float(tree_errors) + 0.1:
            branch = node.below[largest]
            self.estimate(branch, low, high, True)
            node.__dict__.update(branch.__dict__)
        else:
            node.E = tree_errors
        return node.E


def class_sums(node, x, n_classes, real):
    """Return the class sums of a row by section 4, and (leaf, part of the row) in the order they are met."""
    sums, leaves = [real(0)] * n_classes, []

    def drop(node, part):
        if node.attribute is None:
            leaves.append((node, part))
            if node.N > 0:
                for c, n in enumerate(node.counts):
                    sums[c] = sums[c] + part * n / node.N
            else:
                sums[node.label] = sums[node.label] + part
            return
        value = x[node.attribute]
        branch = -1 if math.isnan(value) else node.branch(value)
        if branch >= 0:
            drop(node.below[branch], part)
        else:
            for below in node.below:
                drop(below, part * below.N / node.N)

    drop(node, real(1))
    return sums, leaves
