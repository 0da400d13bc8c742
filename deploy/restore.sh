#!/usr/bin/env bash
# restore.sh CONFIG BACKUP: puts a backup made by backup.sh in place of the database that CONFIG names.
# Stop the service first. SQLite: the present file is kept beside it, with the time in its name. PostgreSQL: the database must be
# empty (createdb a new one and name it in CONFIG): nothing is dropped here.
set -euo pipefail
umask 077
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}

(($# == 2)) || { echo "usage: restore.sh CONFIG BACKUP" >&2; exit 2; }
config=$1 backup=$2
[[ -r $backup ]] || { echo "cannot read the backup: $backup" >&2; exit 1; }
address=$("$python" "$here/database_url.py" "$config")
url=${address%%$'\n'*}
if [[ $address == *$'\n'* ]]; then export PGPASSWORD=${address#*$'\n'}; fi
stamp=$(date -u +%Y%m%dT%H%M%SZ)

case $url in
  sqlite:///*)
    database=${url#sqlite:///}
    "$python" - "$backup" "$database" <<'PYTHON'
import os, sqlite3, sys
from pathlib import Path
backup, database = sys.argv[1:]
with sqlite3.connect(f"file:{backup}?mode=ro&immutable=1", uri=True) as copy:
    verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
if verdict != "ok":
    sys.exit(f"the backup is damaged: {verdict}")
names = {os.path.realpath(database) + end for end in ("", "-wal", "-shm")}
for link in Path("/proc").glob("[0-9]*/fd/*"):
    try:
        target = os.readlink(link)
    except OSError:  # the process ended, or is another user's
        continue
    if target in names:
        sys.exit(f"process {link.parts[2]} has the database open: stop the service first")
PYTHON
    cp -- "$backup" "$database.restored-$stamp"
    for end in -wal -shm ''; do
      if [[ -e $database$end ]]; then mv -- "$database$end" "$database.before-$stamp$end"; fi
    done
    # The new file belongs to whom the old one belonged to, also when root restores it.
    if [[ -e $database.before-$stamp ]]; then chown --reference="$database.before-$stamp" "$database.restored-$stamp"; fi
    sync "$database.restored-$stamp"
    mv -- "$database.restored-$stamp" "$database"
    ;;
  postgresql://*)
    tables=$(psql --no-psqlrc --tuples-only --no-align --dbname="$url" \
      --command="select count(*) from pg_tables where schemaname = 'public'")
    if ((tables)); then
      echo "the database holds $tables tables: create an empty one and name it in $config" >&2
      exit 1
    fi
    pg_restore --exit-on-error --single-transaction --no-owner --no-privileges --dbname="$url" "$backup"
    ;;
  *)
    echo "no way to restore into ${url%%:*}" >&2
    exit 1
    ;;
esac
echo "restored; before the service starts, read «After a restore» in deploy/README.md"
