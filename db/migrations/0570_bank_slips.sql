-- Bank slips: a paper with which a student pays at the bank, and the stamped one that comes back.

-- By what the bank named money that a slip or a person says has come. What was booked by it once is not booked again.
alter table transactions
  add column bank_reference text check (length(bank_reference) between 3 and 60),
  add column bank_reference_key text generated always as (lower(regexp_replace(bank_reference, '[^[:alnum:]]', '', 'g'))) stored,
  add constraint transaction_bank_reference check (bank_reference is null or bank_id is not null);
create unique index bank_reference_used on transactions (bank_id, bank_reference_key) where status = 'paid' and bank_reference_key is not null;
create index transactions_bank_reference on transactions (bank_reference_key) where bank_reference_key is not null;

create table payment_slips (
  id integer generated always as identity primary key,
  number text not null unique,
  -- The money that it stands for: amount, bank, invoice and what the bank calls it are there.
  transaction_id integer not null unique references transactions,
  invoice_id integer not null references invoices,
  -- Which instalment of it; null: all that is open.
  part smallint check (part between 1 and 3),
  parts int4range not null generated always as (case when part is null then int4range(1, 4) else int4range(part, part + 1) end) stored,
  -- What it was issued for; what was paid may differ, and stands in the transaction.
  amount bigint not null check (amount > 0),
  status text not null default 'issued' check (status in ('issued', 'uploaded', 'accepted', 'rejected', 'expired', 'cancelled')),
  issued_on date not null default university_today(),
  expires_on date not null,
  -- What the bank stamped.
  paid_on date,
  file_id integer references files,
  uploaded_at timestamptz,
  uploaded_by integer references users,
  rejected_reason text,
  search_text text generated always as (fold_text(number)) stored,
  version integer not null default 1,
  -- As every record with steps has it; a slip stays, with its state.
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint slip_days check (expires_on >= issued_on),
  constraint slip_stamped check (status not in ('uploaded', 'rejected') or (paid_on is not null and file_id is not null)),
  -- Of a part of an invoice one is out at a time, whoever issues it; all of it is every part.
  constraint slip_live exclude using gist (invoice_id with =, parts with &&) where (status in ('issued', 'uploaded'))
);
create index payment_slips_invoice on payment_slips (invoice_id);
create index payment_slips_file on payment_slips (file_id);
create index payment_slips_uploaded_by on payment_slips (uploaded_by);
create index payment_slips_waiting on payment_slips (uploaded_at) where status = 'uploaded';
select audit_table('payment_slips');

-- What was paid and looked at stays; a slip ends with its money.
create function keep_payment_slip() returns trigger language plpgsql as $$
begin
  if old.status in ('accepted', 'cancelled') and (new.paid_on, new.file_id, new.amount, new.transaction_id, new.invoice_id)
      is distinct from (old.paid_on, old.file_id, old.amount, old.transaction_id, old.invoice_id) then
    raise exception 'A slip that was decided on is not changed' using errcode = 'check_violation', constraint = 'slip_decided';
  end if;
  if new.status = 'accepted' and old.status <> 'accepted' and not exists (select from transactions t where t.id = new.transaction_id and t.status = 'paid') then
    raise exception 'A slip is accepted when its money is booked' using errcode = 'check_violation', constraint = 'slip_not_booked';
  end if;
  return new;
end $$;
create trigger keep_slip before update on payment_slips for each row execute function keep_payment_slip();

-- The bank's own file may bring the money before anybody looked at the slip, and what was booked may be cancelled: the slip follows.
create function follow_slip() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  slip payment_slips;
  leads text := case new.status when 'paid' then 'accepted' when 'cancelled' then 'cancelled' end;
begin
  select * into slip from payment_slips where transaction_id = new.id and status <> leads for update;
  if found then
    update payment_slips set status = leads where id = slip.id;
    if coalesce(current_setting('ems.slip_step', true), '') = '' then
      insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
        values ('slip', slip.id, (who ->> 'actor_id')::int, (who ->> 'impersonator_id')::int, case new.status when 'paid' then 'accept' else 'cancel' end,
          slip.status, leads, who ->> 'reason');
    end if;
  end if;
  return null;
end $$;
create trigger follow_slip after update of status on transactions for each row
  when (new.way = 'slip' and new.status is distinct from old.status and new.status in ('paid', 'cancelled')) execute function follow_slip();

-- A movement that a saved file of the bank has of the same money: by what the bank calls it, or by a number of ours; the transaction it
-- was booked by, null where nobody has claimed it.
create function bank_line_of(of_bank integer, of_amount bigint, keys text[], but integer)
  returns table (number text, transaction_id integer) language sql stable as $$
  select b.number, l.transaction_id from batch_lines l join batches b on b.id = l.batch_id
  where l.live and l.bank_id = of_bank and l.direction = 'in' and l.amount = of_amount and l.state <> 'not_booked' and (but is null or l.transaction_id is distinct from but)
    and (l.transaction_id is null or exists (select from transactions t where t.id = l.transaction_id and t.status = 'paid'))
    and (lower(regexp_replace(coalesce(l.bank_reference, ''), '[^[:alnum:]]', '', 'g')) = any(keys)
      or lower(regexp_replace(coalesce(l.reference, ''), '[^[:alnum:]]', '', 'g')) = any(keys)
      or exists (select from unnest(keys) k where length(k) >= 6 and strpos(lower(regexp_replace(coalesce(l.description, ''), '[^[:alnum:]]', '', 'g')), k) > 0))
  order by l.id limit 1 $$;
create index batch_lines_amount on batch_lines (bank_id, amount) where live;
