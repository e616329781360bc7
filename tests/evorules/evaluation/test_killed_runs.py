"""``kill -9`` at random moments of a run, then resume."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks")
@pytest.mark.parametrize("n_moments", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_a_run_killed_at_any_moment_resumes_and_equals_an_undisturbed_one(n_moments, tmp_path):
    script = Path(__file__).with_name("killed_runs.py")
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), str(n_moments), "7"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["rows"] == 200
    assert len(found["moments"]) == n_moments
    for moment in found["moments"]:
        assert moment["rows"] == 200
        assert moment["equal"]
        # no committed row is lost or computed again
        assert moment["kept"] == moment["committed"]
    assert any(0 < moment["committed"] < 200 for moment in found["moments"])
