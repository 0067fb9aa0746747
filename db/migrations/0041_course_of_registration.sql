-- The course of a registration is the course of its offering: one key says so and stands for two, which every
-- registration would have to pay for.
alter table offerings add constraint offerings_id_term_course_key unique (id, term_id, course_id);
alter table registrations
  drop constraint registrations_offering,
  drop constraint registrations_course_id_fkey,
  add constraint registrations_offering foreign key (offering_id, term_id, course_id) references offerings (id, term_id, course_id);
