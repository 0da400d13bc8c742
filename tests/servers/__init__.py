"""Real servers for the tests: Dovecot, PostgreSQL, a scripted SMTP server and Chromium, on loopback and thrown away."""
