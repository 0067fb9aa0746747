-- A GPA lies between 0 and 4, a percentage between 0 and 100. What stands from before stays as it is until it is changed.
alter table scholarships add constraint scholarship_limits check (case basis
  when 'gpa' then from_value <= 4 and coalesce(to_value, 0) <= 4
  when 'percentage' then from_value <= 100 and coalesce(to_value, 0) <= 100
  when 'rank' then from_value >= 1
  when 'sibling' then from_value >= 1
  else true end) not valid;
-- Validated where nothing stands against it, which is nearly everywhere.
do $$
begin
  alter table scholarships validate constraint scholarship_limits;
exception when check_violation then
  raise warning 'Scholarships from before lie beyond their limits; they stay until they are changed';
end $$;
