-- A record that went into another comes back only by undoing that: looked at when the transaction ends, because undoing
-- takes both back.
create or replace function keep_merged_removed() returns trigger language plpgsql as $$
begin
  if exists (select from merged_records where kind = tg_argv[0] and from_id = new.id) then
    raise exception using errcode = 'UE409', message = 'merged_stays_removed';
  end if;
  return null;
end $$;
