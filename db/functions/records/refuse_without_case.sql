create or replace function refuse_without_case(of_registration integer) returns void language plpgsql as $$
declare
  named text;
begin
  select c.code into named from registrations r join courses c on c.id = r.course_id where r.id = of_registration;
  raise exception using errcode = 'UE409', message = 'registration_case_differs',
    detail = json_build_object('course', named, 'id', of_registration)::text;
end $$;
