"""Documents lead where they say, and every decision has its number and a line on the contents page."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def documents():
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def dead_links(paths):
    return [
        f"{path.name}: {target}"
        for path in paths
        for target in LINK.findall(path.read_text("utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]


def test_links_between_documents_lead_to_files():
    assert dead_links(documents()) == []


def test_link_that_leads_nowhere_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "[here](page.md) [web](https://example.org/x) [part](page.md#part) [gone](gone.md#part)\n"
    )
    assert dead_links([page]) == ["page.md: gone.md"]


def test_decisions_are_numbered_without_gaps_and_twins():
    names = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert [name[:5] for name in names] == [f"{number:04d}-" for number in range(1, len(names) + 1)]


def test_every_page_stands_on_the_contents_page():
    contents = ROOT / "docs" / "README.md"
    listed = {(contents.parent / target).resolve() for target in LINK.findall(contents.read_text("utf-8"))}
    pages = {path.resolve() for path in (ROOT / "docs").rglob("*.md")} - {contents.resolve()}
    assert sorted(path.name for path in pages - listed) == []
