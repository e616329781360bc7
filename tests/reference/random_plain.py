"""Plain twins of `trees._kernels_random`, on Python integers."""

MASK = (1 << 64) - 1


def splitmix64(key: int, index: int) -> int:
    word = (key + (index + 1) * 0x9E3779B97F4A7C15) & MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def _rotate(word: int, places: int) -> int:
    return ((word << places) | (word >> (64 - places))) & MASK


class Stream:
    """xoshiro256++ as its authors print it."""

    def __init__(self, state) -> None:
        self.state = [int(word) for word in state]

    def next_word(self) -> int:
        s = self.state
        word = (_rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = _rotate(s[3], 45)
        return word

    def integer(self, bound: int) -> int:
        return (self.next_word() * bound) >> 64

    def uniform(self) -> float:
        return (self.next_word() >> 11) / 2**53
