"""A bounded memory that forgets what was used least, and of that the oldest: a dictionary and a scan."""


class PlainMemory:
    def __init__(self, size):
        self.size = size
        self.entries = {}
        self.clock = 0

    def find(self, key):
        """The value kept, None if there is none; a hit counts as a use."""
        if key not in self.entries:
            return None
        self.entries[key][1] += 1
        return self.entries[key][0]

    def keep(self, key, value):
        if len(self.entries) == self.size:
            del self.entries[min(self.entries, key=lambda k: self.entries[k][1:])]
        self.entries[key] = [value, 1, self.clock]
        self.clock += 1
