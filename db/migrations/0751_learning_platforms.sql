-- What of an offering stands on the learning platform, and how its last synchronisation ended.
create table offering_platforms (
  offering_id integer primary key references offerings on delete cascade,
  -- The course there; empty: it was never made.
  course text,
  address text,
  -- Whoever synchronises has it; a run that died gives it up after a while.
  begun_at timestamptz,
  finished_at timestamptz,
  state text check (state in ('synced', 'partly', 'failed')),
  result jsonb,
  check ((state is null) = (finished_at is null))
);

insert into role_permissions (role_id, permission, reach)
select p.role_id, 'sync_lms', p.reach from role_permissions p join roles r on r.id = p.role_id and r.key is not null
where p.permission = 'link_offerings'
on conflict do nothing;
