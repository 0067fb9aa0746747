-- An application that is put on hold or cancelled holds no seat any more, whichever way it comes there.
create or replace function release_applicant_seat() returns trigger language plpgsql set search_path from current as $$
begin
  if new.status in ('REJECTED', 'CANCELLED') then new.program_id := null; end if;
  return new;
end $$;
