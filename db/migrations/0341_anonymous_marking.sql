-- Exam papers without names: each carries a barcode, and whoever marks knows nothing else. Which barcode is whose stands in a
-- table of its own, and a mark stays with its barcode until control opens the names: until then no record, trail, version or
-- order says whose mark it is.

create table exam_barcodes (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings,
  -- Random: it tells nothing, and none is guessed from another.
  code text not null constraint exam_barcode_known unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  mark numeric(5, 2) check (mark >= 0),
  absent boolean not null default false,
  marked_by integer references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint exam_barcode_mark check (not absent or mark is null)
);
create index exam_barcodes_offering on exam_barcodes (offering_id, code);
select audit_table('exam_barcodes');

-- Whose paper a barcode is on; a barcode without a row is free. Not in the audit trail, which more people read.
create table exam_barcode_owners (
  barcode_id integer primary key references exam_barcodes on delete cascade,
  registration_id integer not null references registrations on delete cascade,
  attached_at timestamptz not null default now(),
  -- One paper of a registration counts.
  constraint exam_barcode_once unique (registration_id)
);

-- Offerings whose final exam is marked without names.
create table anonymous_offerings (
  offering_id integer primary key references offerings,
  started_by integer references users,
  started_at timestamptz not null default now(),
  -- From then on the marks stand with the names.
  opened_by integer references users,
  opened_at timestamptz,
  constraint anonymous_offering_opened check (opened_by is null or opened_at is not null)
);

-- Who has seen whose barcode is which: marks nothing there.
create table exam_name_readers (
  offering_id integer not null references offerings,
  read_by integer not null references users on delete cascade,
  at timestamptz not null default now(),
  primary key (offering_id, read_by)
);
create index exam_name_readers_person on exam_name_readers (read_by);
create index exam_barcodes_marker on exam_barcodes (marked_by);

-- While names are closed the marks of the final exam come by barcode, and control does not take the offering.
create function names_are_closed(of integer) returns boolean language sql stable as $$
  select exists (select from anonymous_offerings a where a.offering_id = of and a.opened_at is null)
$$;
create function guard_closed_names() returns trigger language plpgsql as $$
begin
  if names_are_closed(new.id) then
    raise exception using errcode = 'UE409', message = 'names_closed',
      detail = (select json_build_object('course', c.code)::text from courses c where c.id = new.course_id);
  end if;
  return new;
end $$;
create trigger closed_names before update of control_status on offerings for each row
  when (old.control_status = 'Draft' and new.control_status <> 'Draft') execute function guard_closed_names();
