create or replace function is_held(person integer) returns boolean language sql stable as $$
  select exists (select from legal_holds where user_id = person and ended_at is null)
$$;
