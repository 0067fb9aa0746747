-- No more papers come back than went into the hall. What was counted before stays.
alter table exam_deliveries add constraint papers_more_than_out check (returned <= delivered) not valid;
do $$
begin
  alter table exam_deliveries validate constraint papers_more_than_out;
exception when check_violation then
  raise warning 'More papers than went out came back before; these counts stay';
end $$;
