#!/bin/sh
# The part of the official image that the tests use: MARIADB_ROOT_PASSWORD (without a quote in it), server options as arguments.
set -eu
data=/var/lib/mysql
init=/run/mysqld/init.sql

mkdir -p "$data" /run/mysqld
chown mysql:mysql "$data" /run/mysqld
[ -d "$data/mysql" ] ||
  mariadb-install-db --no-defaults --user=mysql --datadir="$data" --auth-root-authentication-method=normal --skip-test-db
# Run at every start, so each statement is one that may be repeated; MariaDB takes one statement a line.
cat > "$init" <<SQL
ALTER USER 'root'@'localhost' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
CREATE USER IF NOT EXISTS 'root'@'%' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
SQL
exec mariadbd --no-defaults --user=mysql --datadir="$data" --bind-address=0.0.0.0 --skip-name-resolve \
  --socket=/run/mysqld/mysqld.sock --init-file="$init" "$@"
