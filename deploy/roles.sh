#!/bin/sh
# Run once by the image of PostgreSQL, when its data is made: the owner of the university's database, who migrates it, and
# the role of the program, which only reads and writes rows.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v program="$PROGRAM_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role ems_owner login password :'owner';
create role ems_program login password :'program';
create database ems owner ems_owner template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8' locale_provider icu icu_locale 'und';
revoke all on database ems from public;
grant connect, temporary on database ems to ems_program;
SQL
