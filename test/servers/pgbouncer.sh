#!/bin/sh
# PgBouncer in transaction mode in front of UPSTREAM_HOST:UPSTREAM_PORT, every database; superuser postgres with POSTGRES_PASSWORD.
set -eu
umask 077
mkdir -p /run/pgbouncer
printf '"postgres" "%s"\n' "$POSTGRES_PASSWORD" > /run/pgbouncer/users.txt
# auth_query lets in the roles that tests make. max_prepared_statements = 0 is the strictest pooler that users have: a named
# statement prepared on one server connection is unknown on the next. The rest is PgBouncer's default, so that what real
# poolers refuse (startup parameters, for one) is refused here.
cat > /run/pgbouncer/pgbouncer.ini <<INI
[databases]
* = host=$UPSTREAM_HOST port=$UPSTREAM_PORT
[pgbouncer]
listen_addr = 0.0.0.0
listen_port = 6432
auth_type = scram-sha-256
auth_file = /run/pgbouncer/users.txt
auth_user = postgres
auth_dbname = postgres
admin_users = postgres
pool_mode = transaction
max_prepared_statements = 0
max_client_conn = 500
INI
chown -R postgres:postgres /run/pgbouncer
exec setpriv --reuid postgres --regid postgres --init-groups pgbouncer /run/pgbouncer/pgbouncer.ini
