-- A request keeps the fields and the offices with which it was made: what is changed in its kind concerns the next ones.
create or replace function keep_service_as_asked() returns trigger language plpgsql as $$
begin
  raise exception 'what a request for a service was made with stays as it is';
end $$;
