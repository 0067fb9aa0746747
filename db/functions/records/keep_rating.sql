create or replace function keep_rating() returns trigger language plpgsql as $$
begin
  if not exists (select from bylaw_ratings a where a.bylaw_id = old.bylaw_id and a.code = old.code) then
    perform keep_grade(old.bylaw_id, 'rating', old.code);
  end if;
  return null;
end $$;
