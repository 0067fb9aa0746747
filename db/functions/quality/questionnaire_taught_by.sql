-- Whether a registration belongs to what an instructor teaches in its offering: he or she leads a meeting that the student attends,
-- or is in the team and leads no meeting.
create or replace function questionnaire_taught_by(registration integer, offering integer, instructor integer) returns boolean language sql stable as $$
  select exists (
      select from registration_slots rs join offering_slot_instructors si on si.offering_slot_id = rs.offering_slot_id
      where rs.registration_id = registration and si.instructor_id = instructor)
    or not exists (
      select from offerings o join offering_slots os on os.offering_id in (o.id, o.linked_offering_id)
        join offering_slot_instructors si on si.offering_slot_id = os.id
      where o.id = offering and si.instructor_id = instructor)
$$;
