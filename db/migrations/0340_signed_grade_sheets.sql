-- The grade sheet of an offering is signed when control approves it: its rows get a hash, and the hash is chained to the one
-- before it. Whatever is lawfully changed afterwards is the next link. A cell that is changed in any other way is found.

-- One row for each signing, for the whole university: gapless, each with the hash of the one before.
create table grade_links (
  number bigint primary key,
  -- Plain numbers, as in every trail: what is told here stays, whatever becomes of the records.
  offering_id integer not null,
  -- approve: it is signed; undo: it is signed no more; else on which authority a signed sheet was changed.
  cause text not null,
  -- Null: the program.
  actor_id integer,
  impersonator_id integer,
  reason text,
  at timestamptz not null,
  -- The mark scheme as it was signed: [id, category, maximum] of each category.
  scheme text not null,
  -- Registrations on the sheet, and the hash over theirs; null: signed no more.
  students integer,
  sheet_hash text check (sheet_hash ~ '^[0-9a-f]{64}$'),
  -- Of the link before; null: the first.
  previous text check (previous ~ '^[0-9a-f]{64}$'),
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
  -- What only this university can compute of the hash; null: written before the program runs (a loaded university).
  seal text check (seal ~ '^[0-9a-f]{64}$'),
  constraint grade_link_first check ((number = 1) = (previous is null))
);
create index grade_links_offering on grade_links (offering_id, number);

-- Rows of the sheets: with each link those that are new or differ from what was signed before.
create table grade_link_rows (
  number bigint not null references grade_links,
  offering_id integer not null,
  registration_id integer not null,
  -- The row as it was signed, with numbers of records and no name; null: it is on the sheet no more.
  content text,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (offering_id, registration_id, number)
);
create index grade_link_rows_number on grade_link_rows (number);

create function refuse_link_change() returns trigger language plpgsql as $$
begin
  raise exception 'Signed grade sheets are append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on grade_links
  for each row execute function refuse_link_change();
create trigger append_only_truncate before truncate on grade_links
  for each statement execute function refuse_link_change();
create trigger append_only before update or delete on grade_link_rows
  for each row execute function refuse_link_change();
create trigger append_only_truncate before truncate on grade_link_rows
  for each statement execute function refuse_link_change();

-- The key of the seal is there before anybody asks for it within a unit of work.
insert into secrets (name, value)
values ('grade-links', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
on conflict do nothing;

-- Offerings whose signed sheet this transaction has changed: the program signs them again before it commits.
create function note_unsigned(ids text) returns void language plpgsql as $$
begin
  if ids is not null then
    perform set_config('ems.unsigned', concat_ws(',', nullif(current_setting('ems.unsigned', true), ''), ids), true);
  end if;
end $$;

-- As before; what is changed of a signed sheet is noted.
create or replace function changed_registrations() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  actor integer := who ->> 'actor_id';
  impersonator integer := who ->> 'impersonator_id';
  address inet := who ->> 'ip';
  why text := who ->> 'reason';
  request text := who ->> 'request_id';
  authority text := current_setting('ems.authority', true);
  -- What a trigger writes is derived from a change that has its own entry.
  audited boolean := pg_trigger_depth() = 1;
  refused text[];
  students integer[];
  of_terms integer[];
  laters boolean[];
  unsigned text;
begin
  with changed as materialized (
    select n.id, n.student_id, n.term_id, o.offering_id as before, n.offering_id as after,
      case when o.offering_id <> n.offering_id or o.student_id <> n.student_id or o.credit_hours <> n.credit_hours then 'enrolment'
        when (o.status | 112) <> (n.status | 112) then 'state' else 'result' end as kind,
      (o.status | n.status) & 17592186047488 <> 0 as was_left,
      (o.status | 112, o.offering_id, o.credit_hours, o.points, o.passed, o.counts_in_gpa, o.counts_in_attempted_hours, o.letter is null)
        is distinct from
        (n.status | 112, n.offering_id, n.credit_hours, n.points, n.passed, n.counts_in_gpa, n.counts_in_attempted_hours, n.letter is null)
        as counts,
      concat_ws(',',
        case when o.status <> n.status then '"status":' || o.status end,
        case when o.total is distinct from n.total then '"total":' || coalesce(o.total::text, 'null') end,
        case when o.maximum is distinct from n.maximum then '"maximum":' || coalesce(o.maximum::text, 'null') end,
        case when o.letter is distinct from n.letter then '"letter":' || coalesce(to_json(o.letter)::text, 'null') end,
        case when o.points is distinct from n.points then '"points":' || coalesce(o.points::text, 'null') end,
        case when o.passed is distinct from n.passed then '"passed":' || coalesce(o.passed::text, 'null') end,
        case when o.counts_in_gpa is distinct from n.counts_in_gpa then '"counts_in_gpa":' || coalesce(o.counts_in_gpa::text, 'null') end,
        case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours then '"counts_in_attempted_hours":' || coalesce(o.counts_in_attempted_hours::text, 'null') end,
        case when o.student_id <> n.student_id then '"student_id":' || o.student_id end,
        case when o.offering_id <> n.offering_id then '"offering_id":' || o.offering_id end,
        case when o.term_id <> n.term_id then '"term_id":' || o.term_id end,
        case when o.course_id <> n.course_id then '"course_id":' || o.course_id end,
        case when o.credit_hours <> n.credit_hours then '"credit_hours":' || o.credit_hours end) as old,
      concat_ws(',',
        case when o.status <> n.status then '"status":' || n.status end,
        case when o.total is distinct from n.total then '"total":' || coalesce(n.total::text, 'null') end,
        case when o.maximum is distinct from n.maximum then '"maximum":' || coalesce(n.maximum::text, 'null') end,
        case when o.letter is distinct from n.letter then '"letter":' || coalesce(to_json(n.letter)::text, 'null') end,
        case when o.points is distinct from n.points then '"points":' || coalesce(n.points::text, 'null') end,
        case when o.passed is distinct from n.passed then '"passed":' || coalesce(n.passed::text, 'null') end,
        case when o.counts_in_gpa is distinct from n.counts_in_gpa then '"counts_in_gpa":' || coalesce(n.counts_in_gpa::text, 'null') end,
        case when o.counts_in_attempted_hours is distinct from n.counts_in_attempted_hours then '"counts_in_attempted_hours":' || coalesce(n.counts_in_attempted_hours::text, 'null') end,
        case when o.student_id <> n.student_id then '"student_id":' || n.student_id end,
        case when o.offering_id <> n.offering_id then '"offering_id":' || n.offering_id end,
        case when o.term_id <> n.term_id then '"term_id":' || n.term_id end,
        case when o.course_id <> n.course_id then '"course_id":' || n.course_id end,
        case when o.credit_hours <> n.credit_hours then '"credit_hours":' || n.credit_hours end) as new
    from old_rows o full join new_rows n on n.id = o.id
  ), kept as (
    insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
    select 'update', 'registrations', c.id, actor, impersonator, address, why, request,
      ('{' || c.old || '}')::jsonb, ('{' || c.new || '}')::jsonb
    from changed c where audited and c.new <> ''
  ), held as materialized (
    -- A step of control and a change meet at the row of the offering: whoever comes second sees what the first has done.
    select o.id, o.control_status, x.kind
    from offerings o join (
      select before as id, kind from changed union select after, 'enrolment' from changed where before <> after) x on x.id = o.id
    order by o.id for key share of o
  )
  select (select array[h.id::text, h.control_status, h.kind] from held h
      where not control_allows(h.control_status, h.kind, authority) order by h.id limit 1),
    (select string_agg(distinct h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen')),
    array_agg(j.student_id), array_agg(j.term_id), array_agg(j.later)
  into refused, unsigned, students, of_terms, laters
  from (
    select c.student_id, c.term_id, f.control_status in ('Approved', 'Published', 'Frozen') or c.was_left as later
    from changed c full join (select distinct id, control_status from held) f on f.id = c.after
    where coalesce(c.counts, false)) j
  -- What is settled concerns this and every later term, what is not the row of its own term alone.
  where j.later or exists (select from student_terms t where t.student_id = j.student_id and t.term_id = j.term_id);
  if refused is not null then
    perform refuse_by_control(refused[1]::integer, refused[2], refused[3]);
  end if;
  perform note_unsigned(unsigned);
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;

-- As before; what is changed of a signed sheet is noted.
create or replace function changed_marks() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  actor integer := who ->> 'actor_id';
  impersonator integer := who ->> 'impersonator_id';
  address inet := who ->> 'ip';
  why text := who ->> 'reason';
  request text := who ->> 'request_id';
  authority text := current_setting('ems.authority', true);
  refused text[];
  unsigned text;
begin
  if tg_op = 'UPDATE' then
    with changed as materialized (
      select n.registration_id, n.offering_mark_id,
        concat_ws(',',
          case when o.mark is distinct from n.mark then '"mark":' || coalesce(o.mark::text, 'null') end,
          case when o.absent <> n.absent then '"absent":' || o.absent end,
          case when o.entered_by is distinct from n.entered_by then '"entered_by":' || coalesce(o.entered_by::text, 'null') end) as old,
        concat_ws(',',
          case when o.mark is distinct from n.mark then '"mark":' || coalesce(n.mark::text, 'null') end,
          case when o.absent <> n.absent then '"absent":' || n.absent end,
          case when o.entered_by is distinct from n.entered_by then '"entered_by":' || coalesce(n.entered_by::text, 'null') end) as new
      from old_rows o full join new_rows n
        on n.registration_id = o.registration_id and n.offering_mark_id = o.offering_mark_id
    ), kept as (
      -- A row without an id of its own is known by its key, which therefore stands beside the change.
      insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
      select 'update', 'registration_marks', c.registration_id, actor, impersonator, address, why, request,
        ('{' || k.key || c.old || '}')::jsonb, ('{' || k.key || c.new || '}')::jsonb
      from changed c cross join lateral (
        select '"registration_id":' || c.registration_id || ',"offering_mark_id":' || c.offering_mark_id || ',' as key) k
      where c.new <> ''
    ), held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from changed c join registrations r on r.id = c.registration_id)
      order by o.id for key share of o
    )
    select (select array[h.id::text, h.control_status] from held h
        where not control_allows(h.control_status, 'mark', authority) order by h.id limit 1),
      (select string_agg(h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen'))
    into refused, unsigned;
  elsif tg_op = 'INSERT' then
    with kept as (
      insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
      select 'insert', 'registration_marks', n.registration_id, actor, impersonator, address, why, request,
        jsonb_strip_nulls(jsonb_build_object('registration_id', n.registration_id, 'offering_mark_id', n.offering_mark_id,
          'mark', n.mark, 'absent', n.absent, 'entered_by', n.entered_by))
      from new_rows n
    ), held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from new_rows n join registrations r on r.id = n.registration_id)
      order by o.id for key share of o
    )
    select (select array[h.id::text, h.control_status] from held h
        where not control_allows(h.control_status, 'mark', authority) order by h.id limit 1),
      (select string_agg(h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen'))
    into refused, unsigned;
  else
    -- Marks of a registration that is removed go with it, and it has been asked about itself.
    with kept as (
      insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old)
      select 'delete', 'registration_marks', o.registration_id, actor, impersonator, address, why, request,
        jsonb_strip_nulls(jsonb_build_object('registration_id', o.registration_id, 'offering_mark_id', o.offering_mark_id,
          'mark', o.mark, 'absent', o.absent, 'entered_by', o.entered_by))
      from old_rows o
    ), held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from old_rows m join registrations r on r.id = m.registration_id)
      order by o.id for key share of o
    )
    select (select array[h.id::text, h.control_status] from held h
        where not control_allows(h.control_status, 'mark', authority) order by h.id limit 1),
      (select string_agg(h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen'))
    into refused, unsigned;
  end if;
  if refused is not null then
    perform refuse_by_control(refused[1]::integer, refused[2], 'mark');
  end if;
  perform note_unsigned(unsigned);
  return null;
end $$;
