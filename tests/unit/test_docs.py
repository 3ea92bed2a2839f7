"""The documentation agrees with the code: settings, routes, error codes, commands, links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import annotated_types
import pytest
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from typer.main import get_command

import memplane
from memplane.api.problems import STATUS_BY_ERROR, status_of
from memplane.cli.app import app
from memplane.domain import errors
from memplane.settings import ENVIRONMENT_PREFIX, Settings, load_settings
from tests.support.api_fakes import start_platform

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PRESENT = [file for file in PAGES if "adr" not in file.parts]
"""Pages that say what is so now. Decisions say what was decided, and are not edited."""
PREFIXES = ("/v1", "/v1/recall", "/admin")
MAX_LINE = 120

_FENCE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_CODE_SPAN = re.compile(r"`[^`\n]*`")


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows(text: str) -> Iterator[list[str]]:
    """The rows of all Markdown tables whose first cell is code."""
    for line in text.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def name_of(page_file: Path) -> str:
    return str(page_file.relative_to(ROOT))


# Settings


def settings_keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from settings_keys(kind, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def type_text(field: FieldInfo) -> str:
    kind: Any = field.annotation
    if get_origin(kind) is Literal:
        return " or ".join(f"`{choice}`" for choice in get_args(kind))
    names = {str: "text", int: "integer", float: "number", bool: "true or false", Path: "path", SecretStr: "secret"}
    limits = []
    for limit in field.metadata:
        for bound, sign in ((annotated_types.Ge, "≥"), (annotated_types.Gt, ">"), (annotated_types.Le, "≤")):
            if isinstance(limit, bound):
                limits.append(f"{sign} {getattr(limit, bound.__name__.lower())}")
    return " ".join([names[kind], ", ".join(limits)]).strip()


def default_text(field: FieldInfo) -> str:
    value = field.default
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    return f"`{json.dumps(str(value) if isinstance(value, Path) else value)}`"


def test_every_setting_is_documented_with_its_default_type_and_variable() -> None:
    documented = {row[0].strip("`"): row[1:] for row in rows(page("docs/configuration.md"))}
    expected = dict(settings_keys())
    assert documented.keys() == expected.keys()
    for key, field in expected.items():
        default, kind, meaning, variable = documented[key]
        assert default == default_text(field), key
        assert kind == type_text(field), key
        assert len(meaning) > 10, key
        assert variable == f"`{ENVIRONMENT_PREFIX}{key.upper().replace('.', '__')}`", key


def other_value(field: FieldInfo) -> str:
    """A legal value that is not the default."""
    kind: Any = field.annotation
    least: list[Any] = [getattr(limit, "ge", getattr(limit, "gt", 0)) for limit in field.metadata]
    if get_origin(kind) is Literal:
        return str(get_args(kind)[-1])
    if kind is bool:
        return str(not field.default)
    if kind is int:
        return str(max([0, *least]) + 7)
    return str(max([0.0, *least]) + 0.5) if kind is float else "elsewhere"


def test_the_documented_variables_are_the_ones_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {row[0].strip("`"): row[4].strip("`") for row in rows(page("docs/configuration.md"))}
    for key, field in settings_keys():
        wanted = other_value(field)
        with monkeypatch.context() as environment:
            environment.setenv(variables[key], wanted)
            found: Any = load_settings()
        for part in key.split("."):
            found = getattr(found, part)
        assert str(found.get_secret_value() if isinstance(found, SecretStr) else found) == wanted, key


# Routes


async def test_every_route_is_documented_and_no_other() -> None:
    platform = await start_platform()
    served = set()
    for prefix in PREFIXES:
        document = (await platform.call("GET", f"{prefix}/openapi.json", key=None)).json()
        for path, operations in document["paths"].items():
            served |= {f"{method.upper()} {(prefix + path).rstrip('/')}" for method in operations}
    documented = re.findall(r"^### `([A-Z]+ /[^`]*)`$", page("docs/api.md"), re.MULTILINE)
    assert len(documented) == len(set(documented))
    assert set(documented) == served


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_every_request_field_is_documented(prefix: str) -> None:
    platform = await start_platform()
    document = (await platform.call("GET", f"{prefix}/openapi.json", key=None)).json()
    text = page("docs/api.md")
    fields = {
        name
        for schema, definition in document["components"]["schemas"].items()
        if schema.endswith("In")
        for name in definition["properties"]
    }
    for operations in document["paths"].values():
        for operation in operations.values():
            fields |= {item["name"] for item in operation.get("parameters", []) if item["in"] != "path"}
    assert fields
    assert {name for name in fields if f"`{name}`" not in text} == set()


# Errors


@cache
def error_kinds() -> dict[str, set[int]]:
    """Each code with the statuses that its errors are answered with."""
    found: dict[str, set[int]] = {}
    waiting = [errors.MemplaneError]
    while waiting:
        kind = waiting.pop()
        waiting.extend(kind.__subclasses__())
        found.setdefault(kind.code, set()).add(status_of(kind("")))
    return found


def test_every_error_code_is_documented_with_its_status_and_what_to_do() -> None:
    section = page("docs/api.md").split("## Errors")[1].split("\n### ")[0]
    documented = {row[0].strip("`"): row for row in rows(section)}
    expected = error_kinds() | {"method_not_allowed": {405}}
    assert documented.keys() == expected.keys()
    for code, statuses in expected.items():
        _, status, meaning, advice = documented[code]
        assert {int(status)} == statuses, code
        assert len(meaning) > 10, code
        assert len(advice) > 10, code
    assert set(STATUS_BY_ERROR.values()) <= {int(row[1]) for row in documented.values()}


# Commands


def test_every_make_verb_in_the_documentation_exists() -> None:
    verbs = set(re.findall(r"^([a-z-]+):", page("Makefile"), re.MULTILINE))
    for file in PRESENT:
        named = set(re.findall(r"(?:^|`)make ([a-z-]+)", file.read_text(encoding="utf-8"), re.MULTILINE))
        assert named <= verbs, f"{name_of(file)}: {sorted(named - verbs)}"


def commands(text: str) -> list[str]:
    """What follows the word ``memplane`` in shell examples and in code spans."""
    shell = _SHELL.findall(text)
    spans = [span.strip("`") for span in _CODE_SPAN.findall(_FENCE.sub("", text))]
    return re.findall(r"(?:^|\s|\()memplane ([a-z][^\n|>)]*)", "\n".join([*shell, *spans]))


@pytest.mark.parametrize("file", PRESENT, ids=name_of)
def test_every_command_and_option_in_the_documentation_exists(file: Path) -> None:
    for line in commands(file.read_text(encoding="utf-8")):
        command: Any = get_command(app)
        words = line.split()
        while words and hasattr(command, "commands"):
            command = command.commands.get(words.pop(0))
            assert command is not None, f"memplane {line}"
        known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        used = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", re.sub(r'"[^"]*"', "", line)))
        assert used <= known, f"memplane {line}: {sorted(used - known)}"


def test_the_start_page_shows_commands() -> None:
    """Guards the test above against finding nothing."""
    assert {line.split()[0] for line in commands(page("README.md"))} >= {"up", "key", "remember", "recall", "down"}


def test_the_change_log_begins_with_what_is_unreleased_and_names_this_version() -> None:
    headings = re.findall(r"^## (.+)$", page("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert f"[{memplane.__version__}]" in headings[1]


# Links and form


def anchors(text: str) -> set[str]:
    """Anchors of headings, as GitHub makes them."""
    found = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


@pytest.mark.parametrize("file", PAGES, ids=name_of)
def test_links_between_pages_resolve(file: Path) -> None:
    text = _CODE_SPAN.sub("", _FENCE.sub("", file.read_text(encoding="utf-8")))
    for link in _LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the repository"
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{link} has no such heading"


def test_every_page_and_decision_can_be_reached() -> None:
    """Every page of docs/ is linked from the index, every decision from the list of decisions."""
    index = {(ROOT / "docs" / link.partition("#")[0]).resolve() for link in _LINK.findall(page("docs/index.md"))}
    decisions = {(ROOT / "docs/adr" / link).resolve() for link in _LINK.findall(page("docs/adr/README.md"))}
    for file in (ROOT / "docs").rglob("*.md"):
        reachable = decisions if re.match(r"\d{4}-", file.name) else index
        assert file.name == "index.md" or file in reachable, name_of(file)


@pytest.mark.parametrize("file", PRESENT, ids=name_of)
def test_lines_are_short(file: Path) -> None:
    """Table rows cannot be wrapped, and fenced blocks show what programs print."""
    prose = _FENCE.sub(lambda block: "\n" * block[0].count("\n"), file.read_text(encoding="utf-8"))
    long_lines = [
        number for number, line in enumerate(prose.splitlines(), 1) if len(line) > MAX_LINE and not line.startswith("|")
    ]
    assert long_lines == []
