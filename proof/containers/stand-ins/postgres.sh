#!/bin/sh
# What the official image does with its variables and with /docker-entrypoint-initdb.d.
set -e
if [ "${1#-}" != "$1" ]; then set -- postgres "$@"; fi
if [ "$1" = postgres ] && [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown postgres "$PGDATA"
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -n "$POSTGRES_PASSWORD" ] || { echo 'POSTGRES_PASSWORD is not set.' >&2; exit 1; }
  user=${POSTGRES_USER:-postgres}
  printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password
  # shellcheck disable=SC2086 # Several arguments, as there.
  initdb --username="$user" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  pg_ctl -w -o "-c listen_addresses=''" start
  database=${POSTGRES_DB:-$user}
  [ "$database" = postgres ] || psql -v ON_ERROR_STOP=1 -U "$user" -d postgres -c "create database \"$database\""
  for file in /docker-entrypoint-initdb.d/*; do
    # shellcheck disable=SC1090 # Whatever is mounted there.
    case $file in
      *.sql) psql -v ON_ERROR_STOP=1 -U "$user" -d "$database" -f "$file" ;;
      *.sh) . "$file" ;;
    esac
  done
  pg_ctl -w -m fast stop
fi
exec "$@"
