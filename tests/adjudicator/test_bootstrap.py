"""The house as its configuration says: sources by name, who is trusted, and a database that fits or is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator import bootstrap
from adjudicator.check import config_template
from adjudicator.config import Config, ImapSection, MaildirSection, ServiceSection, SmtpSection, load
from adjudicator.errors import ConfigError
from adjudicator.services.ingest import Moves, mailboxes
from adjudicator.storage import migrate
from adjudicator.storage.vault import create_key
from mail.providers import pin, providers


def config(folder: Path, **changes: object) -> Config:
    sections = {
        "service": ServiceSection(address="judge@example.org"),
        "smtp": SmtpSection(host="localhost", security="none"),
        "imap": (
            ImapSection(
                host="imap.example.org",
                user="judge",
                junk="Spam",
                authserv="mx.example.org",
                processed="Done",
                quarantine="Broken",
            ),
            ImapSection(host="imap.example.net", user="judge", provider="yandex"),
        ),
        "maildir": (
            MaildirSection(path="mail", trusted=True),
            MaildirSection(
                path="mail/strangers", provider="opendmarc", authserv="mail.club.example", sealers=("lists.example",)
            ),
        ),
        **changes,
    }
    return Config(folder=str(folder), **sections)  # type: ignore[arg-type]


def test_sources_bear_names_without_secrets(tmp_path: Path) -> None:
    assert mailboxes(bootstrap.sources(config(tmp_path))) == (
        "imap:judge@imap.example.org/INBOX",
        "imap:judge@imap.example.org/Spam",
        "imap:judge@imap.example.net/INBOX",
        f"maildir:{tmp_path}/mail/INBOX",
        f"maildir:{tmp_path}/mail/strangers/INBOX",
    )


def test_mailboxes_are_named_without_their_passwords(tmp_path: Path) -> None:
    secretive = config(tmp_path, imap=(ImapSection(host="localhost", user="judge", password_file="nowhere"),))

    assert bootstrap.mailboxes(config(tmp_path)) == mailboxes(bootstrap.sources(config(tmp_path)))
    assert bootstrap.mailboxes(secretive)[0] == "imap:judge@localhost/INBOX"


def test_each_mailbox_has_its_own_provider(tmp_path: Path) -> None:
    door = bootstrap.doorway(config(tmp_path))

    names = mailboxes(bootstrap.sources(config(tmp_path)))
    own, club = pin("mx.example.org"), pin("mail.club.example", "opendmarc", ("lists.example",))
    assert [door.authserv(name) for name in names] == [own, own, pin(provider="yandex"), None, club]


def test_a_maildir_inside_a_trusted_one_is_not_trusted_itself(tmp_path: Path) -> None:
    door = bootstrap.doorway(config(tmp_path))

    names = mailboxes(bootstrap.sources(config(tmp_path)))
    assert [door.trusted(name) for name in names] == [False, False, False, True, False]
    assert not door.trusted(f"maildir:{tmp_path}/mailbox/INBOX")


def test_the_desk_knows_where_read_mail_goes(tmp_path: Path) -> None:
    create_key(tmp_path / "service.key")
    here = config(tmp_path)
    migrate.upgrade(bootstrap.engine_of(here))

    with bootstrap.opened(here) as house:
        assert bootstrap.desk(house).moves["imap:judge@imap.example.org"] == Moves("Done", "Broken")


@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("DROP TABLE alembic_version", "database-foreign"),
        ("UPDATE alembic_version SET version_num = '9999'", "database-newer"),
    ],
)
def test_a_database_that_does_not_fit_is_refused(tmp_path: Path, statement: str, key: str) -> None:
    create_key(tmp_path / "service.key")
    here = config(tmp_path)
    engine = bootstrap.engine_of(here)
    migrate.upgrade(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()

    with pytest.raises(ConfigError) as refused:
        bootstrap.build(here)

    assert (refused.value.key, refused.value.facts) == (key, {"where": f"sqlite:///{tmp_path}/adjudicator.db"})


def test_an_empty_database_is_refused(tmp_path: Path) -> None:
    create_key(tmp_path / "service.key")

    with pytest.raises(ConfigError, match="database-empty"):
        bootstrap.build(config(tmp_path))


def test_a_database_address_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "adjudicator.toml").write_text(
        '[service]\naddress = "a@b"\n[smtp]\nhost = "h"\n[[maildir]]\npath = "m"\n[database]\nurl = "games"\n', "utf-8"
    )
    create_key(tmp_path / "service.key")

    with pytest.raises(ConfigError, match="database-url"):
        bootstrap.build(load(tmp_path / "adjudicator.toml"))


def test_the_password_of_the_database_is_never_shown(tmp_path: Path) -> None:
    (tmp_path / "adjudicator.toml").write_text(
        '[service]\naddress = "a@b"\n[smtp]\nhost = "h"\n[[maildir]]\npath = "m"\n'
        '[database]\nurl = "postgresql+psycopg://judge:secret-word@127.0.0.1:9/games"\n',
        "utf-8",
    )
    create_key(tmp_path / "service.key")

    with pytest.raises(ConfigError) as refused:
        bootstrap.build(load(tmp_path / "adjudicator.toml"))

    assert refused.value.key == "database-unreachable"
    assert "secret-word" not in str(refused.value)


def test_configuration_that_init_writes_names_every_provider_that_proves_somebody() -> None:
    named = {name for name, profile in providers().items() if profile.ids or profile.own}

    for language in ("ru", "en"):
        text = config_template(language)
        assert [name for name in sorted(named) if f'"{name}"' not in text] == []
