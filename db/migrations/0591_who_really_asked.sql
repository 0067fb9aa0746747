-- Somebody who acts as another one is the one who really sits there: who asked for a refund so does not approve it in the own name,
-- nor acting as a third.
alter table refund_requests
  add column really_asked_by integer references users,
  add constraint refund_own_request_really check (decided_by <> really_asked_by);
create index refund_requests_really_asked_by on refund_requests (really_asked_by);
