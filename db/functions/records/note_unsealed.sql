-- Records that this transaction has changed, as kind:key. The program seals them before it commits, where one of its own
-- functions has changed them; whoever writes to the database past it is not sealed.
create or replace function note_unsealed(records text) returns void language plpgsql as $$
begin
  if records is not null then
    perform set_config('ems.unsealed', concat_ws(',', nullif(current_setting('ems.unsealed', true), ''), records), true);
  end if;
end $$;
