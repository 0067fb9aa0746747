-- Whether an instructor is on duty in a training at an instant: among those named for the duties that are published for then,
-- an hour before and after them as well; where nobody is named, whoever supervises the training on that day.
create or replace function on_duty_in_training(training integer, instructor integer, moment timestamptz) returns boolean
  language sql stable as $$
  select coalesce(
    (select bool_or(d.instructor_id = instructor) from duty_supervisors d join duty_kinds k on k.id = d.kind_id
      where k.training_id = training and k.removed_at is null
        and moment between duty_starts(d.day, k.from_time) - interval '1 hour' and duty_ends(d.day, k.from_time, k.to_time) + interval '1 hour'
        and exists (select from duty_rosters r where r.training_id = training and r.status = 'published' and d.day between r.starts_on and r.ends_on)),
    exists (select from emtyaz_training_instructors m where m.training_id = training and m.instructor_id = instructor
      and (moment at time zone university_zone())::date between m.starts_on and m.ends_on))
$$;
