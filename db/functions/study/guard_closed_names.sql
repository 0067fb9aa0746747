create or replace function guard_closed_names() returns trigger language plpgsql as $$
begin
  if names_are_closed(new.id) then
    raise exception using errcode = 'UE409', message = 'names_closed',
      detail = (select json_build_object('course', c.code)::text from courses c where c.id = new.course_id);
  end if;
  return new;
end $$;
