-- Questionnaires to those who have no account and never studied here: employers, places of training, members of boards. They are asked
-- by a link, as graduates are (docs/decisions/0057-asking-outsiders.md).
alter table questionnaire_types
  drop constraint questionnaire_types_kind_check,
  add constraint questionnaire_types_kind_check check (kind in ('student', 'graduate', 'faculty', 'outsider'));

-- Whom a questionnaire to outsiders asks. Who of them answered stands with the invitations, and goes with these.
create table questionnaire_outsiders (
  id integer generated always as identity primary key,
  questionnaire_id integer not null references questionnaires,
  name text not null check (name = btrim(name) and char_length(name) between 1 and 200),
  organisation text check (organisation = btrim(organisation) and char_length(organisation) between 1 and 200),
  email text not null check (email = lower(btrim(email)) and email like '%_@_%' and char_length(email) <= 200),
  -- In which the mail is written.
  language text not null default 'ar' check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  constraint questionnaire_outsider_twice unique (questionnaire_id, email)
);
select audit_rows('questionnaire_outsiders', 'questionnaire_id');
install function guard_questionnaire_outsider;
create trigger while_open before insert or update on questionnaire_outsiders
  for each row execute function guard_questionnaire_outsider();

alter table questionnaire_invitations drop constraint questionnaire_invitations_pkey;
alter table questionnaire_invitations
  alter column student_id drop not null,
  -- Who was written to stays on the list until the questionnaire is counted.
  add column outsider_id integer constraint questionnaire_outsider_asked references questionnaire_outsiders,
  add constraint questionnaire_invitations_of_one check (num_nonnulls(student_id, outsider_id) = 1),
  add constraint questionnaire_invitations_once unique nulls not distinct (questionnaire_id, student_id, outsider_id);
create index questionnaire_invitations_outsider on questionnaire_invitations (outsider_id);

-- Who does not want to be written to again: of the address only a digest is kept.
create table questionnaire_refusals (
  email_hash bytea primary key check (octet_length(email_hash) = 32),
  day date not null default university_today()
);
install function questionnaires_refused, questionnaire_linked;
