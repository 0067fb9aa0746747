-- One row that a server process writes now and then, to know that it can.
create table readiness (
  one boolean primary key default true constraint readiness_one check (one),
  at timestamptz not null default now()
) with (fillfactor = 10);
insert into readiness default values;
