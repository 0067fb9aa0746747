-- The organisation of a place that a student found is asked by a link as well: the question is about that request alone.
alter table training_asks
  alter column training_id drop not null,
  add column student_training_id integer references students_trainings on delete cascade,
  add constraint training_asks_about check (num_nonnulls(training_id, student_training_id) = 1);
create unique index training_asks_one_place on training_asks (student_training_id) where ended_at is null;
