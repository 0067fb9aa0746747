-- What a run gave stays as it was given: seats that are changed by hand are changed at the applicant.
create or replace function keep_distribution_place() returns trigger language plpgsql set search_path from current as $$
begin
  raise exception 'a place of a distribution is never rewritten' using errcode = 'check_violation', constraint = 'distribution_place_kept';
end $$;
