-- Records of one person that were put together: who asks for the one that went gets the one that stayed, by its id and by
-- its code. The row of the record that went stays, removed, with what was written about it.
create table merged_records (
  id integer generated always as identity primary key,
  kind text not null,
  from_id integer not null,
  into_id integer not null,
  merged_at timestamptz not null default now(),
  constraint merged_records_kind check (kind in ('student', 'instructor', 'user')),
  constraint merged_records_once unique (kind, from_id),
  constraint merged_records_itself check (from_id <> into_id)
);
create index merged_records_into on merged_records (kind, into_id);
select audit_table('merged_records');

-- The ids under which a record was ever known: its own, and those of the records that went into it.
create function same_record(of_kind text, of_id integer) returns integer[] language sql stable parallel safe as $$
  select array[of_id] || array(select from_id from merged_records where kind = of_kind and into_id = of_id order by from_id)
$$;

-- A record is found by the codes of those that went into it, in every list that searches the text of its table. The text
-- was computed by its column, which sees no other table: now by a trigger. Nothing is written anew.
create function search_text_of_person() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(new.code || ' ' || new.name || ' ' || new.name_local);
  if tg_op = 'UPDATE' then
    if tg_table_name = 'students' then
      new.search_text := new.search_text || coalesce((select ' ' || string_agg(fold_text(o.code), ' ' order by o.id)
        from merged_records m join students o on o.id = m.from_id where m.kind = 'student' and m.into_id = new.id), '');
    else
      new.search_text := new.search_text || coalesce((select ' ' || string_agg(fold_text(o.code), ' ' order by o.id)
        from merged_records m join instructors o on o.id = m.from_id where m.kind = 'instructor' and m.into_id = new.id), '');
    end if;
  end if;
  return new;
end $$;
do $$
declare
  one text;
begin
  foreach one in array array['students', 'instructors'] loop
    execute format('alter table %I alter column search_text drop expression', one);
    execute format('create trigger search_text before insert or update of code, name, name_local, search_text on %I
      for each row execute function search_text_of_person()', one);
  end loop;
end $$;

-- What is merged or taken apart again: the texts follow, and every process hears of it.
create function follow_merged_records() returns trigger language plpgsql as $$
declare
  ids integer[] := array_remove(array[case when tg_op <> 'INSERT' then old.into_id end, case when tg_op <> 'DELETE' then new.into_id end], null);
begin
  update students set search_text = search_text where id = any (ids) and coalesce(new.kind, old.kind) = 'student';
  update instructors set search_text = search_text where id = any (ids) and coalesce(new.kind, old.kind) = 'instructor';
  perform pg_notify('records_merged', '');
  return null;
end $$;
create trigger follow after insert or update or delete on merged_records
  for each row execute function follow_merged_records();

-- A record that went into another comes back only by undoing that: looked at when the transaction ends, because undoing
-- takes both back.
create function keep_merged_removed() returns trigger language plpgsql as $$
begin
  if exists (select from merged_records where kind = tg_argv[0] and from_id = new.id) then
    raise exception using errcode = 'UE409', message = 'merged_stays_removed';
  end if;
  return null;
end $$;
do $$
declare
  of text[];
begin
  foreach of slice 1 in array array[['students', 'student'], ['instructors', 'instructor'], ['users', 'user']] loop
    execute format('create constraint trigger merged_stays_removed after update of removed_at on %I deferrable initially deferred
      for each row when (old.removed_at is not null and new.removed_at is null) execute function keep_merged_removed(%L)', of[1], of[2]);
  end loop;
end $$;
