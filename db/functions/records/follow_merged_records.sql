-- What is merged or taken apart again: the texts follow, and every process hears of it.
create or replace function follow_merged_records() returns trigger language plpgsql as $$
declare
  ids integer[] := array_remove(array[case when tg_op <> 'INSERT' then old.into_id end, case when tg_op <> 'DELETE' then new.into_id end], null);
begin
  update students set search_text = search_text where id = any (ids) and coalesce(new.kind, old.kind) = 'student';
  update instructors set search_text = search_text where id = any (ids) and coalesce(new.kind, old.kind) = 'instructor';
  perform pg_notify('records_merged', '');
  return null;
end $$;
