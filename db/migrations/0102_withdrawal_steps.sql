-- What a withdrawn course costs by the day on which it was left: through so many days after the first day of a term, so much.
-- After the last step `bylaws.withdrawal_charge` holds.
create table bylaw_withdrawal_steps (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  summer boolean not null default false,
  days smallint not null check (days between 0 and 366),
  -- Of the fees of the course.
  percent numeric(5, 2) not null check (percent between 0 and 100),
  constraint bylaw_withdrawal_steps_once unique (bylaw_id, summer, days) deferrable
);
select audit_rows('bylaw_withdrawal_steps', 'bylaw_id');
install function decide_withdrawal_charge;
