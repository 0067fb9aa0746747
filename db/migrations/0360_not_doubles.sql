-- Two records that look like one person's, of which somebody who looked says that they are two people's. Of records that went
-- into others it is true of those that stayed. Taking it back deletes the row; the trail keeps who said what.
create table not_doubles (
  id integer generated always as identity primary key,
  kind text not null,
  one_id integer not null,
  other_id integer not null,
  reason text not null,
  marked_by integer references users,
  marked_at timestamptz not null default now(),
  constraint not_doubles_kind check (kind in ('student', 'instructor', 'user')),
  constraint not_doubles_order check (one_id < other_id),
  constraint not_double_already unique (kind, one_id, other_id)
);
create index not_doubles_marked_by on not_doubles (marked_by);
select audit_table('not_doubles');

-- The record as which one is known today: itself, or the one it went into.
create function merged_into(of_kind text, of_id integer) returns integer language sql stable parallel safe as $$
  select coalesce((select into_id from merged_records where kind = of_kind and from_id = of_id), of_id)
$$;

-- Who are two people are not merged, whoever writes and whichever of both is written last: both hold the records first.
create function refuse_merge_of_two_people() returns trigger language plpgsql as $$
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
create trigger two_people before insert or update on merged_records
  for each row execute function refuse_merge_of_two_people();
create trigger two_people before insert or update on not_doubles
  for each row execute function refuse_merge_of_two_people();
