create or replace function revise_with_offering() returns trigger language plpgsql as $$
begin
  perform revise_terms(array_agg(student_id), array_agg(term_id), array_agg(true)) from registrations
    where offering_id = new.id and status & 17592186047488 = 0;
  return null;
end $$;
