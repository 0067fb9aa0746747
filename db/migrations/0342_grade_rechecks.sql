-- A mark that somebody asks to be looked at again: by its student after publication, or by staff who find it wrong.
create table grade_rechecks (
  id integer generated always as identity primary key,
  registration_id integer not null references registrations on delete cascade,
  offering_mark_id integer not null references offering_marks,
  -- recheck: the student asks; correction: somebody who teaches or keeps marks.
  kind text not null check (kind in ('recheck', 'correction')),
  why text not null,
  status text not null default 'requested'
    check (status in ('requested', 'fee_due', 'under_review', 'accepted', 'rejected', 'cancelled')),
  -- As it stood when it was asked; `A`: absent.
  old_mark text not null,
  -- What the reviewer found: the mark it should be, and why; who decides is somebody else.
  new_mark text,
  finding text,
  reviewed_by integer references users,
  -- Minor units; null: nothing is to be paid.
  fee bigint check (fee >= 0),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint grade_recheck_found check ((new_mark is null) = (reviewed_by is null))
);
create index grade_rechecks_registration on grade_rechecks (registration_id);
create index grade_rechecks_mark on grade_rechecks (offering_mark_id);
create index grade_rechecks_status on grade_rechecks (status, created_at);
create index grade_rechecks_reviewer on grade_rechecks (reviewed_by);
-- A mark is rechecked once.
create unique index recheck_asked_twice on grade_rechecks (registration_id, offering_mark_id)
  where kind = 'recheck' and status <> 'cancelled' and removed_at is null;
-- And looked at for one reason at a time.
create unique index recheck_runs on grade_rechecks (registration_id, offering_mark_id)
  where status in ('requested', 'fee_due', 'under_review') and removed_at is null;
select audit_table('grade_rechecks');
