-- The last day of the last contract of an employee; null: none, or one without an end.
create or replace function contract_ends_on(employee integer) returns date language sql stable as $$
  select nullif(max(coalesce(c.to_date, 'infinity')), 'infinity') from employee_contracts c where c.employee_id = employee
$$;
