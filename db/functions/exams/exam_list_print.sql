-- Who sits where and when in a hall, as a short text; null: nobody.
create or replace function exam_list_print(schedule integer, hall integer) returns text language sql stable as $$
  select md5(string_agg(concat_ws(' ', z.registration_id, z.seat, lower(z.during), upper(z.during)), ';' order by z.seat, z.id))
  from exam_seats z join registrations r on r.id = z.registration_id and sits_exam(r.status)
  where z.exam_schedule_id = schedule and z.location_id = hall
$$;
