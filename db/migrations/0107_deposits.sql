-- Deposits: charged once when a student enters, held for the student, and given back when the student leaves.

alter table fee_items add column deposit boolean not null default false,
  add constraint fee_item_deposit check (deposit <= (is_automatic and not late_only and type = 'services'));
install function keep_fee_item;
drop trigger keep_item on fee_items;
create trigger keep_item before update of type, is_automatic, late_only, deposit on fee_items for each row execute function keep_fee_item();

insert into ledger_accounts (code, kind, role, per_payer, name, name_local) values
  ('2300', 'liability', 'deposit', true, 'Deposits of students', 'تأمينات الطلاب');
-- What is held for a payer; never less than nothing, so that nothing is given back twice.
alter table payer_balances add column deposit bigint not null default 0 constraint deposit_negative check (deposit >= 0);
create index payer_balances_deposit on payer_balances (payer_id) where deposit > 0;
install function ledger_post;

-- Money that was held and is the payer's again: it settles what is owed, the rest goes into the wallet.
alter table transactions drop constraint transactions_way_check,
  add constraint transactions_way_check check (way in ('cash', 'slip', 'bank', 'card', 'mobile', 'wallet', 'deposit')),
  add constraint transaction_deposit check (way <> 'deposit' or (direction = 'in' and purpose = 'payment'));
create index transactions_deposit on transactions (payer_id, currency) where way = 'deposit';
