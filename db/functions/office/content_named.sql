-- Whether a record names the content.
create or replace function content_named(wanted text) returns boolean language sql stable as $$
  select exists (select from files f where f.hash = wanted)
    or exists (select from archive_upload_parts p where p.hash = wanted)
    or exists (select from application_upload_parts p where p.hash = wanted)
$$;
