-- What was charged for a request that costs something: while it is not paid, nobody decides on the request.
create table request_fees (
  invoice_id integer primary key references invoices,
  -- Name of the workflow, and id of the record in its table.
  workflow text not null,
  record_id integer not null,
  -- As the request was told last.
  settled boolean not null default false,
  -- The request was taken back, or goes on without it.
  taken_back_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index fee_charged_already on request_fees (workflow, record_id) where taken_back_at is null;

-- Fees whose request has not heard yet how they stand. What was reversed is to be paid no more.
create view request_fees_untold as
select f.invoice_id, f.workflow, f.record_id, i.payer_id, coalesce(b.settled >= b.charged, false) as settled
from request_fees f join invoices i on i.id = f.invoice_id left join invoice_balances b on b.invoice_id = f.invoice_id
where f.taken_back_at is null and f.settled <> coalesce(b.settled >= b.charged, false);
