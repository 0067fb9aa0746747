-- Of two requests at one moment, to move within the university and to leave it, one is refused.
create or replace function one_way_of_transfer() returns trigger language plpgsql as $$
begin
  perform from students where id = new.student_id for no key update;
  if tg_table_name = 'transfers_out' then
    if new.status = 'requested' and exists (select from internal_transfers where student_id = new.student_id and status in ('added', 'agreed')) then
      raise exception using errcode = '23514', constraint = 'transfer_out_while_internal', message = 'an internal transfer is pending';
    end if;
  elsif new.status in ('added', 'agreed') and exists (select from transfers_out where student_id = new.student_id and status = 'requested') then
    raise exception using errcode = '23514', constraint = 'transfer_while_out', message = 'a transfer out is pending';
  end if;
  return new;
end $$;
