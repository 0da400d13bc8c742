"""The service: mailboxes in, turns resolved, letters out; everything that happens stands in the database first."""
