-- Who answers for a student may agree to an exchange before the seat is there: then it is had and the course given up in one
-- moment, also in a ring, where nobody could wait for an answer.
alter table wait_list
  add column approved_at timestamptz,
  add column approved_by integer references users,
  add constraint wait_list_approved check ((approved_at is null or gives_up_id is not null) and (approved_by is null or approved_at is not null));
create index wait_list_approved_by on wait_list (approved_by);
