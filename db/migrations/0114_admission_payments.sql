-- What applicants pay: each is a payer of the ledger from the first charge on, and every fee is an invoice of its own.

alter table payers drop constraint payer_of_somebody;
alter table payers add column applicant_id integer references applicants,
  add constraint payer_of_somebody check (num_nonnulls(student_id, sponsor_id, applicant_id) = 1);
create unique index payers_applicant on payers (applicant_id) where applicant_id is not null;

alter table invoices drop constraint invoices_type_check,
  add constraint invoices_type_check check (type in ('tuition', 'hours', 'summer', 'certificates', 'services', 'exams', 'extra', 'sponsor',
    'admission'));
insert into ledger_accounts (code, kind, role, per_payer, name, name_local) values
  ('4310', 'income', 'admission', false, 'Fees of applicants', 'رسوم المتقدمين');

-- Since when a fee that the application was told of as settled is not: a payment was cancelled, or the invoice reversed. Nobody is
-- led back by that, so it stands here until the fee is settled again.
alter table applicant_fees add column unsettled_at timestamptz;
create index applicant_fees_unsettled on applicant_fees (unsettled_at) where unsettled_at is not null;
-- Those who wait for what they pay.
create index applicants_paying on applicants (status) where status in ('EXAM_FEES_REQUIRED', 'EXAM_FAILS', 'FINAL_FEES_REQUIRED');

-- Fees that stand otherwise than the application was told, and those that are settled and whose application has not gone on yet.
create view applicant_fees_untold as
select f.invoice_id, f.applicant_id, f.fee, f.attempt, i.payer_id, x.settled, f.settled as told
from applicant_fees f join invoices i on i.id = f.invoice_id left join invoice_balances b on b.invoice_id = f.invoice_id
  join applicants a on a.id = f.applicant_id
  cross join lateral (select i.reversed_at is null and coalesce(b.settled >= b.charged, false) as settled) x
where f.taken_back_at is null and (f.settled <> x.settled or x.settled and (
  f.fee = 'exam' and f.attempt = a.exam_attempt and a.status in ('EXAM_FEES_REQUIRED', 'EXAM_FAILS')
  or f.fee = 'final' and a.status = 'FINAL_FEES_REQUIRED'));
