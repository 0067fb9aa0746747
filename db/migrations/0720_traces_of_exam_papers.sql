-- Whose exam paper a barcode is on is written down whenever it changes, in a table of its own that nobody reads before the
-- names are open: the audit trail, which more people read, never has a name beside a barcode.

-- What the exam office asks for: another barcode on a paper, or none. It is done at once before marking has begun; afterwards a
-- second person says so first.
create table exam_paper_changes (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings,
  -- A plain number, as in every trail: what is told here stays when the registration goes.
  registration_id integer not null,
  -- Null: the paper had none, or has none from then on.
  from_barcode_id integer references exam_barcodes,
  to_barcode_id integer references exam_barcodes,
  reason text not null constraint exam_paper_change_reason check (btrim(reason) <> ''),
  status text not null default 'asked' check (status in ('asked', 'done', 'rejected')),
  asked_by integer references users,
  -- Who acted as that person.
  really_asked_by integer references users,
  asked_at timestamptz not null default now(),
  -- The second person; null: none was needed.
  decided_by integer references users,
  really_decided_by integer references users,
  decided_reason text,
  done_at timestamptz,
  constraint exam_paper_change_differs check (from_barcode_id is distinct from to_barcode_id),
  constraint exam_paper_change_done check ((done_at is null) = (status = 'asked')),
  -- Who asked does not confirm; taking the own request back is a rejection.
  constraint exam_paper_change_second check (status = 'rejected'
    or not coalesce(decided_by in (asked_by, really_asked_by) or really_decided_by in (asked_by, really_asked_by), false))
);
create index exam_paper_changes_offering on exam_paper_changes (offering_id, asked_at);
create index exam_paper_changes_from on exam_paper_changes (from_barcode_id);
create index exam_paper_changes_asked_by on exam_paper_changes (asked_by);
create index exam_paper_changes_really_asked_by on exam_paper_changes (really_asked_by);
create index exam_paper_changes_decided_by on exam_paper_changes (decided_by);
create index exam_paper_changes_really_decided_by on exam_paper_changes (really_decided_by);
create unique index exam_paper_change_waits on exam_paper_changes (registration_id) where status = 'asked';
create unique index exam_paper_change_barcode on exam_paper_changes (to_barcode_id) where status = 'asked';

create function keep_exam_paper_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'What was asked about an exam paper stays' using errcode = 'insufficient_privilege';
  end if;
  if old.status <> 'asked'
    or (old.offering_id, old.registration_id, old.reason, old.asked_at) is distinct from (new.offering_id, new.registration_id, new.reason, new.asked_at)
    or (old.from_barcode_id, old.to_barcode_id, old.asked_by, old.really_asked_by)
      is distinct from (new.from_barcode_id, new.to_barcode_id, new.asked_by, new.really_asked_by) then
    raise exception 'What was asked about an exam paper is decided once, and stays as it was asked' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger kept before update or delete on exam_paper_changes for each row execute function keep_exam_paper_change();

-- Every change of whose barcode is which, as the database has seen it: numbers of records, as in every trail.
create table exam_paper_moves (
  id bigint generated always as identity primary key,
  offering_id integer not null,
  registration_id integer not null,
  student_id integer,
  from_barcode_id integer,
  to_barcode_id integer,
  -- Drawn for this paper, when barcodes were given out.
  printed boolean not null,
  -- What was asked for, with the reason and who confirmed it; null: barcodes given out, or a registration that was removed.
  change_id integer,
  at timestamptz not null default now(),
  actor_id integer,
  impersonator_id integer,
  constraint exam_paper_move_differs check (from_barcode_id is distinct from to_barcode_id)
);
create index exam_paper_moves_offering on exam_paper_moves (offering_id, id);
create index exam_paper_moves_to on exam_paper_moves (to_barcode_id);
create function refuse_paper_move_change() returns trigger language plpgsql as $$
begin
  raise exception 'The history of exam papers is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on exam_paper_moves for each row execute function refuse_paper_move_change();
create trigger append_only_truncate before truncate on exam_paper_moves for each statement execute function refuse_paper_move_change();

-- What is on a paper now was put there before this was written down: whether a barcode was drawn for it is not known any more,
-- so each counts as its paper's own.
insert into exam_paper_moves (offering_id, registration_id, student_id, to_barcode_id, printed, at)
select b.offering_id, w.registration_id, r.student_id, w.barcode_id, true, w.attached_at
from exam_barcode_owners w join exam_barcodes b on b.id = w.barcode_id join registrations r on r.id = w.registration_id
order by w.attached_at, w.barcode_id;

-- A barcode that was on the paper of one student is never put on that of another. It changes only as it was asked for, with a
-- reason; once a paper of the offering was marked, only what a second person confirmed; a marked paper keeps its own.
create function exam_paper_moved() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  from_id integer := case when tg_op <> 'INSERT' then old.barcode_id end;
  to_id integer := case when tg_op <> 'DELETE' then new.barcode_id end;
  of_registration integer := case when tg_op = 'DELETE' then old.registration_id else new.registration_id end;
  of_offering integer;
  fresh boolean;
  asked exam_paper_changes;
begin
  if tg_op = 'UPDATE' then
    if old.registration_id <> new.registration_id then
      raise exception 'A barcode does not go from one paper to another' using errcode = 'insufficient_privilege';
    end if;
    if from_id = to_id then
      return null;
    end if;
  end if;
  select b.offering_id, tg_op = 'INSERT' and b.created_at = now() and not exists (
      select from exam_paper_moves m where m.to_barcode_id = b.id) into of_offering, fresh
    from exam_barcodes b where b.id = coalesce(to_id, from_id);
  -- With a registration that is removed its barcode goes: nobody decided about its paper.
  if tg_op <> 'DELETE' or exists (select from registrations r where r.id = of_registration) then
    if to_id is not null and not exists (select from registrations r where r.id = of_registration and r.offering_id = of_offering) then
      raise exception 'A barcode belongs to one offering' using errcode = 'check_violation';
    end if;
    if exists (select from exam_paper_moves m where m.to_barcode_id = to_id and m.registration_id <> of_registration) then
      raise exception using errcode = 'UE409', message = 'barcode_of_another',
        detail = (select json_build_object('barcode', b.code)::text from exam_barcodes b where b.id = to_id);
    end if;
    if exists (select from exam_barcodes b where b.id = from_id and (b.absent or b.mark is not null)) then
      raise exception 'A marked paper keeps its barcode' using errcode = 'check_violation';
    end if;
    select c.* into asked from exam_paper_changes c
      where c.registration_id = of_registration and c.status = 'done' and c.done_at = now()
        and c.from_barcode_id is not distinct from from_id and c.to_barcode_id is not distinct from to_id;
    if not fresh and asked.id is null then
      raise exception 'The barcode of an exam paper changes as it was asked for, with a reason' using errcode = 'insufficient_privilege';
    end if;
    if not fresh and asked.decided_by is null and exam_marking_began(of_offering) then
      raise exception 'A second person confirms what changes on exam papers that are being marked' using errcode = 'insufficient_privilege';
    end if;
  end if;
  insert into exam_paper_moves (offering_id, registration_id, student_id, from_barcode_id, to_barcode_id, printed, change_id, actor_id, impersonator_id)
  values (of_offering, of_registration, (select r.student_id from registrations r where r.id = of_registration), from_id, to_id,
    coalesce(fresh, false), asked.id, (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer);
  return null;
end $$;
-- Whether a paper of the offering has, or had, a mark.
create function exam_marking_began(of integer) returns boolean language sql stable as $$
  select exists (select from exam_barcodes b where b.offering_id = of and (b.version > 1 or b.absent or b.mark is not null))
$$;
create trigger moved after insert or update or delete on exam_barcode_owners for each row execute function exam_paper_moved();

-- A barcode keeps its signs and its offering, and stays.
create function keep_exam_barcode() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.code, old.offering_id, old.created_at) is not distinct from (new.code, new.offering_id, new.created_at) then
    return new;
  end if;
  raise exception 'A barcode of an exam paper stays as it was drawn' using errcode = 'insufficient_privilege';
end $$;
create trigger kept before update or delete on exam_barcodes for each row execute function keep_exam_barcode();

-- Names are closed once and opened once, and who has seen them has seen them. None of it has a name beside a barcode: the audit
-- trail tells it at once.
create function keep_anonymous_offering() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.opened_at is null
    and (old.offering_id, old.started_by, old.started_at) is not distinct from (new.offering_id, new.started_by, new.started_at) then
    return new;
  end if;
  raise exception 'Names of exam papers are closed once and opened once' using errcode = 'insufficient_privilege';
end $$;
create trigger kept before update or delete on anonymous_offerings for each row execute function keep_anonymous_offering();
create function keep_exam_name_reader() returns trigger language plpgsql as $$
begin
  -- With the account of a person this goes as well.
  if tg_op = 'DELETE' and not exists (select from users u where u.id = old.read_by) then
    return old;
  end if;
  raise exception 'Who has seen the names of exam papers has seen them' using errcode = 'insufficient_privilege';
end $$;
create trigger kept before update or delete on exam_name_readers for each row execute function keep_exam_name_reader();
select audit_table(t) from unnest(array['anonymous_offerings', 'exam_name_readers']) as t;
