-- What each person has uploaded on a day (UTC), counted before a file is read. Old days are swept, so that nothing here
-- keeps a person.
create table uploads_of_day (
  user_id integer not null,
  day date not null,
  files integer not null,
  bytes bigint not null,
  primary key (user_id, day)
);
