#!/usr/bin/env bash
# backup.sh CONFIG FOLDER: writes one checked backup of the service's database into FOLDER and prints its name.
# The service may run meanwhile. Backups older than KEEP_DAYS (30, as play-by-mail 8 promises) are removed. The service key is
# not in the backup, on purpose: without it the backup shows no secret, and no secret can be read from it. Keep the key elsewhere.
set -euo pipefail
umask 077
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}

(($# == 2)) || { echo "usage: backup.sh CONFIG FOLDER" >&2; exit 2; }
config=$1 folder=$2
address=$("$python" "$here/database_url.py" "$config")
url=${address%%$'\n'*}
if [[ $address == *$'\n'* ]]; then export PGPASSWORD=${address#*$'\n'}; fi
mkdir -p "$folder"
stamp=$(date -u +%Y%m%dT%H%M%SZ)

case $url in
  sqlite:///*)
    backup=$folder/adjudicator-$stamp.db
    # VACUUM INTO reads one consistent moment, in WAL mode without holding up the service, and leaves a compact file.
    "$python" - "${url#sqlite:///}" "$backup.part" <<'PYTHON'
import sqlite3, sys
source, target = sys.argv[1:]
with sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=30) as live:
    live.execute("VACUUM INTO ?", (target,))
with sqlite3.connect(target) as copy:
    verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
if verdict != "ok":
    sys.exit(f"the copy is damaged: {verdict}")
PYTHON
    ;;
  postgresql://*)
    backup=$folder/adjudicator-$stamp.dump
    pg_dump --format=custom --no-owner --no-privileges --file="$backup.part" --dbname="$url"
    pg_restore --list "$backup.part" >/dev/null
    ;;
  *)
    echo "no way to back up ${url%%:*}" >&2
    exit 1
    ;;
esac

sync "$backup.part"
mv "$backup.part" "$backup"
find "$folder" -maxdepth 1 -type f -name 'adjudicator-*' -mtime "+${KEEP_DAYS:-30}" -delete
echo "$backup"
