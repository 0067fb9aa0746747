create or replace function touch_row() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
