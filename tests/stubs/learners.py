"""Learners that misbehave on purpose, for tests of the machinery around them."""

import os
import signal
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Stub(ClassifierMixin, BaseEstimator):
    """Predict the majority class, or by `action` do something worse in fit."""

    algorithm_version = 1

    def __init__(self, action="majority", seconds=0.0):
        self.action = action
        self.seconds = seconds

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.majority_ = self.classes_[np.argmax(counts)]
        if self.seconds:
            time.sleep(self.seconds)
        if self.action == "raise":
            raise RuntimeError("boom")
        if self.action == "sleep":
            time.sleep(60)
        if self.action == "memory":
            self.hoard_ = np.ones(200_000_000)
        if self.action == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.action == "warn":
            warnings.warn("too few rows", UserWarning, stacklevel=1)
        if self.action == "print":
            print("chatter on standard output", flush=True)  # noqa: T201
        return self

    def predict(self, X):
        return np.full(len(X), self.majority_)


class Dice(ClassifierMixin, BaseEstimator):
    """Predict at random, with probabilities that are random too."""

    algorithm_version = 1

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        draws = np.random.default_rng(self.random_state).random((len(X), len(self.classes_)))
        return draws / draws.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]


class DieOnce(ClassifierMixin, BaseEstimator):
    """Take the process down in the first fit that finds no file `flag`, and leave the file."""

    algorithm_version = 1

    def __init__(self, flag=""):
        self.flag = flag

    def fit(self, X, y):
        if not os.path.exists(self.flag):
            with open(self.flag, "w", encoding="ascii"):
                pass
            os.kill(os.getpid(), signal.SIGKILL)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class KillsAnother(Stub):
    """Kill another process in the first fit of all."""

    def __init__(self, victim=0, flag=""):
        super().__init__()
        self.victim = victim
        self.flag = flag

    def fit(self, X, y):
        if not os.path.exists(self.flag):
            with open(self.flag, "w", encoding="ascii"):
                pass
            os.kill(self.victim, signal.SIGKILL)
            time.sleep(1)
        return super().fit(X, y)
