-- A student is found by a name that was borne before: the text that is searched follows.
create or replace function find_by_former_name() returns trigger language plpgsql as $$
begin
  update students set search_text = search_text
    where id = any (array[case when tg_op <> 'INSERT' then old.student_id end, case when tg_op <> 'DELETE' then new.student_id end]);
  return null;
end $$;
