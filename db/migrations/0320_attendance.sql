-- Attendance: who was at which meeting on which date, and what absences lead to by the rule of the bylaw.

-- Shares of the meetings of the term, in percent; null: no rule.
alter table bylaws
  add column absence_warn_share numeric(5, 2) constraint bylaws_absence_warn_share check (absence_warn_share > 0 and absence_warn_share <= 100),
  add column absence_ban_share numeric(5, 2) constraint bylaws_absence_ban_share check (absence_ban_share > 0 and absence_ban_share <= 100),
  add column excused_absence_counts boolean not null default false,
  -- So many times late are one absence; 0: none.
  add column lates_per_absence smallint not null default 0 constraint bylaws_lates_per_absence check (lates_per_absence between 0 and 20),
  add constraint bylaws_absence_order check (absence_warn_share <= absence_ban_share);

create function is_network_list(list text) returns boolean language plpgsql immutable as $$
begin
  perform string_to_array(regexp_replace(list, '\s', '', 'g'), ',')::cidr[];
  return true;
exception when others then
  return false;
end $$;
-- From where codes are scanned in a room: networks, separated by commas; null: from anywhere.
alter table locations add column attendance_networks text
  constraint location_networks check (is_network_list(attendance_networks));

-- A meeting on a date: it exists once something is said of it. The others follow from the day of the meeting and the term.
create table meeting_occurrences (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings on delete cascade,
  -- null: the meeting was given up; what was recorded stays.
  offering_slot_id integer references offering_slots on delete set null,
  date date not null,
  cancelled_at timestamptz,
  cancelled_reason text,
  created_at timestamptz not null default now(),
  constraint meeting_occurrence_once unique (offering_slot_id, date),
  constraint meeting_occurrence_cancelled check ((cancelled_at is null) = (cancelled_reason is null))
);
create index meeting_occurrences_offering on meeting_occurrences (offering_id, date);
select audit_table('meeting_occurrences');

create table attendance (
  occurrence_id integer not null references meeting_occurrences on delete cascade,
  student_id integer not null references students on delete cascade,
  state text not null check (state in ('present', 'absent', 'excused', 'late')),
  by_scan boolean not null default false,
  recorded_by integer references users,
  recorded_at timestamptz not null default now(),
  -- Hash of the browser that scanned: one counts for one student.
  device bytea,
  primary key (occurrence_id, student_id)
);
create index attendance_student on attendance (student_id);
create unique index attendance_device on attendance (occurrence_id, device) where device is not null;
select audit_table('attendance', array['device', 'recorded_at', 'recorded_by']);

-- Codes that are being shown: what the codes of an occurrence are made of, beside the key of the university.
create table attendance_codes (
  occurrence_id integer primary key references meeting_occurrences on delete cascade,
  nonce bytea not null,
  opened_at timestamptz not null default now(),
  opened_by integer references users,
  closes_at timestamptz not null,
  -- Who scans later is late; null: nobody.
  late_from timestamptz
);
create index attendance_codes_closing on attendance_codes (closes_at);

-- A meeting is taught in the university's own time, whichever process asks.
create function university_today() returns date language sql stable
return (now() at time zone university_zone())::date;

-- Nothing is recorded of a meeting that was cancelled, whoever writes at the same moment.
create function attendance_of_held_meeting() returns trigger language plpgsql as $$
begin
  perform from meeting_occurrences where id = new.occurrence_id and cancelled_at is null for share;
  if not found then
    raise exception using errcode = 'UE409', message = 'occurrence_cancelled',
      detail = (select json_build_object('date', date) from meeting_occurrences where id = new.occurrence_id)::text;
  end if;
  return new;
end $$;
create trigger held before insert or update of state on attendance for each row execute function attendance_of_held_meeting();

-- What absences came to for a registration: a warning, a ban that is proposed, and what was decided.
create table absence_cases (
  id integer generated always as identity primary key,
  registration_id integer not null constraint absence_cases_registration_key unique references registrations on delete cascade,
  status text not null check (status in ('warned', 'proposed', 'banned', 'waived', 'closed')),
  -- As they were when the limit was passed.
  absences numeric(6, 2) not null,
  planned integer not null,
  share numeric(5, 2) not null,
  warned_at timestamptz not null default now(),
  proposed_at timestamptz,
  decided_reason text,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index absence_cases_waiting on absence_cases (status) where status in ('warned', 'proposed');
select audit_table('absence_cases');
