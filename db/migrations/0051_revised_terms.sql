-- Rows of finished terms follow the results they were computed from. When a settled result changes, or an offering goes
-- back below Approved, the rows of that term and of later ones are marked in the same transaction: they are being revised
-- and valid for nobody until they are computed again (by the step that approves or publishes, a correction, or finishing).

alter table student_terms
  -- Since when the row is being revised; null: valid.
  add column revised_since timestamptz;
create index student_terms_revised on student_terms (student_id) where revised_since is not null;
alter table students
  -- GPA, passed hours, warnings, level and status before the first term was finished: what stands when no row does.
  add column entry_standing jsonb;

-- The figures of students are those of the latest valid row, else those before the first.
create function settle_standing(ids integer[]) returns void language sql as $$
  update students s set gpa = n.gpa, passed_hours = n.passed_hours, warnings = n.warnings, level = n.level
  from (
    select s.id, case when x.term_id is not null then x.cumulative_gpa else (s.entry_standing ->> 'gpa')::numeric end as gpa,
      coalesce(x.cumulative_passed_hours, (s.entry_standing ->> 'passed_hours')::smallint, 0) as passed_hours,
      coalesce(x.warnings, (s.entry_standing ->> 'warnings')::smallint, 0) as warnings,
      coalesce(x.level, (s.entry_standing ->> 'level')::smallint,
        (select min(l.level) from bylaw_levels l where l.bylaw_id = s.bylaw_id)::smallint, s.level) as level
    from students s left join lateral (
      select t.* from student_terms t join terms w on w.id = t.term_id
      where t.student_id = s.id and t.revised_since is null order by w.start_date desc, w.id desc limit 1) x on true
    where s.id = any (ids)) n
  where s.id = n.id
    and (s.gpa, s.passed_hours, s.warnings, s.level) is distinct from (n.gpa, n.passed_hours, n.warnings, n.level)
$$;

-- Marks rows of terms as being revised: those of the same term, and where `laters` says so those of later terms.
create function revise_terms(student_ids integer[], term_ids integer[], laters boolean[]) returns void language plpgsql as $$
declare
  hit integer[];
begin
  select array_agg(distinct t.student_id) into hit
  from unnest(student_ids, term_ids, laters) as x (student_id, term_id, later)
    join student_terms t on t.student_id = x.student_id and t.revised_since is null
    join terms a on a.id = x.term_id join terms b on b.id = t.term_id
  where t.term_id = x.term_id or (x.later and (b.start_date, b.id) > (a.start_date, a.id));
  if hit is null then
    return;
  end if;
  -- Finishing locks students before their rows.
  perform from students where id = any (hit) order by id for no key update;
  update student_terms t set revised_since = now()
  from unnest(student_ids, term_ids, laters) as x (student_id, term_id, later) join terms a on a.id = x.term_id, terms b
  where t.student_id = x.student_id and t.revised_since is null and b.id = t.term_id
    and (t.term_id = x.term_id or (x.later and (b.start_date, b.id) > (a.start_date, a.id)));
  perform settle_standing(hit);
end $$;

-- A result counts once it is settled: approved by control, or of a course that was left (Withdrawn, ForcedWithdrawn,
-- Excused: 17592186047488). What is not settled concerns the row of its own term alone.
create function revise_new_registrations() returns trigger language plpgsql as $$
declare
  students integer[];
  of_terms integer[];
  laters boolean[];
begin
  select array_agg(x.student_id), array_agg(x.term_id), array_agg(x.settled) into students, of_terms, laters
  from (select n.student_id, n.term_id, o.control_status in ('Approved', 'Published', 'Frozen') as settled
    from new_rows n join offerings o on o.id = n.offering_id) x
  where x.settled or exists (select from student_terms t where t.student_id = x.student_id and t.term_id = x.term_id);
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;

create function revise_changed_registrations() returns trigger language plpgsql as $$
declare
  students integer[];
  of_terms integer[];
  laters boolean[];
begin
  if tg_op = 'DELETE' then
    select array_agg(o.student_id), array_agg(o.term_id),
        array_agg(f.control_status in ('Approved', 'Published', 'Frozen') or o.status & 17592186047488 <> 0)
      into students, of_terms, laters
    from old_rows o join offerings f on f.id = o.offering_id;
  else
    select array_agg(n.student_id), array_agg(n.term_id),
        array_agg(f.control_status in ('Approved', 'Published', 'Frozen') or (o.status | n.status) & 17592186047488 <> 0)
      into students, of_terms, laters
    from old_rows o join new_rows n using (id) join offerings f on f.id = n.offering_id
    where (o.status | 112, o.offering_id, o.credit_hours, o.points, o.passed, o.counts_in_gpa, o.counts_in_attempted_hours, o.letter is null)
      is distinct from
      (n.status | 112, n.offering_id, n.credit_hours, n.points, n.passed, n.counts_in_gpa, n.counts_in_attempted_hours, n.letter is null);
  end if;
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;

create function revise_with_offering() returns trigger language plpgsql as $$
begin
  perform revise_terms(array_agg(student_id), array_agg(term_id), array_agg(true)) from registrations
    where offering_id = new.id and status & 17592186047488 = 0;
  return null;
end $$;

create trigger revise_insert after insert on registrations referencing new table as new_rows
  for each statement execute function revise_new_registrations();
create trigger revise_update after update on registrations referencing old table as old_rows new table as new_rows
  for each statement execute function revise_changed_registrations();
create trigger revise_delete after delete on registrations referencing old table as old_rows
  for each statement execute function revise_changed_registrations();
create trigger revise after update of control_status on offerings for each row
  when ((old.control_status in ('Approved', 'Published', 'Frozen')) <> (new.control_status in ('Approved', 'Published', 'Frozen')))
  execute function revise_with_offering();
