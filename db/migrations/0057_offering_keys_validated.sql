-- Looks through what stands there already, without keeping anybody from writing meanwhile.
alter table offering_slots validate constraint offering_slots_offering;
alter table registrations validate constraint registrations_offering;
