-- Who are two people are not merged, whoever writes and whichever of both is written last: both hold the records first.
create or replace function refuse_merge_of_two_people() returns trigger language plpgsql as $$
declare
  found text;
begin
  if tg_table_name = 'not_doubles' then
    if merged_into(new.kind, new.one_id) = merged_into(new.kind, new.other_id) then
      raise exception using errcode = 'UE409', message = 'merge_same_record';
    end if;
    return new;
  end if;
  select n.reason into found from not_doubles n
    where n.kind = new.kind and n.one_id = any (same_record(new.kind, new.into_id) || new.from_id)
      and n.other_id = any (same_record(new.kind, new.into_id) || new.from_id) limit 1;
  if found is not null then
    raise exception using errcode = 'UE409', message = 'merge_two_people', detail = jsonb_build_object('reason', found)::text;
  end if;
  return new;
end $$;
