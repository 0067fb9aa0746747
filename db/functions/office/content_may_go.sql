-- Whether a content may leave the store before this transaction ends: nobody begins to need it meanwhile, and no backup reads.
create or replace function content_may_go(gone text) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(72402) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(gone, 72402));
  return not content_named(gone)
    and not exists (select from held_contents h where h.hash = gone and h.until > now());
end $$;
