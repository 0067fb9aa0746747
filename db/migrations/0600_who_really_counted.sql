-- Somebody who acts as a cashier is the one who really sits at the drawer: nobody reviews what was so opened or counted by oneself.
alter table cash_shifts
  add column really_opened_by integer references users,
  add column really_closed_by integer references users;
create index cash_shifts_really_opened_by on cash_shifts (really_opened_by);
create index cash_shifts_really_closed_by on cash_shifts (really_closed_by);
