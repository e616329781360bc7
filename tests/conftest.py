"""Where the reference data lie, for the tests that use them."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference data: EVORULES_REFERENCE, or a folder `shared` beside the checkout."""
    named = os.environ.get("EVORULES_REFERENCE")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no reference data: set EVORULES_REFERENCE or put a folder 'shared' beside the checkout")
    return folder
