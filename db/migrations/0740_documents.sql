-- What students hand in at entry and later, by kinds that the university names: which are required, from whom, and which expire.
select create_lookup('document_kinds');
alter table document_kinds
  add column is_required boolean not null default false,
  add column nationality text not null default 'all' check (nationality in ('all', 'egyptian', 'foreign')),
  add column gender smallint check (gender in (1, 2)),
  add column study_level text check (study_level in ('undergraduate', 'postgraduate')),
  add column from_level smallint check (from_level between 0 and 7),
  -- Required of who entered in this term or later; null: of everybody.
  add column from_term_id integer references terms,
  add column expires boolean not null default false,
  -- So many days before a document expires its holder is told.
  add column told_days smallint not null default 30 check (told_days between 0 and 366);
create index document_kinds_from_term on document_kinds (from_term_id);

create table student_documents (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  kind_id integer not null references document_kinds,
  status text not null default 'owed' check (status in ('owed', 'handed_in', 'accepted', 'rejected', 'outdated', 'waived')),
  -- Staff ask for it from this student, whatever the kind says of others.
  asked boolean not null default false,
  file_id integer references files,
  number text,
  expires_on date,
  -- The day of expiry of which the student was told beforehand.
  told_of date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index student_documents_student on student_documents (student_id, kind_id);
create index student_documents_waiting on student_documents (created_at) where status = 'handed_in' and removed_at is null;
create index student_documents_expiry on student_documents (expires_on) where status = 'accepted' and removed_at is null;
create index student_documents_kind on student_documents (kind_id);
create index student_documents_file on student_documents (file_id);
-- Of one kind one is asked for or looked at, not two.
create unique index document_open_already on student_documents (student_id, kind_id)
  where status in ('owed', 'handed_in', 'waived') and removed_at is null;
select audit_table('student_documents');

-- What lacks holds: a hold for each kind, put and lifted here alone.
alter table student_holds add column document_kind_id integer references document_kinds on delete cascade;
create unique index student_holds_document on student_holds (student_id, document_kind_id) where lifted_at is null and document_kind_id is not null;
create index student_holds_of_document on student_holds (document_kind_id);

-- Kinds that are required of students, by the kind or because staff ask for them.
create function documents_required(ids integer[]) returns table (student_id integer, kind_id integer) language sql stable as $$
  select s.id, k.id
  from students s join programs p on p.id = s.program_id left join terms e on e.id = s.entry_term_id
    cross join document_kinds k left join terms f on f.id = k.from_term_id
  where s.id = any(ids)
    and (k.removed_at is null and k.is_required
        and (k.nationality = 'all' or s.nationality_id is not null and (k.nationality = 'egyptian') = (s.nationality_id = 64))
        and (k.gender is null or k.gender = s.gender)
        and (k.study_level is null or k.study_level = p.study_level)
        and (k.from_level is null or s.level >= k.from_level)
        and (k.from_term_id is null or e.start_date >= f.start_date)
      or exists (select from student_documents d where d.student_id = s.id and d.kind_id = k.id and d.asked and d.removed_at is null))
$$;
-- What of it students who study lack: it is neither accepted nor waived.
create function documents_lacking(ids integer[]) returns table (student_id integer, kind_id integer) language sql stable as $$
  select r.student_id, r.kind_id from documents_required(ids) r join students s on s.id = r.student_id
  where s.removed_at is null and s.status in ('studying', 'suspended')
    and not exists (select from student_documents d where d.student_id = r.student_id and d.kind_id = r.kind_id and d.removed_at is null
      and d.status in ('accepted', 'waived'))
$$;

-- Brings the holds of students to what they lack, and what their records say to the holds.
create function settle_documents(ids integer[]) returns void language plpgsql as $$
begin
  -- In one order: two at the same moment come one after the other.
  perform from students where id = any(ids) order by id for no key update;
  update student_holds h set lifted_at = now()
  where h.student_id = any(ids) and h.document_kind_id is not null and h.lifted_at is null
    and not exists (select from documents_lacking(array[h.student_id]) l where l.kind_id = h.document_kind_id);
  insert into student_holds (student_id, kind, note, note_local, document_kind_id)
  select l.student_id, 'missing_documents', k.name, k.name_local, l.kind_id
  from documents_lacking(ids) l join document_kinds k on k.id = l.kind_id order by 1, 5
  on conflict (student_id, document_kind_id) where lifted_at is null and document_kind_id is not null do nothing;
  update students s set missing_documents = not s.missing_documents
  where s.id = any(ids) and s.missing_documents <> exists (
    select from student_holds h where h.student_id = s.id and h.document_kind_id is not null and h.lifted_at is null);
end $$;

create function settle_documents_of_rows() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    perform settle_documents(array[new.student_id]);
  end if;
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and old.student_id <> new.student_id then
    perform settle_documents(array[old.student_id]);
  end if;
  return null;
end $$;
create trigger settle_documents after insert or delete or update of student_id, kind_id, status, asked, removed_at on student_documents
  for each row execute function settle_documents_of_rows();

create function settle_documents_of_student() returns trigger language plpgsql as $$
begin
  perform settle_documents(array[new.id]);
  return null;
end $$;
create trigger settle_documents_of_new after insert on students for each row execute function settle_documents_of_student();
create trigger settle_documents_of_changed after update of gender, nationality_id, program_id, level, entry_term_id, status, removed_at on students
  for each row when ((new.gender, new.nationality_id, new.program_id, new.level, new.entry_term_id, new.status, new.removed_at)
    is distinct from (old.gender, old.nationality_id, old.program_id, old.level, old.entry_term_id, old.status, old.removed_at))
  execute function settle_documents_of_student();

-- A kind that is required from now on, or of others, concerns everybody; so does the level of study of a program.
create function settle_documents_of_all() returns trigger language plpgsql as $$
begin
  perform settle_documents(array(select x.id from (
      select l.student_id as id, l.kind_id from documents_lacking(array(select s.id from students s)) l
      except select h.student_id, h.document_kind_id from student_holds h where h.document_kind_id is not null and h.lifted_at is null) x
    union select y.id from (
      select h.student_id as id, h.document_kind_id from student_holds h where h.document_kind_id is not null and h.lifted_at is null
      except select l.student_id, l.kind_id from documents_lacking(array(select s.id from students s)) l) y));
  return null;
end $$;
create trigger settle_documents_of_all after insert or delete or update of is_required, nationality, gender, study_level, from_level, from_term_id, removed_at
  on document_kinds for each statement execute function settle_documents_of_all();
create trigger settle_documents_of_all after update of study_level on programs for each statement execute function settle_documents_of_all();
create trigger settle_documents_of_all after update of start_date on terms for each statement execute function settle_documents_of_all();

-- What was said by a flag and by holds without a name becomes a list: somebody names what it was.
insert into document_kinds (code, name, name_local)
select 'UNNAMED', 'Documents that were not named', 'مستندات لم تُحدَّد'
where exists (select from students where missing_documents)
  or exists (select from student_holds where kind = 'missing_documents' and lifted_at is null);
insert into student_documents (student_id, kind_id, asked)
select s.id, k.id, true from students s, document_kinds k
where k.code = 'UNNAMED' and (s.missing_documents
  or exists (select from student_holds h where h.student_id = s.id and h.kind = 'missing_documents' and h.lifted_at is null));
update student_holds set lifted_at = now() where kind = 'missing_documents' and document_kind_id is null and lifted_at is null;
alter table student_holds add constraint document_hold_of_kind
  check ((kind = 'missing_documents' and lifted_at is null) <= (document_kind_id is not null) and (document_kind_id is null or kind = 'missing_documents'));

-- The flag of the record follows from the list: whoever writes it writes what the list says.
create function keep_missing_documents() returns trigger language plpgsql as $$
begin
  new.missing_documents := exists (
    select from student_holds h where h.student_id = new.id and h.document_kind_id is not null and h.lifted_at is null);
  return new;
end $$;
create trigger keep_missing_documents before insert or update of missing_documents on students
  for each row execute function keep_missing_documents();
