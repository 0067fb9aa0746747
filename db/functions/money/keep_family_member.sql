-- Who is a member is so exactly as long as the family stands.
create or replace function keep_family_member() returns trigger language plpgsql as $$
begin
  select f.status = 'active' and f.removed_at is null into new.live from families f where f.id = new.family_id for share;
  return new;
end $$;
