#!/bin/sh
# The part of the official image that the tests use: POSTGRES_PASSWORD, POSTGRES_INITDB_ARGS, server options as arguments.
set -eu
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
data=/var/lib/postgresql/data
as_postgres='setpriv --reuid postgres --regid postgres --init-groups'

if [ ! -f "$data/PG_VERSION" ]; then
  mkdir -p "$data" /run/postgresql
  chown postgres:postgres "$data" /run/postgresql
  password=$(mktemp)
  printf '%s\n' "$POSTGRES_PASSWORD" > "$password"
  chown postgres "$password"
  # shellcheck disable=SC2086
  $as_postgres initdb -D "$data" -U postgres --pwfile="$password" --auth-local=trust --auth-host=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
  rm "$password"
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
exec $as_postgres postgres -D "$data" -c listen_addresses='*' "$@"
