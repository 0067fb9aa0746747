-- A grade that results stand on stays in its bylaw: a transcript has it, and whoever computes again would find another one. Results
-- stand once control approved them; until then they are computed at every step.
create function results_of_grade(of_bylaw integer, of_kind text, of_letter text) returns integer language sql stable as $$
  select count(*)::int from bylaws b join students s on s.bylaw_id = b.id join registrations r on r.student_id = s.id
    join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id
  where b.id = of_bylaw and r.letter = of_letter and r.total is not null and o.control_status in ('Approved', 'Published', 'Frozen')
    and case when of_kind = 'rating' then coalesce(b.program_type, '') in ('term', 'annual')
      else coalesce(b.program_type, '') not in ('term', 'annual')
        -- Courses that are passed or failed have letters where the bylaw has no ranges of their own.
        and (c.grade_kind = of_kind or not exists (select from grade_types g join grade_ranges a on a.grade_type_id = g.id
          where g.bylaw_id = of_bylaw and g.kind = c.grade_kind)) end
$$;

create function keep_grade(of_bylaw integer, of_kind text, of_letter text) returns void language plpgsql as $$
begin
  if results_of_grade(of_bylaw, of_kind, of_letter) > 0 then
    raise exception 'Results stand on the grade %', of_letter using errcode = 'check_violation', constraint = 'grade_with_results';
  end if;
end $$;

-- Asked when everything is written: a set may be written anew, as long as its letters are there in the end.
create function keep_grade_range() returns trigger language plpgsql as $$
declare
  type grade_types;
begin
  select * into type from grade_types where id = old.grade_type_id;
  if found and not exists (select from grade_ranges a where a.grade_type_id = type.id and a.letter = old.letter) then
    perform keep_grade(type.bylaw_id, type.kind, old.letter);
  end if;
  return null;
end $$;
create constraint trigger keep_grade after delete or update of letter on grade_ranges deferrable initially deferred
  for each row execute function keep_grade_range();

-- With a type go its ranges: what results it has is asked while they are there.
create function keep_grade_type() returns trigger language plpgsql as $$
begin
  if exists (select from bylaws where id = old.bylaw_id) then
    perform keep_grade(old.bylaw_id, old.kind, a.letter) from grade_ranges a where a.grade_type_id = old.id;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger keep_grade before delete on grade_types for each row execute function keep_grade_type();
create trigger keep_grade_kind before update of kind on grade_types for each row when (new.kind <> old.kind) execute function keep_grade_type();

create function keep_rating() returns trigger language plpgsql as $$
begin
  if not exists (select from bylaw_ratings a where a.bylaw_id = old.bylaw_id and a.code = old.code) then
    perform keep_grade(old.bylaw_id, 'rating', old.code);
  end if;
  return null;
end $$;
create constraint trigger keep_grade after delete or update of code on bylaw_ratings deferrable initially deferred
  for each row execute function keep_rating();
