"""The lock names versions and hashes and nothing else, agrees with pyproject.toml, and every licence in it is known."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
ENTRY = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.+!]*)(?: ; [^/\\@]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")

PERMISSIVE = re.compile(r"\b(MIT|MIT-CMU|BSD|Apache|PSF|ISC)\b")
# Not permissive, or not told by their own metadata; each is explained in DECISIONS.md.
EXPLAINED = {"hypothesis", "imapclient", "pathspec", "psycopg", "psycopg-binary", "resvg-py"}


def locked() -> dict[str, str]:
    """Return the version of every distribution in the lock."""
    lines = (ROOT / "requirements.lock").read_text(encoding="ascii").splitlines()
    return {found["name"]: found["version"] for line in lines if (found := ENTRY.fullmatch(line))}


def declared(*extras: str) -> list[Requirement]:
    """Return what pyproject.toml asks for: with no extra the service's own needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    return [Requirement(line) for line in asked]


def licence(name: str) -> str:
    """Return what a distribution's metadata says of its licence, in whichever of three fields it does."""
    about = metadata.metadata(name)
    classifiers = [
        line.split(" :: ")[-1] for line in about.get_all("Classifier") or [] if line.startswith("License ::")
    ]
    fields = [*(about.get_all("License-Expression") or []), *classifiers, *(about.get_all("License") or [])]
    return " / ".join(" ".join(field.split())[:60] for field in fields)


def test_lock_holds_names_versions_and_hashes_only() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="ascii").splitlines()

    assert [line for line in lines if not ENTRY.fullmatch(line) and not HASH.fullmatch(line)] == []


def test_lock_satisfies_everything_the_project_asks_for() -> None:
    versions = locked()
    wanted = declared("demo", "postgres", "test", "dev")

    assert [str(need) for need in wanted if versions.get(canonicalize_name(need.name), "0") not in need.specifier] == []


def test_every_licence_is_permissive_or_explained() -> None:
    strict = [
        f"{name}: {licence(name)}"
        for name in locked()
        if name not in EXPLAINED and not PERMISSIVE.search(licence(name))
    ]

    assert strict == []


def test_every_direct_dependency_has_its_reason_in_the_decisions() -> None:
    decisions = (ROOT / "DECISIONS.md").read_text(encoding="utf-8").lower()

    wanted = declared("demo", "postgres", "test", "dev")
    assert [need.name for need in wanted if f"`{need.name.lower()}`" not in decisions] == []


def test_every_explained_licence_stands_in_the_decisions() -> None:
    decisions = (ROOT / "DECISIONS.md").read_text(encoding="utf-8").lower()

    assert [name for name in sorted(EXPLAINED) if name not in decisions] == []


def imported_names(path: Path) -> set[str]:
    """Return the top-level names that a module imports, wherever in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    plain = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    froms = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in plain | froms}


def test_every_imported_library_is_declared() -> None:
    providers = {
        name: [canonicalize_name(by) for by in found] for name, found in metadata.packages_distributions().items()
    }
    ours = {"adjudicator", "engine", "mail", "templates"}
    named = {canonicalize_name(need.name) for need in declared("demo", "postgres")}

    undeclared = {
        f"{path.relative_to(ROOT)}: {name}"
        for package in ("adjudicator", "engine", "mail")
        for path in (ROOT / package).rglob("*.py")
        for name in imported_names(path) - sys.stdlib_module_names - ours
        if not named.intersection(map(canonicalize_name, providers.get(name, [])))
    }
    assert sorted(undeclared) == []
