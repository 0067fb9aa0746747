create or replace function short_name_of_faculty() returns trigger language plpgsql as $$
begin
  new.short_name := coalesce(nullif(btrim(new.short_name), ''), new.code);
  return new;
end $$;
