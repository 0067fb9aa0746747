-- What was approved keeps its words: code, names and hours of a course as they were when the result of an offering was approved.
-- A course that is renamed later is called so from then on, in what runs and what comes; history stays as it was.

create table offering_words (
  offering_id integer primary key references offerings on delete cascade,
  code text not null,
  name text not null,
  name_local text not null,
  credit_hours numeric(6, 2) not null,
  at timestamptz not null default now(),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored
);

-- The row stands exactly as long as the offering is approved, and nobody writes it but this.
create function keep_offering_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.control_status in ('Approved', 'Published', 'Frozen') then
    insert into offering_words (offering_id, code, name, name_local, credit_hours)
    select new.id, c.code, c.name, c.name_local, c.credit_hours from courses c where c.id = new.course_id
    on conflict do nothing;
  else
    delete from offering_words where offering_id = new.id;
  end if;
  return null;
end $$;
create trigger words_inserted after insert on offerings for each row
  when (new.control_status in ('Approved', 'Published', 'Frozen')) execute function keep_offering_words();
create trigger words_kept after update of control_status on offerings for each row
  when ((old.control_status in ('Approved', 'Published', 'Frozen')) <> (new.control_status in ('Approved', 'Published', 'Frozen')))
  execute function keep_offering_words();

-- Existing ones: as the audit trail has kept the course since the approval, else as it is called now.
with approved as materialized (
  select o.id, o.course_id, coalesce(
      (select max(h.at) from step_history h where h.workflow = 'offering_control' and h.record_id = o.id and h.to_state = 'Approved'),
      (select max(l.at) from grade_links l where l.offering_id = o.id and l.cause in ('approve', 'begin')), o.created_at) as at
  from offerings o where o.control_status in ('Approved', 'Published', 'Frozen')
), renamed as materialized (
  select a.record_id as course_id, a.at, a.old from audit_log a
  where a.table_name = 'courses' and a.action = 'update' and a.old ?| array['code', 'name', 'name_local', 'credit_hours']
)
insert into offering_words (offering_id, code, name, name_local, credit_hours, at)
select p.id,
  coalesce((select r.old ->> 'code' from renamed r where r.course_id = c.id and r.at > p.at and r.old ? 'code' order by r.at limit 1), c.code),
  coalesce((select r.old ->> 'name' from renamed r where r.course_id = c.id and r.at > p.at and r.old ? 'name' order by r.at limit 1), c.name),
  coalesce((select r.old ->> 'name_local' from renamed r where r.course_id = c.id and r.at > p.at and r.old ? 'name_local' order by r.at limit 1), c.name_local),
  coalesce((select (r.old ->> 'credit_hours')::numeric from renamed r where r.course_id = c.id and r.at > p.at and r.old ? 'credit_hours' order by r.at limit 1), c.credit_hours),
  p.at
from approved p join courses c on c.id = p.course_id;

create function guard_offering_words() returns trigger language plpgsql as $$
declare
  stands boolean;
begin
  select o.control_status in ('Approved', 'Published', 'Frozen') into stands from offerings o
    where o.id = case when tg_op = 'DELETE' then old.offering_id else new.offering_id end;
  if tg_op = 'UPDATE' or (tg_op = 'INSERT' and not coalesce(stands, false)) or (tg_op = 'DELETE' and coalesce(stands, false)) then
    raise exception 'What was approved keeps its words' using errcode = 'insufficient_privilege';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger kept before insert or update or delete on offering_words for each row execute function guard_offering_words();

-- The same of a course that was credited: as it was called when it was decided.
alter table course_credits add column code text, add column name text, add column name_local text;
alter table course_credits disable trigger user;
update course_credits k set code = c.code, name = c.name, name_local = c.name_local from courses c where c.id = k.course_id;
alter table course_credits enable trigger user;
alter table course_credits alter column code set not null, alter column name set not null, alter column name_local set not null;
create function keep_credit_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.course_id <> old.course_id then
    select c.code, c.name, c.name_local into new.code, new.name, new.name_local from courses c where c.id = new.course_id;
  elsif (old.code, old.name, old.name_local) <> (new.code, new.name, new.name_local) then
    raise exception 'What was credited keeps its words' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger a_words before insert or update on course_credits for each row execute function keep_credit_words();
-- Whoever inserts does not say them.
alter table course_credits alter column code set default '', alter column name set default '', alter column name_local set default '';
