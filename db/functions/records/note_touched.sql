-- Registrations of approved offerings that this transaction has changed on an authority: only they are signed again, so that what
-- somebody else changed past the program on the same sheet is still found. Nothing is asked where no authority is told.
create or replace function note_touched(ids text) returns void language plpgsql as $$
begin
  if ids is not null then
    perform set_config('ems.touched', concat_ws(',', nullif(current_setting('ems.touched', true), ''), ids), true);
  end if;
end $$;
