-- Offerings whose signed sheet this transaction has changed: the program signs them again before it commits.
create or replace function note_unsigned(ids text) returns void language plpgsql as $$
begin
  if ids is not null then
    perform set_config('ems.unsigned', concat_ws(',', nullif(current_setting('ems.unsigned', true), ''), ids), true);
  end if;
end $$;
