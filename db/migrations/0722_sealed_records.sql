-- What counts beside the marks is sealed in the chain of grade sheets as well: rows of finished terms, credited courses, grace marks,
-- applied results of levels, which course an offering is of and what it was called, and the history of its registrations.

-- A link is of a sheet, of records, or of both; null: of no sheet.
alter table grade_links alter column offering_id drop not null;
-- Over the records that the link seals; null: none.
alter table grade_links add column records_hash text check (records_hash ~ '^[0-9a-f]{64}$');

create table grade_link_records (
  number bigint not null references grade_links,
  kind text not null check (kind in ('term', 'credit', 'grace', 'level', 'offering', 'history')),
  -- What it is known by: numbers of records.
  key text not null,
  -- The record as it was sealed, with numbers of records and no name of a person; null: it is no more. Of a history, the rows that
  -- came since the last link: [id, hash] of each.
  content text,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (kind, key, number)
);
create index grade_link_records_number on grade_link_records (number);
create trigger append_only before update or delete on grade_link_records for each row execute function refuse_link_change();
create trigger append_only_truncate before truncate on grade_link_records for each statement execute function refuse_link_change();

-- Records that this transaction has changed, as kind:key. The program seals them before it commits, where one of its own
-- functions has changed them; whoever writes to the database past it is not sealed.
create function note_unsealed(records text) returns void language plpgsql as $$
begin
  if records is not null then
    perform set_config('ems.unsealed', concat_ws(',', nullif(current_setting('ems.unsealed', true), ''), records), true);
  end if;
end $$;
create function unsealed_insert() returns trigger language plpgsql as $$
begin
  perform note_unsealed((select string_agg(tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(n)), ',') from new_rows n));
  return null;
end $$;
create function unsealed_update() returns trigger language plpgsql as $$
begin
  -- A key that changed leaves one record and makes another.
  perform note_unsealed((select string_agg(x.record, ',') from (
    select tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(n)) as record from new_rows n
    union select tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(o)) from old_rows o) x));
  return null;
end $$;
create function unsealed_delete() returns trigger language plpgsql as $$
begin
  perform note_unsealed((select string_agg(tg_argv[0] || ':' || sealed_key(tg_argv[0], to_jsonb(o)), ',') from old_rows o));
  return null;
end $$;
create function sealed_key(kind text, line jsonb) returns text language sql immutable as $$
  select case kind
    when 'term' then (line ->> 'student_id') || '-' || (line ->> 'term_id')
    when 'credit' then line ->> 'id'
    when 'grace' then line ->> 'registration_id'
    when 'level' then (line ->> 'level_result_id') || '-' || (line ->> 'student_id')
  end
$$;
do $$
declare
  one record;
begin
  for one in select * from (values ('student_terms', 'term'), ('course_credits', 'credit'), ('grace_marks', 'grace'),
      ('level_result_students', 'level')) as t (name, kind) loop
    execute format('create trigger unsealed_insert after insert on %I referencing new table as new_rows
      for each statement execute function unsealed_insert(%L)', one.name, one.kind);
    execute format('create trigger unsealed_update after update on %I referencing old table as old_rows new table as new_rows
      for each statement execute function unsealed_update(%L)', one.name, one.kind);
    execute format('create trigger unsealed_delete after delete on %I referencing old table as old_rows
      for each statement execute function unsealed_delete(%L)', one.name, one.kind);
  end loop;
end $$;

-- Registrations of approved offerings that this transaction has changed on an authority: only they are signed again, so that what
-- somebody else changed past the program on the same sheet is still found. Nothing is asked where no authority is told.
create function note_touched(ids text) returns void language plpgsql as $$
begin
  if ids is not null then
    perform set_config('ems.touched', concat_ws(',', nullif(current_setting('ems.touched', true), ''), ids), true);
  end if;
end $$;
create function touched_registrations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_touched((select string_agg(n.id::text, ',') from new_rows n join offerings o on o.id = n.offering_id
      where o.control_status in ('Approved', 'Published', 'Frozen')));
  elsif tg_op = 'DELETE' then
    perform note_touched((select string_agg(n.id::text, ',') from old_rows n join offerings o on o.id = n.offering_id
      where o.control_status in ('Approved', 'Published', 'Frozen')));
  else
    perform note_touched((select string_agg(distinct n.id::text, ',') from (select id, offering_id from new_rows
        union select id, offering_id from old_rows) n join offerings o on o.id = n.offering_id
      where o.control_status in ('Approved', 'Published', 'Frozen')));
  end if;
  return null;
end $$;
create function touched_marks() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform note_touched((select string_agg(distinct r.id::text, ',') from old_rows n join registrations r on r.id = n.registration_id
      join offerings o on o.id = r.offering_id where o.control_status in ('Approved', 'Published', 'Frozen')));
  else
    perform note_touched((select string_agg(distinct r.id::text, ',') from new_rows n join registrations r on r.id = n.registration_id
      join offerings o on o.id = r.offering_id where o.control_status in ('Approved', 'Published', 'Frozen')));
  end if;
  return null;
end $$;
create trigger touched_insert after insert on registrations referencing new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_registrations();
create trigger touched_update after update on registrations referencing old table as old_rows new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_registrations();
create trigger touched_delete after delete on registrations referencing old table as old_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_registrations();
create trigger touched_insert after insert on registration_marks referencing new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_marks();
create trigger touched_update after update on registration_marks referencing new table as new_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_marks();
create trigger touched_delete after delete on registration_marks referencing old table as old_rows for each statement
  when (coalesce(current_setting('ems.authority', true), '') <> '') execute function touched_marks();
