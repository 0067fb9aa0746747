-- Said of one, it holds for the other.
create or replace function equal_both_ways() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if exists (select from new_rows) then
      insert into course_equals (course_id, equal_course_id) select equal_course_id, course_id from new_rows on conflict do nothing;
    end if;
  elsif exists (select from old_rows) then
    delete from course_equals e using old_rows o where e.course_id = o.equal_course_id and e.equal_course_id = o.course_id;
  end if;
  return null;
end $$;
