-- By which digits of a telephone a household is known again, however it was typed; null: too few.
create or replace function phone_of_family(phone text) returns text language sql immutable as $$
  select case when length(regexp_replace(phone, '\D', '', 'g')) >= 10 then right(regexp_replace(phone, '\D', '', 'g'), 10) end
$$;
