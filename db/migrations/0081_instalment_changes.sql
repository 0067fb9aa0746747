-- What the instalments of an invoice were and became, by whom and why: its history tells it. Notes change them too.

create table installment_changes (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  kind text not null check (kind in ('due_date', 'split', 'edited', 'removed', 'note', 'reversed')),
  note_id integer references invoice_notes,
  parts_before jsonb not null,
  parts_after jsonb not null,
  reason text not null check (btrim(reason) <> ''),
  created_by integer references users,
  created_at timestamptz not null default clock_timestamp(),
  constraint installment_change_note check ((kind = 'note') = (note_id is not null)),
  constraint installment_change_something check (parts_before <> parts_after)
);
create index installment_changes_invoice on installment_changes (invoice_id, id);
create index installment_changes_note on installment_changes (note_id);
create index installment_changes_by on installment_changes (created_by);
create trigger append_only before update or delete on installment_changes for each row execute function refuse_ledger_change();
create trigger append_only_truncate before truncate on installment_changes for each statement execute function refuse_ledger_change();
