"""``check`` against real servers: what is right, and each thing that is wrong in one sentence that says what to do."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator import check
from adjudicator.clock import MovedClock, SystemClock
from adjudicator.storage import migrate, store
from adjudicator.storage.store import open_engine
from adjudicator.storage.vault import Vault, create_key
from engine.core.registry import rulesets
from tests.adjudicator.cli.commands import adjudicator, write_config
from tests.servers.dovecot import Account, Dovecot
from tests.servers.postgres import Postgres
from tests.servers.smtp_sink import Fault, SmtpSink, Stage

PLAIN_MAIL = b"From: anna@example.org\r\nTo: judge@example.org\r\nSubject: hello\r\n\r\nhello\r\n"


def imap(dovecot: Dovecot, mailbox: Account, **changes: object) -> str:
    settings: dict[str, object] = {
        "host": dovecot.tls_host,
        "port": dovecot.imaps_port,
        "user": mailbox.user,
        "password": mailbox.password,
        "ca_file": str(dovecot.ca_file),
        **changes,
    }
    return toml(settings)


def smtp(sink: SmtpSink, **changes: object) -> str:
    return toml({"host": sink.host, "port": sink.port, "security": "none", **changes})


def toml(settings: dict[str, object]) -> str:
    return "\n".join(
        f"{name} = {value}" if isinstance(value, int) else f'{name} = "{value}"' for name, value in settings.items()
    )


def lines(folder: Path, mark: str) -> list[str]:
    result = adjudicator(folder, "check")
    assert result.exit_code == (1 if any(line.startswith("✗") for line in result.stdout.splitlines()) else 0)
    return [line for line in result.stdout.splitlines() if line.startswith(mark)]


def set_up(folder: Path, **sections: str) -> None:
    """Lay a house out that lacks nothing but what the sections say."""
    write_config(folder, **sections)
    create_key(folder / "service.key")
    engine = open_engine(f"sqlite:///{folder / 'adjudicator.db'}")
    migrate.upgrade(engine)
    engine.dispose()


@pytest.fixture(autouse=True)
def _patient_but_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "SECONDS", 1.5)


@contextmanager
def answering(first: bytes) -> Iterator[int]:
    """Give the port of a server that says one thing and then nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)
        port = server.getsockname()[1]
        if not first:
            yield port  # the kernel takes the connection, and nobody ever speaks
            return

        def speak() -> None:
            connection, _ = server.accept()
            connection.sendall(first)
            connection.settimeout(5)
            connection.recv(1000)
            connection.close()

        thread = threading.Thread(target=speak)
        thread.start()
        yield port
        thread.join()


# All is well ----------------------------------------------------------------------------------------------------------


def test_check_finds_a_sound_house_sound(
    tmp_path: Path, dovecot: Dovecot, mailbox: Account, new_smtp_sink: Callable[..., SmtpSink]
) -> None:
    sink = new_smtp_sink(tls="implicit", login=("judge", "secret"))
    submission = toml(
        {
            "host": sink.tls_host,
            "port": sink.port,
            "user": "judge",
            "password": "secret",
            "ca_file": str(sink.ca_file),
        }
    )
    set_up(tmp_path, imap=imap(dovecot, mailbox, junk="Junk", processed="Processed"), smtp=submission)

    result = adjudicator(tmp_path, "check")

    assert result.stdout.splitlines() == [
        "✓ Configuration: read.",
        f"✓ Words of letters: found for {', '.join(rulesets())}.",
        "✓ Service key: there.",
        "✓ Database: there, with the tables of this version.",
        f"✓ Mailbox {mailbox.user} at localhost: logged in, folders there: INBOX, Junk.",
        f"✓ Sending by localhost:{sink.port}: logged in, letters from judge@example.org are taken.",
        "All is well. Next: adjudicator serve, and adjudicator game create pirates.",
    ]
    assert (result.exit_code, sink.received) == (0, [])


def test_check_says_the_same_in_russian(tmp_path: Path, smtp_sink: SmtpSink) -> None:
    maildir = tmp_path / "Maildir"
    for part in ("cur", "new", "tmp"):
        (maildir / part).mkdir(parents=True)
    set_up(tmp_path, imap="", maildir=f'path = "{maildir}"', smtp=smtp(smtp_sink))

    result = adjudicator(tmp_path, "check", language="ru")

    assert result.stdout.splitlines()[4:6] == [
        f"✓ Maildir {maildir}: на месте: {maildir}.",
        f"✓ Отправка через 127.0.0.1:{smtp_sink.port}: вход удался, письма от judge@example.org принимаются.",
    ]


# Settings, key, database ----------------------------------------------------------------------------------------------


SERVICE = '[service]\naddress = "a@b"\n'
SMTP = '[smtp]\nhost = "h"\n'
MAILDIR = '[[maildir]]\npath = "m"\n'
IMAP = '[[imap]]\nhost = "h"\nuser = "u"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[service]\naddress = "a@b\n', "has a mistake in line 2. Look at quotes, brackets and the = sign."),
        ("[service", "breaks off. Look at its last lines: quotes and brackets."),
        (SERVICE, "lacks smtp. Add it."),
        (SERVICE + SMTP, "has no mailbox. Add a section [[imap]] or [[maildir]]."),
        (SERVICE + "[smtp]\nport = 25\n" + MAILDIR, "lacks smtp.host. Add it."),
        (
            SERVICE + SMTP + MAILDIR + "thrusted = true\n",
            "has maildir[0].thrusted, which does not exist; did you mean trusted?",
        ),
        (SERVICE + "zzz = 1\n" + SMTP, "has service.zzz, which does not exist. Remove it"),
        (
            SERVICE + SMTP + 'port = "465"\n',
            "the value of smtp.port does not fit (Expected `int`, got `str`). Correct it.",
        ),
        ('[service]\naddress = "judge"\n' + SMTP + MAILDIR, "service.address: “judge” is no address."),
        (
            SERVICE + SMTP + MAILDIR + 'provider = "gmail"\n',
            "maildir[0]: there is no provider “gmail” in our list. There are google, mailru, yandex, outlook, icloud,",
        ),
        (
            SERVICE + SMTP + IMAP + 'provider = "rspamd"\n',
            "imap[0]: “rspamd” is a server of one's own: name it, as it stands in the header, in authserv.",
        ),
        (
            SERVICE + SMTP + IMAP + 'provider = "google"\nauthserv = "mx.evil.example"\n',
            "imap[0]: “mx.evil.example” is no name that this provider signs with. Leave authserv out.",
        ),
        (SERVICE + SMTP + IMAP + 'authserv = "*.ru"\n', "imap[0]: “*.ru” would fit anybody's server."),
        (SERVICE + 'zone = "Mars"\n' + SMTP + MAILDIR, "service.zone: there is no time zone “Mars”."),
    ],
)
def test_check_names_the_setting_that_is_wrong(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "adjudicator.toml").write_text(text, encoding="utf-8")

    [wrong] = lines(tmp_path, "✗")

    assert sentence in wrong


def test_check_says_that_there_is_no_configuration(tmp_path: Path) -> None:
    [wrong] = lines(tmp_path, "✗")

    assert wrong == (
        f"✗ Configuration: There is no configuration {tmp_path / 'adjudicator.toml'}. Make one with: adjudicator init; "
        "--config names another file."
    )


def found(folder: Path, subject: str) -> str:
    """Return what is said to be wrong with a subject, of all that is said."""
    [line] = [line for line in lines(folder, "✗") if line.startswith(f"✗ {subject}")]
    return line.partition(": ")[2]


def test_check_misses_the_key(tmp_path: Path) -> None:
    set_up(tmp_path)
    (tmp_path / "service.key").unlink()

    assert found(tmp_path, "Service key").startswith(f"The service key {tmp_path / 'service.key'} is not there.")


def test_check_knows_a_damaged_key(tmp_path: Path) -> None:
    set_up(tmp_path)
    (tmp_path / "service.key").write_text("not a key\n", encoding="ascii")

    assert found(tmp_path, "Service key").startswith(f"{tmp_path / 'service.key'} is no service key")


def test_check_warns_of_a_key_that_others_can_read(tmp_path: Path) -> None:
    set_up(tmp_path)
    (tmp_path / "service.key").chmod(0o644)

    key = tmp_path / "service.key"
    assert found(tmp_path, "Service key") == f"others can read {key}. Close it: chmod 600 {key}"


def test_check_knows_a_key_of_another_house(tmp_path: Path) -> None:
    set_up(tmp_path)
    engine = open_engine(f"sqlite:///{tmp_path / 'adjudicator.db'}")
    with engine.begin() as connection:
        sealed = Vault(bytes(32)).seal(b"a seed")
        connection.exec_driver_sql("INSERT INTO secret (name, value) VALUES ('seed', ?)", (sealed,))
    engine.dispose()

    assert found(tmp_path, "Database").startswith(f"{tmp_path / 'service.key'} does not fit this database.")


def test_check_does_not_make_the_database_it_looks_for(tmp_path: Path) -> None:
    write_config(tmp_path)

    assert "is still empty. Make its tables with: adjudicator init." in found(tmp_path, "Database")
    assert not (tmp_path / "adjudicator.db").exists()


def test_check_knows_a_database_of_a_later_program(tmp_path: Path) -> None:
    set_up(tmp_path)
    engine = open_engine(f"sqlite:///{tmp_path / 'adjudicator.db'}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()

    assert "is of a later version of the program" in found(tmp_path, "Database")


def test_check_says_that_the_database_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(tmp_path)
    engine = open_engine(f"sqlite:///{tmp_path / 'adjudicator.db'}")
    write_config(tmp_path, database='url = "sqlite:///adjudicator.db"')
    monkeypatch.setattr(store, "_sqlite_settings", _impatient)
    with engine.begin():  # holds the writer's lock
        assert found(tmp_path, "Database").endswith(
            "is held by another program (database is locked). Close that and try again."
        )
    engine.dispose()


def _impatient(connection: object, _record: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]
    connection.execute("PRAGMA busy_timeout=100")  # type: ignore[attr-defined]


def test_check_says_that_postgresql_does_not_answer(tmp_path: Path) -> None:
    set_up(tmp_path, database='url = "postgresql+psycopg://judge:secret-word@127.0.0.1:9/games"')

    sentence = found(tmp_path, "Database")

    assert sentence.startswith("The database postgresql+psycopg://judge:***@127.0.0.1:9/games does not answer")
    assert "secret-word" not in sentence


def test_check_compares_its_clock_with_the_database(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.new_database()
    set_up(tmp_path, database=f'url = "{url}"')
    engine = open_engine(url)
    migrate.upgrade(engine)
    engine.dispose()
    slow = MovedClock(datetime.now(UTC) - timedelta(minutes=7))

    told = [list(check.findings(tmp_path / "adjudicator.toml", clock)) for clock in (SystemClock(), slow)]

    clocks = [[(one.key, one.facts.get("minutes")) for one in every if one.subject == "clock"] for every in told]
    assert clocks == [[("clock-right", None)], [("clock-skew", 7)]]
    postgres.drop(url)


# Mailboxes ------------------------------------------------------------------------------------------------------------


def test_check_says_what_a_refused_password_may_mean(tmp_path: Path, dovecot: Dovecot, mailbox: Account) -> None:
    set_up(tmp_path, imap=imap(dovecot, mailbox, password="wrong"))

    sentence = found(tmp_path, "Mailbox")

    assert sentence.startswith("the server refused the password (")
    assert sentence.endswith("It wants an app password, and IMAP switched on in the mailbox's settings.")


def test_check_says_that_imap_may_be_switched_off(tmp_path: Path) -> None:
    greeting = b"* OK [CAPABILITY IMAP4rev1] ready\r\n"
    refusal = b"LOGIN invalid credentials or IMAP is disabled"
    with scripted_imap(greeting, refusal) as port:
        set_up(tmp_path, imap=f'host = "127.0.0.1"\nport = {port}\nuser = "judge"\npassword = "x"\nsecurity = "none"')

        sentence = found(tmp_path, "Mailbox")

    assert sentence.startswith("the server lets nobody in (")
    assert "IMAP is off in the mailbox's settings" in sentence


@contextmanager
def scripted_imap(greeting: bytes, refusal: bytes) -> Iterator[int]:
    """Give the port of an IMAP server that refuses every login with these words."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)

        def speak() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as heard:
                connection.sendall(greeting)
                for line in heard:
                    tag, command, *_ = line.split()
                    if command.upper() == b"LOGIN":
                        connection.sendall(tag + b" NO [AUTHENTICATIONFAILED] " + refusal + b"\r\n")
                    else:
                        connection.sendall(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")

        thread = threading.Thread(target=speak)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"host": "imap.invalid"}, "nobody knows the name imap.invalid. Look at its spelling"),
        ({"ca_file": ""}, "the server's certificate cannot be trusted ("),
        ({"ca_file": "nowhere.crt"}, "ca_file cannot be read ("),
        ({"junk": "Spam"}, "there is no folder “Spam”; there is: INBOX"),
        ({"port": 9}, "localhost:9 does not answer ("),
        ({"host": "192.0.2.1", "security": "none"}, "the password would travel unencrypted."),
        ({"password_file": "nowhere.txt"}, "The password file nowhere.txt cannot be read ("),
    ],
)
def test_check_says_why_the_mailbox_cannot_be_read(
    tmp_path: Path, dovecot: Dovecot, mailbox: Account, changes: dict[str, object], sentence: str
) -> None:
    set_up(tmp_path, imap=imap(dovecot, mailbox, **changes))

    assert found(tmp_path, "Mailbox").startswith(sentence)


def test_check_knows_a_plain_port_that_is_asked_for_tls(tmp_path: Path, dovecot: Dovecot, mailbox: Account) -> None:
    set_up(tmp_path, imap=imap(dovecot, mailbox, port=dovecot.imap_port))

    assert found(tmp_path, "Mailbox").startswith("encryption failed (")


def test_check_knows_a_tls_port_that_is_asked_plainly(tmp_path: Path, dovecot: Dovecot, mailbox: Account) -> None:
    set_up(tmp_path, imap=imap(dovecot, mailbox, security="starttls"))

    sentence = found(tmp_path, "Mailbox")

    assert sentence == (
        f"localhost:{dovecot.imaps_port} is silent. Look at port and security: "
        '"tls" is 993, "starttls" is 143; is the port blocked?'
    )


def test_check_knows_a_server_that_is_no_mailbox(tmp_path: Path) -> None:
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as port:
        set_up(tmp_path, imap=f'host = "127.0.0.1"\nport = {port}\nuser = "judge"\nsecurity = "none"')

        sentence = found(tmp_path, "Mailbox")

    assert sentence.startswith("what answers is no mailbox (unexpected response: b'HTTP/1.1")


def test_check_sees_by_the_newest_mail_that_the_clock_is_slow(
    tmp_path: Path, dovecot: Dovecot, mailbox: Account
) -> None:
    dovecot.deliver(mailbox, PLAIN_MAIL, datetime.now(UTC) + timedelta(minutes=30))
    set_up(tmp_path, imap=imap(dovecot, mailbox))

    assert found(tmp_path, "Clock").startswith("at least ")


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        ((), "there is no folder "),
        (("new",), "Maildir has no folder cur: it is no Maildir."),
        (("cur",), "has no folder new"),
    ],
)
def test_check_looks_into_a_maildir(tmp_path: Path, made: tuple[str, ...], sentence: str) -> None:
    for part in made:
        (tmp_path / "Maildir" / part).mkdir(parents=True)
    set_up(tmp_path, imap="", maildir='path = "Maildir"')

    assert sentence in found(tmp_path, "Maildir")


# Submission -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"host": "smtp.invalid", "security": "tls"}, "nobody knows the name smtp.invalid."),
        ({"port": 9}, "127.0.0.1:9 does not answer ("),
        ({"host": "192.0.2.1"}, "letters would travel unencrypted."),
        ({"security": "tls"}, "encryption failed ("),
        ({"security": "starttls"}, "the server offers no STARTTLS."),
        ({"user": "judge", "password": "x"}, "the server refused name and password (535 "),
        ({"password_file": "nowhere.txt"}, "The password file nowhere.txt cannot be read ("),
        ({"security": "tls", "ca_file": "nowhere.crt"}, "ca_file cannot be read ("),
    ],
)
def test_check_says_why_letters_cannot_be_handed_over(
    tmp_path: Path, smtp_sink: SmtpSink, changes: dict[str, object], sentence: str
) -> None:
    set_up(tmp_path, smtp=smtp(smtp_sink, **changes))

    assert found(tmp_path, "Sending").startswith(sentence)


def test_check_says_that_smtp_refused_the_password(tmp_path: Path, new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(login=("judge", "secret"))
    set_up(tmp_path, smtp=smtp(sink, user="judge", password="wrong"))

    assert found(tmp_path, "Sending").startswith("the server refused name and password (535 ")


def test_check_says_that_smtp_takes_no_passwords(tmp_path: Path, smtp_sink: SmtpSink) -> None:
    smtp_sink.script(Fault(Stage.EHLO, reply="250 sink.test.invalid", times=None))
    set_up(tmp_path, smtp=smtp(smtp_sink, user="judge", password="secret"))

    assert found(tmp_path, "Sending").startswith("the server takes no password in this way (")


def test_check_says_that_smtp_wants_a_login(tmp_path: Path, new_smtp_sink: Callable[..., SmtpSink]) -> None:
    set_up(tmp_path, smtp=smtp(new_smtp_sink(login=("judge", "secret"))))

    assert found(tmp_path, "Sending").startswith("the server wants a login (530 ")


def test_check_says_that_the_certificate_is_unknown(tmp_path: Path, new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(tls="implicit")
    set_up(tmp_path, smtp=smtp(sink, host=sink.tls_host, security="tls"))

    assert found(tmp_path, "Sending").startswith("the server's certificate cannot be trusted (")


def test_check_says_that_the_sender_is_refused(tmp_path: Path, new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(login=("judge", "secret"))
    sink.script(Fault(Stage.MAIL, reply="553 5.7.1 Sender address rejected: not owned by auth user"))
    set_up(tmp_path, smtp=smtp(sink, user="judge", password="secret"))

    assert found(tmp_path, "Sending").startswith("the server takes no letters from this address (553 ")


def test_check_says_that_smtp_is_silent(tmp_path: Path) -> None:
    with answering(b"") as port:
        set_up(tmp_path, smtp=f'host = "127.0.0.1"\nport = {port}\nsecurity = "none"')

        assert found(tmp_path, "Sending").startswith(f"127.0.0.1:{port} is silent.")


def test_check_shows_no_password(tmp_path: Path, new_smtp_sink: Callable[..., SmtpSink]) -> None:
    sink = new_smtp_sink(login=("judge", "right"))
    set_up(
        tmp_path,
        imap='host = "127.0.0.1"\nport = 9\nuser = "judge"\npassword = "secret-word"\nsecurity = "none"',
        smtp=smtp(sink, user="judge", password="secret-word"),
    )

    result = adjudicator(tmp_path, "check")

    assert "secret-word" not in result.output


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_check_says_that_a_maildir_is_closed(tmp_path: Path) -> None:
    for part in ("new", "cur"):
        (tmp_path / "Maildir" / part).mkdir(parents=True)
    (tmp_path / "Maildir" / "new").chmod(0)
    set_up(tmp_path, imap="", maildir='path = "Maildir"')

    assert "cannot be read" in found(tmp_path, "Maildir")
