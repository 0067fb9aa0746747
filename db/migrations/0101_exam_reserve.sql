-- Seats of each hall that automatic placement and the handing out of seats keep free, for students who register late.
install function exam_reserve;
alter table exams
  add column reserve_percent smallint not null default 0 check (reserve_percent between 0 and 50),
  add column reserve_seats smallint not null default 0 check (reserve_seats between 0 and 500);
