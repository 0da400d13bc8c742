"""Real servers for the tests, on loopback and thrown away afterwards.

Fixtures (tests/conftest.py): `dovecot` and `mailbox` (IMAP, LMTP), `database_url` (SQLite and PostgreSQL in turn) and
`postgres`, `smtp_sink` and `new_smtp_sink` (scripted SMTP), `chromium` (pictures). Each test process has its own.
"""
