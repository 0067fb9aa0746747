-- Who owes past a due date sees no results and gets no certificates, where the university has it so.

-- Staff set a hold aside, for results or for papers, with a reason, until a day or until it is taken back.
create table hold_overrides (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  what text not null check (what in ('results', 'certificates')),
  reason text not null,
  until date,
  created_by integer references users,
  ended_at timestamptz,
  ended_by integer references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index hold_override_twice on hold_overrides (student_id, what) where ended_at is null;
create index hold_overrides_student on hold_overrides (student_id);
create index hold_overrides_created_by on hold_overrides (created_by);
create index hold_overrides_ended_by on hold_overrides (ended_by);
select audit_table('hold_overrides');

-- The one answer to whether a debt keeps a student from results, or from papers.
create function kept_by_debt(of_student integer, what text) returns boolean language sql stable as $$
  select exists (select from settings s where s.key = 'hold_' || $2 and s.value = '"true"'::jsonb and s.removed_at is null)
    and exists (select from student_holds h where h.student_id = of_student and h.kind = 'unpaid_invoice' and h.lifted_at is null)
    and not exists (select from hold_overrides o where o.student_id = of_student and o.what = $2 and o.ended_at is null
      and (o.until is null or o.until >= university_today()))
$$;
create function results_held(of_student integer) returns boolean language sql stable as $$ select kept_by_debt(of_student, 'results') $$;
create function certificates_held(of_student integer) returns boolean language sql stable as $$ select kept_by_debt(of_student, 'certificates') $$;
-- What of results the student may see: as the bylaw has it, and nothing while they are held.
create function own_visibility(of_student integer, visibility jsonb) returns jsonb language sql stable as $$
  select case when results_held(of_student) then '{"marks": null, "letter": null, "points": null, "gpa": null}'::jsonb else visibility end
$$;

-- No paper, whichever area issues it.
create function refuse_held_paper() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'transcripts' then
    if certificates_held(new.student_id) then
      raise exception 'Certificates are held' using errcode = 'check_violation', constraint = 'certificates_held';
    end if;
  elsif new.subject = 'student' and certificates_held(new.subject_id) then
    raise exception 'Certificates are held' using errcode = 'check_violation', constraint = 'certificates_held';
  end if;
  return new;
end $$;
create trigger held_by_debt before insert on papers for each row execute function refuse_held_paper();
create trigger held_by_debt before insert on transcripts for each row execute function refuse_held_paper();
