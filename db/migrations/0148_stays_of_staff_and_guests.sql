-- Who works here and guests sleep in hostels by their record, and are charged as students are. A name alone is left to members of groups,
-- and to stays that were entered before.

alter table hotel_reservations drop constraint reservation_who;
alter table hotel_reservations
  add column staff_id integer references users,
  add column guest_id integer references guests,
  add constraint reservation_who check (num_nonnulls(student_id, staff_id, guest_id, guest_name) = 1
    or (group_id is not null and num_nonnulls(student_id, staff_id, guest_id, guest_name) = 0)),
  -- Nobody is in two beds.
  add constraint reservation_twice_staff exclude using gist (staff_id with =, period with &&)
    where (staff_id is not null and removed_at is null and status in ('requested', 'confirmed', 'checked_in')),
  add constraint reservation_twice_guest exclude using gist (guest_id with =, period with &&)
    where (guest_id is not null and removed_at is null and status in ('requested', 'confirmed', 'checked_in'));
create index hotel_reservations_staff on hotel_reservations (staff_id) where staff_id is not null;
create index hotel_reservations_guest on hotel_reservations (guest_id) where guest_id is not null;
