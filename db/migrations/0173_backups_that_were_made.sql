-- What `npm run backup` finished, for the screen that shows the state of the installation. Not the backup itself.
create table backups (
  id integer generated always as identity primary key,
  at timestamptz not null default now(),
  bytes bigint not null
);
create index backups_at on backups (at desc);
