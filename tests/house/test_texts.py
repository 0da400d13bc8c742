"""Nothing in the project names the place where it was written, and nothing in it grows too large to read."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path
from statistics import quantiles

import pytest

ROOT = Path(__file__).parents[2]
CODE = ("adjudicator", "engine", "mail")

# Spelled with a bracket, so that this list does not find itself.
FORBIDDEN = {
    "host of a package registry": r"py[p]i\.org|pythonhosted\.or[g]|registry\.np[m]js|deb\.debia[n]\.org|crates\.i[o]",
    "path of one machine": r"(?<![\w.])/(wor[k]|far[m]|roo[t])/|/tm[p]/bash_jobs|/op[t]/(wheels|pypi)",
    "folder outside the project": r"\.\./shar[e]d",
}


def project_files() -> list[Path]:
    """Return every file of the project, new ones included, in the order of their names."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [ROOT / name for name in sorted(set(names)) if name and (ROOT / name).is_file()]


def modules(package: str) -> list[Path]:
    return [path for path in project_files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] == package]


def function_lengths(path: Path) -> list[int]:
    """Return how many lines each function of a module takes, from its `def` to its last line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_files_do_not_name_a(what: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in project_files()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if re.search(FORBIDDEN[what], line)
    ]

    assert found == []


def test_top_level_holds_only_the_rooms_of_the_house() -> None:
    trees = {".ci", "adjudicator", "deploy", "engine", "mail", "templates", "tests"}
    pages = {"CHANGELOG.md", "CONTRIBUTING.md", "DECISIONS.md", "GLOSSARY.md", "LICENSE", "README.md"}
    rooms = trees | pages | {".gitignore", "Makefile", "pyproject.toml", "requirements.lock"}

    assert sorted({path.relative_to(ROOT).parts[0] for path in project_files()} - rooms) == []


@pytest.mark.parametrize("package", CODE)
def test_functions_fit_on_a_screen_in(package: str) -> None:
    lengths = [length for path in modules(package) for length in function_lengths(path)]

    assert quantiles(lengths, n=20)[-1] <= 40


@pytest.mark.parametrize("package", [*CODE, "templates", "tests"])
def test_every_module_says_its_duty_in(package: str) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in modules(package)}

    silent = [path for path, text in texts.items() if text.strip() and not ast.get_docstring(ast.parse(text))]
    assert [str(path.relative_to(ROOT)) for path in silent] == []
