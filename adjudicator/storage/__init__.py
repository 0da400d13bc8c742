"""What is kept: tables, the unit of work, queries and claims, migrations."""
