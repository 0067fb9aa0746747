-- Contents of the file store to which no record refers yet, or none any more. Whoever puts one into the store notes it here
-- before it stands there; what nothing refers to when that time is over leaves the store.
create table held_contents (
  id bigint generated always as identity primary key,
  hash text not null constraint held_contents_hash check (hash ~ '^[0-9a-f]{64}$'),
  until timestamptz not null
);
create index held_contents_hash_idx on held_contents (hash);
create index held_contents_until_idx on held_contents (until);
create index archive_upload_parts_hash on archive_upload_parts (hash);

-- Whether a record names the content.
create function content_named(wanted text) returns boolean language sql stable as $$
  select exists (select from files f where f.hash = wanted) or exists (select from archive_upload_parts p where p.hash = wanted)
$$;

-- Notes that a content comes. Whoever is just removing the same one is waited for: it is written anew then.
create function hold_content(coming text, for_how_long interval) returns bigint language plpgsql as $$
declare
  held bigint;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(coming, 72402));
  insert into held_contents (hash, until) values (coming, now() + for_how_long) returning id into held;
  return held;
end $$;

-- Whether a content may leave the store before this transaction ends: nobody begins to need it meanwhile, and no backup reads.
create function content_may_go(gone text) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(72402) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(gone, 72402));
  return not content_named(gone)
    and not exists (select from held_contents h where h.hash = gone and h.until > now());
end $$;

-- A content whose record is gone is looked at by the next sweep.
create function forget_content() returns trigger language plpgsql as $$
begin
  insert into held_contents (hash, until) select distinct hash, now() from gone;
  return null;
end $$;
create trigger content_forgotten after delete on files
  referencing old table as gone for each statement execute function forget_content();
create trigger content_forgotten after delete on archive_upload_parts
  referencing old table as gone for each statement execute function forget_content();
