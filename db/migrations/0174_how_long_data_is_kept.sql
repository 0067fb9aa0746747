-- How long each kind of data is kept where a university says otherwise than the program, and what was erased.
create table retention_lengths (
  id integer generated always as identity primary key,
  kind text not null constraint retention_lengths_kind unique,
  -- null: for ever
  days integer constraint retention_lengths_days check (days > 0),
  set_by integer references users,
  set_at timestamptz not null default now()
);
create index retention_lengths_set_by on retention_lengths (set_by);
select audit_table('retention_lengths');

create table retention_runs (
  id integer generated always as identity primary key,
  kind text not null,
  erased bigint not null,
  days integer not null,
  at timestamptz not null default now()
);
create index retention_runs_kind on retention_runs (kind, at desc);
select audit_table('retention_runs');

-- People of whom nothing is erased while it lasts: an enquiry, a lawsuit.
create table legal_holds (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  reason text not null,
  since timestamptz not null default now(),
  set_by integer references users,
  ended_at timestamptz,
  ended_by integer references users
);
create unique index legal_holds_one on legal_holds (user_id) where ended_at is null;
create index legal_holds_user on legal_holds (user_id);
create index legal_holds_set_by on legal_holds (set_by);
create index legal_holds_ended_by on legal_holds (ended_by);
select audit_table('legal_holds');

create function is_held(person integer) returns boolean language sql stable as $$
  select exists (select from legal_holds where user_id = person and ended_at is null)
$$;

create function security_log_months() returns integer language sql stable as $$
  select coalesce((select ceil(days / 30.5)::integer from retention_lengths where kind = 'security_log'), 24)
$$;

-- Months of the security log that are over after so many days, none in which somebody stands of whom nothing is erased.
create function security_log_over(days integer) returns table (month text, first timestamptz, rows bigint)
language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  name text;
  held boolean;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'security_log'::regclass and c.relname ~ '^security_log_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM')
        < date_trunc('month', now()) - make_interval(months => greatest(ceil(days / 30.5)::integer, 12))
    order by 1
  loop
    execute format('select exists (select from %I l join legal_holds h on h.ended_at is null
      and h.user_id in (l.actor_id, l.subject_id, l.impersonator_id))', name) into held;
    continue when held;
    month := name;
    first := to_date(right(name, 7), 'YYYY_MM');
    execute format('select count(*) from %I', name) into rows;
    return next;
  end loop;
end $$;

create or replace function ensure_security_log_months(ahead integer, kept integer) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  first date;
  name text;
  found_rows boolean;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_security_log_months'));
  for step in 0 .. least(ahead, 24) loop
    first := (date_trunc('month', now()) + make_interval(months => step))::date;
    name := 'security_log_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    select exists (select from security_log_rest where at >= first and at < first + interval '1 month') into found_rows;
    continue when found_rows;
    execute format('create table %I (like security_log including defaults including constraints)', name);
    execute format('create trigger append_only_truncate before truncate on %I
      for each statement execute function refuse_security_log_change()', name);
    execute format('alter table security_log attach partition %I for values from (%L) to (%L)',
      name, first::timestamptz, (first + interval '1 month')::timestamptz);
  end loop;
  for name in select month from security_log_over(greatest(kept, 12) * 305 / 10) loop
    execute format('drop table %I', name);
  end loop;
end $$;
