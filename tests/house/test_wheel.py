"""The wheel, installed into an empty environment outside the checkout, has every template and board and starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.house.test_texts import ROOT, project_files

SHIPPED = ("adjudicator", "engine", "mail", "templates")

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
from pathlib import Path
import adjudicator, engine, mail, templates
home = Path(sys.prefix).resolve()
for package in (adjudicator, engine, mail, templates):
    assert Path(package.__path__[0]).resolve().is_relative_to(home), package.__path__
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if ".migrations" not in found.name and not found.name.endswith("__main__"):
            importlib.import_module(found.name)
            print(found.name)
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command away from the checkout, with these tests' libraries and no code of the project on its path."""
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib"), "PYTHONWARNINGS": "ignore"}
    words = [str(part) for part in command]
    done = subprocess.run(words, check=False, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def copy_of_the_project(target: Path) -> Path:
    """Copy what the wheel is made from, so that no leftover of an earlier build slips in."""
    for path in project_files():
        name = path.relative_to(ROOT)
        if name.parts[0] in {*SHIPPED, "pyproject.toml", "README.md", "LICENSE"}:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / name)
    return target


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    place = tmp_path_factory.mktemp("wheel")
    source = copy_of_the_project(place / "source")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", place, source, cwd=place)
    return next(place.glob("adjudicator-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an empty environment and return the folder of its commands."""
    place = tmp_path_factory.mktemp("empty")
    run(sys.executable, "-m", "venv", "--without-pip", place / "env", cwd=place)
    python = place / "env" / "bin" / "python"
    run(sys.executable, "-m", "pip", "-q", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=place)
    return python.parent


def test_wheel_holds_exactly_the_files_of_its_four_trees(wheel: Path) -> None:
    names = [path.relative_to(ROOT) for path in project_files()]
    wanted = [name.as_posix() for name in names if name.parts[0] in SHIPPED]

    with zipfile.ZipFile(wheel) as archive:
        held = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert sorted(held) == sorted(wanted)


def test_every_module_imports_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    imported = run(installed / "python", "-c", IMPORT_EVERYTHING, cwd=tmp_path).split()

    assert {name.split(".")[0] for name in imported} == {"adjudicator", "engine", "mail"}


def test_command_starts_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    assert "serve" in run(installed / "adjudicator", "--help", cwd=tmp_path)
