-- Students may ask for some weeks of a training, and weeks may have other numbers of places.
alter table trainings add column by_week boolean not null default false;
create table training_week_places (
  id integer generated always as identity primary key,
  training_id integer not null references trainings on delete cascade,
  week smallint not null check (week between 1 and 60),
  places smallint not null check (places between 0 and 10000),
  constraint training_week_twice unique (training_id, week) deferrable
);
select audit_rows('training_week_places', 'training_id');

alter table students_trainings
  add column from_week smallint check (from_week between 1 and 60),
  add column until_week smallint check (until_week between 1 and 60),
  add constraint student_training_weeks_asked check ((from_week is null) = (until_week is null) and until_week >= from_week),
  add constraint student_training_weeks_of check (from_week is null or training_id is not null);

-- No week has more students than places, whoever writes. Looked at in the end, when whoever decides has said what stands against it.
install function training_week_counts, keep_training_places;
create constraint trigger placed after insert or update of status, training_id, from_week, until_week, removed_at on students_trainings
  deferrable initially deferred for each row execute function keep_training_places();
