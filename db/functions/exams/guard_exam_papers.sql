create or replace function guard_exam_papers() returns trigger language plpgsql as $$
declare
  missing jsonb := exam_papers_open(new.id);
begin
  if missing <> '[]' then
    raise exception using errcode = 'UE409', message = 'exam_papers_open',
      detail = (select jsonb_build_object('course', c.code, 'hall', missing->0->>'hall', 'delivered', missing->0->'delivered',
        'present', missing->0->'present', 'returned', missing->0->'returned', 'count', jsonb_array_length(missing))::text
        from courses c where c.id = new.course_id);
  end if;
  return new;
end $$;
