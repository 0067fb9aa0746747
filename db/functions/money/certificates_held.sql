create or replace function certificates_held(of_student integer) returns boolean language sql stable as $$ select kept_by_debt(of_student, 'certificates') $$;
