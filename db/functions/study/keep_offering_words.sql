-- The row stands exactly as long as the offering is approved, and nobody writes it but this.
create or replace function keep_offering_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.control_status in ('Approved', 'Published', 'Frozen') then
    insert into offering_words (offering_id, code, name, name_local, credit_hours)
    select new.id, c.code, c.name, c.name_local, c.credit_hours from courses c where c.id = new.course_id
    on conflict do nothing;
  else
    delete from offering_words where offering_id = new.id;
  end if;
  return null;
end $$;
