-- Other processes hear at once what their caches must forget: the id of one person, or '*'.
create or replace function notify_rights_changed() returns trigger language plpgsql as $$
declare
  people integer[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct user_id) into people from old_rows;
  else
    select array_agg(distinct user_id) into people from new_rows;
  end if;
  if cardinality(people) = 1 then
    perform pg_notify('rights_changed', people[1]::text);
  elsif people is not null then
    perform pg_notify('rights_changed', '*');
  end if;
  return null;
end $$;
