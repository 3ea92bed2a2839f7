"""The shape of the tree that everything else relies on."""

import platform as standard_platform
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_platform_is_no_package() -> None:
    """An empty ``platform/__init__.py`` would hide the standard library's module from every library that asks it."""
    assert not (ROOT / "platform" / "__init__.py").exists()
    assert standard_platform.system()


def test_no_module_is_named_for_nothing() -> None:
    vague = {"utils.py", "helpers.py", "common.py", "misc.py"}
    assert [path for path in (ROOT / "platform").rglob("*.py") if path.name in vague] == []


def test_entry_points_stay_thin() -> None:
    long_files = [
        path.name
        for folder in ("serve_apps", "jobs")
        for path in (ROOT / folder).glob("*.py")
        if len(path.read_text().splitlines()) > 120
    ]
    assert long_files == []


def test_product_code_has_no_bare_assert() -> None:
    """``python -O`` removes asserts: validation must raise."""
    offenders = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / "platform").rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if line.strip().startswith("assert ")
    ]
    assert offenders == []
