-- Papers were made with it: a wording stays as it was, and another one is another version.
create or replace function keep_certificate_wording() returns trigger language plpgsql as $$
begin
  raise exception 'A wording stays as it was' using errcode = 'insufficient_privilege';
end $$;
