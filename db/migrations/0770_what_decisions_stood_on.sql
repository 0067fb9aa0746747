-- A decision remembers what it stood on. Beside each decision that rests on facts which may still change stands what these
-- facts were; a change of a fact writes beside it what the fact is now, in the transaction of the change, whoever writes. A
-- decision is outdated exactly while one of its facts is another than it was; when the fact is again what it was, it is not.
--
-- A kind of fact NAME is two functions: `fact_NAME(ids) returns table (fact_id, value)` says what facts are now (no row: it is
-- not there any more), `hold_NAME(ids)` keeps them as they are until the transaction ends. Whatever changes such facts calls
-- `facts_changed('NAME', ids)` from a trigger, in sets.
create table decision_facts (
  -- What was decided (`credit`), and the id of its row.
  kind text not null,
  decision_id integer not null,
  -- What was looked at (`result`), and the id of its row.
  fact text not null,
  fact_id integer not null,
  stood jsonb not null,
  -- What it is now where that is something else; null: as it stood.
  now jsonb,
  since timestamptz,
  -- When people were told that it is outdated.
  told_at timestamptz,
  primary key (kind, decision_id, fact, fact_id),
  constraint decision_fact_since check ((now is null) = (since is null)),
  constraint decision_fact_differs check (now <> stood)
);
create index decision_facts_fact on decision_facts (fact, fact_id);
create index decision_facts_outdated on decision_facts (kind, decision_id) where now is not null;

-- What became of decisions that were outdated: renewed, kept as they were with a reason, or followed by themselves. Cannot be changed.
create table decision_steps (
  id integer generated always as identity primary key,
  kind text not null,
  decision_id integer not null,
  action text not null check (action in ('renewed', 'kept', 'followed')),
  reason text,
  -- What was outdated then: `fact`, `fact_id`, `stood`, `now` of each.
  changes jsonb not null,
  -- Null: the system.
  actor_id integer,
  impersonator_id integer,
  at timestamptz not null default now(),
  constraint decision_kept_reason check (action <> 'kept' or reason is not null)
);
create index decision_steps_of on decision_steps (kind, decision_id, id);
create function refuse_decision_step_change() returns trigger language plpgsql as $$
begin
  raise exception 'What became of decisions cannot be changed' using errcode = 'insufficient_privilege';
end $$;
create trigger decision_steps_stand before update or delete on decision_steps for each row execute function refuse_decision_step_change();

-- What facts are now.
create function facts_now(of_fact text, ids integer[]) returns table (fact_id integer, value jsonb) language plpgsql stable as $$
begin
  return query execute format('select f.fact_id, f.value from %I($1) f', 'fact_' || of_fact) using ids;
end $$;

-- Beside what stands on these facts it is written what they are now. Where nothing does, which is nearly always, no more is done.
create function facts_changed(of_fact text, ids integer[]) returns void language plpgsql as $$
begin
  if ids is null or not exists (select from decision_facts where fact = of_fact and fact_id = any (ids)) then
    return;
  end if;
  with held as materialized (
    select d.kind, d.decision_id, d.fact_id, d.stood, d.now from decision_facts d where d.fact = of_fact and d.fact_id = any (ids)
    order by d.kind, d.decision_id, d.fact_id for no key update
  ), fresh as materialized (
    select h.kind, h.decision_id, h.fact_id, nullif(coalesce(f.value, 'null'), h.stood) as now
    from held h left join facts_now(of_fact, array(select distinct x.fact_id from held x)) f on f.fact_id = h.fact_id)
  update decision_facts d set now = n.now, since = case when n.now is not null then coalesce(d.since, now()) end,
    told_at = case when n.now is not null then d.told_at end
  from fresh n
  where (d.kind, d.decision_id, d.fact, d.fact_id) = (n.kind, n.decision_id, of_fact, n.fact_id) and d.now is distinct from n.now;
end $$;

-- Keeps what decisions stand on, in place of what they stood on before. `kept`: `decision_id`, `fact`, `fact_id`, and `stood`
-- where the decision was made on what is told there and not on what is now. The facts stay as they are until the transaction
-- ends, so that a change at the same moment is seen here, or finds what is written here.
create function keep_basis(of_kind text, decisions integer[], kept jsonb) returns void language plpgsql as $$
declare
  f record;
begin
  for f in select x.fact, array_agg(distinct x.fact_id order by x.fact_id) as ids
    from jsonb_to_recordset(kept) as x (fact text, fact_id integer) group by 1 order by 1
  loop
    execute format('select %I($1)', 'hold_' || f.fact) using f.ids;
  end loop;
  delete from decision_facts d where d.kind = of_kind and d.decision_id = any (decisions);
  for f in select x.fact, array_agg(distinct x.fact_id) as ids
    from jsonb_to_recordset(kept) as x (fact text, fact_id integer) group by 1 order by 1
  loop
    insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
    select of_kind, x.decision_id, f.fact, x.fact_id, x.stood, x.now, case when x.now is not null then now() end
    from (
      select distinct on (k.decision_id, k.fact_id) k.decision_id, k.fact_id, coalesce(k.stood, v.value, 'null') as stood,
        nullif(coalesce(v.value, 'null'), coalesce(k.stood, v.value, 'null')) as now
      from jsonb_to_recordset(kept) as k (decision_id integer, fact text, fact_id integer, stood jsonb)
        left join facts_now(f.fact, f.ids) v on v.fact_id = k.fact_id
      where k.fact = f.fact order by k.decision_id, k.fact_id) x;
  end loop;
end $$;

-- What a decision stood on goes with it. `select basis_goes_with('course_credits', 'credit');`
create function drop_basis() returns trigger language plpgsql as $$
begin
  delete from decision_facts d using old_rows o where d.kind = tg_argv[0] and d.decision_id = o.id;
  return null;
end $$;
create function basis_goes_with(decisions text, of_kind text) returns void language plpgsql as $$
begin
  execute format('create trigger %I after delete on %I referencing old table as old_rows for each statement execute function drop_basis(%L)',
    'basis_of_' || of_kind, decisions, of_kind);
end $$;

-- The result of a registration as it is published (`result`), or approved by control (`approved`). What is not is of no
-- value to a decision: its letter and marks may still change, and are not told.
create function result_value(r registrations, settled boolean) returns jsonb language sql immutable as $$
  select case when settled then jsonb_strip_nulls(jsonb_build_object('course', r.course_id, 'letter', r.letter, 'points', trim_scale(r.points),
    'total', trim_scale(r.total), 'maximum', r.maximum, 'passed', r.passed, 'hours', trim_scale(r.credit_hours),
    'in_gpa', r.counts_in_gpa, 'state', (r.status & ~112::bigint)::text)) else jsonb_build_object('course', r.course_id) end
$$;
create function fact_result(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select r.id, result_value(r, o.control_status in ('Published', 'Frozen'))
  from registrations r join offerings o on o.id = r.offering_id where r.id = any (ids)
$$;
create function fact_approved(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select r.id, result_value(r, o.control_status in ('Approved', 'Published', 'Frozen'))
  from registrations r join offerings o on o.id = r.offering_id where r.id = any (ids)
$$;
create function hold_result(ids integer[]) returns void language plpgsql as $$
begin
  perform from offerings o where o.id in (select r.offering_id from registrations r where r.id = any (ids)) order by o.id for share;
  perform from registrations r where r.id = any (ids) order by r.id for share;
end $$;
create function hold_approved(ids integer[]) returns void language sql as 'select hold_result(ids)';

-- Figures of a student as they stand: by valid rows of finished terms, and credited courses.
create function fact_figures(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select s.id, jsonb_build_object('gpa', trim_scale(s.gpa), 'hours', trim_scale(s.passed_hours), 'level', s.level)
  from students s where s.id = any (ids)
$$;
create function hold_figures(ids integer[]) returns void language plpgsql as $$
begin
  perform from students s where s.id = any (ids) order by s.id for share;
end $$;

-- Settled results that changed; `was`: what of each was otherwise before, null where the offering itself went on or back.
create function results_changed(ids integer[], was jsonb[]) returns void language plpgsql as $$
begin
  perform facts_changed('result', ids);
  perform facts_changed('approved', ids);
end $$;

-- The trigger that looks at changed registrations knows already whether one of their offerings is approved: only then more is
-- asked, so that marks below pay nothing. It is extended where it stands, whatever else was done to it.
do $$
declare
  before text := pg_get_functiondef('changed_registrations'::regproc);
  after text := replace(before, 'perform note_unsigned(unsigned);', $new$perform note_unsigned(unsigned);
  if unsigned is not null then
    perform results_changed(array_agg(x.id order by x.id), array_agg(x.was order by x.id))
    from (
      select n.id, jsonb_build_object('student_id', o.student_id, 'course_id', o.course_id, 'status', o.status::text, 'letter', o.letter,
        'points', o.points, 'passed', o.passed) as was
      from old_rows o full join new_rows n on n.id = o.id
      where (o.student_id, o.course_id, o.status, o.letter, o.points, o.total, o.maximum, o.passed, o.credit_hours, o.counts_in_gpa)
        is distinct from (n.student_id, n.course_id, n.status, n.letter, n.points, n.total, n.maximum, n.passed, n.credit_hours, n.counts_in_gpa)) x;
  end if;$new$);
begin
  if before = after then
    raise exception 'changed_registrations does not note unsigned sheets any more: say there that results have changed';
  end if;
  execute after;
end $$;

create function results_removed() returns trigger language plpgsql as $$
begin
  perform results_changed(array_agg(o.id), null) from old_rows o;
  return null;
end $$;
create trigger basis_delete after delete on registrations referencing old table as old_rows
  for each statement execute function results_removed();

create function results_of_offering_changed() returns trigger language plpgsql as $$
begin
  perform results_changed(array_agg(r.id order by r.id), null) from registrations r where r.offering_id = new.id;
  return null;
end $$;
create trigger basis after update of control_status on offerings for each row
  when ((old.control_status in ('Approved', 'Published', 'Frozen')) <> (new.control_status in ('Approved', 'Published', 'Frozen'))
    or (old.control_status in ('Published', 'Frozen')) <> (new.control_status in ('Published', 'Frozen')))
  execute function results_of_offering_changed();

create function figures_changed() returns trigger language plpgsql as $$
begin
  perform facts_changed('figures', array_agg(n.id))
  from old_rows o join new_rows n using (id) where (o.gpa, o.passed_hours, o.level) is distinct from (n.gpa, n.passed_hours, n.level);
  return null;
end $$;
create trigger basis_update after update on students referencing old table as old_rows new table as new_rows
  for each statement execute function figures_changed();
