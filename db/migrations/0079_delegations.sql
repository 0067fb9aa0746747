-- Who stands in for whom while somebody is away: named rights, for some days, with a reason. What the person does not hold
-- on the day is not delegated either.
create table delegations (
  id integer generated always as identity primary key,
  from_user_id integer not null references users on delete cascade,
  to_user_id integer not null references users on delete cascade,
  permissions text[] not null constraint delegations_permissions check (cardinality(permissions) between 1 and 500),
  -- Days, both included.
  from_date date not null,
  until_date date not null,
  reason text not null,
  -- Taken back before its time.
  ended_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint delegations_people check (from_user_id <> to_user_id),
  constraint delegations_days check (until_date between from_date and from_date + 366)
);
create index delegations_from_user on delegations (from_user_id);
create index delegations_to_user on delegations (to_user_id);
select audit_table('delegations');

-- Somebody acts for another person: the session ends with the delegation.
alter table sessions add column delegation_id integer references delegations on delete cascade;
create index sessions_delegation_id on sessions (delegation_id) where delegation_id is not null;

-- Sessions that act by a delegation which was changed or taken back are asked for anew, in every process.
create function notify_delegation_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('rights_changed', old.from_user_id::text);
  return null;
end $$;
create trigger rights_changed after update or delete on delegations
  for each row execute function notify_delegation_changed();
