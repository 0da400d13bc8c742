"""``init`` sets a house up once, brings it up to date later, and never destroys anything."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import msgspec
import pytest
from sqlmodel import Session

from adjudicator import bootstrap
from adjudicator.check import config_template
from adjudicator.cli.phrases import LANGUAGES, Language
from adjudicator.config import Config, load
from adjudicator.storage import schema
from adjudicator.storage.store import open_engine
from adjudicator.storage.tables import Secret
from tests.adjudicator.cli.commands import adjudicator, write_config


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_init_writes_a_configuration_a_key_and_a_database(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "init")

    assert (result.exit_code, result.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["adjudicator.db", "adjudicator.toml", "service.key"]
    assert [mode(tmp_path / name) for name in ("adjudicator.db", "adjudicator.toml", "service.key")] == [0o600] * 3
    assert result.stdout.splitlines()[-1] == (
        f"Next: put mailbox and passwords into {tmp_path / 'adjudicator.toml'}, then adjudicator check."
    )
    bootstrap.build(load(tmp_path / "adjudicator.toml")).store.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_init_comments_the_configuration_in_the_language_asked_for(tmp_path: Path, language: Language) -> None:
    adjudicator(tmp_path, "init", language=language)

    text = (tmp_path / "adjudicator.toml").read_text(encoding="utf-8")
    assert text == config_template(language)
    assert load(tmp_path / "adjudicator.toml").service.language == language


def test_a_second_init_changes_nothing(tmp_path: Path) -> None:
    adjudicator(tmp_path, "init")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".db"}

    result = adjudicator(tmp_path, "init")

    assert result.exit_code == 0
    assert [line.partition(":")[0] for line in result.stdout.splitlines()[:3]] == [
        "There is a configuration, left as it was",
        "The database is in order",
        "The service key is there",
    ]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".db"} == before


def test_init_with_force_keeps_the_old_configuration_and_the_key(tmp_path: Path) -> None:
    adjudicator(tmp_path, "init")
    config, key = tmp_path / "adjudicator.toml", (tmp_path / "service.key").read_bytes()
    config.write_text(config.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")

    result = adjudicator(tmp_path, "init", "--force")

    assert result.exit_code == 0
    assert (tmp_path / "adjudicator.toml.old").read_text(encoding="utf-8").endswith("# mine\n")
    assert mode(tmp_path / "adjudicator.toml.old") == 0o600
    assert config.read_text(encoding="utf-8") == config_template("en")
    assert (tmp_path / "service.key").read_bytes() == key


def test_init_makes_no_new_key_for_old_games(tmp_path: Path) -> None:
    adjudicator(tmp_path, "init")
    engine = open_engine(f"sqlite:///{tmp_path / 'adjudicator.db'}")
    with Session(engine) as session:
        session.add(Secret(name="service", value=b"sealed with the old key"))
        session.commit()
    engine.dispose()
    (tmp_path / "service.key").unlink()

    result = adjudicator(tmp_path, "init")

    assert result.exit_code == 1
    assert result.stderr == (
        f"✗ The database holds games, but the key {tmp_path / 'service.key'} is not there. "
        "Put the old key back: a new one cannot open them.\n"
    )
    assert not (tmp_path / "service.key").exists()


def test_init_leaves_tables_of_somebody_else_alone(tmp_path: Path) -> None:
    write_config(tmp_path, database=f'url = "sqlite:///{tmp_path / "recipes.db"}"')
    engine = open_engine(f"sqlite:///{tmp_path / 'recipes.db'}")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE recipes (id INTEGER PRIMARY KEY)")
    engine.dispose()

    result = adjudicator(tmp_path, "init")

    assert result.exit_code == 1
    assert "holds somebody else's tables" in result.stderr


def test_init_migrates_postgresql(tmp_path: Path, database_url: str) -> None:
    write_config(tmp_path, database=f'url = "{database_url}"')

    assert adjudicator(tmp_path, "init").exit_code == 0

    engine = open_engine(database_url)
    assert schema.state(engine) == "current"
    engine.dispose()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_written_configuration_shows_every_setting_with_its_default(language: Language) -> None:
    text = config_template(language)
    shown = set(re.findall(r"^(?:# )?([a-z_]+) = ", text, re.MULTILINE))
    settings = {field.encode_name for section in sections() for field in msgspec.structs.fields(section)}

    assert shown == settings
    for section in sections():
        for field in msgspec.structs.fields(section):
            if field.default is not msgspec.NODEFAULT:
                commented = re.findall(rf"^# {field.encode_name} = (.+)$", text, re.MULTILINE)
                assert set(commented) <= {written(field.default)} | {written(one) for one in others(field.encode_name)}


def sections() -> list[type[msgspec.Struct]]:
    found = []
    for field in msgspec.structs.fields(Config):
        kinds = [kind for kind in (field.type, *getattr(field.type, "__args__", ())) if isinstance(kind, type)]
        found += [kind for kind in kinds if issubclass(kind, msgspec.Struct)]
    return found


def others(name: str) -> list[object]:
    """Return the defaults that a setting of this name has in other sections."""
    fields = [field for section in sections() for field in msgspec.structs.fields(section)]
    return [field.default for field in fields if field.encode_name == name]


def written(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(written(one) for one in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
