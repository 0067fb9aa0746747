-- Graduates are invited by a link; of its token only the digest is kept. Whoever has no account takes part by it: `answered_on` says that
-- somebody answered, as a participation does, and goes with it when the questionnaire is counted (docs/decisions/0047-anonymous-answers.md).
create table questionnaire_invitations (
  questionnaire_id integer not null references questionnaires,
  student_id integer not null references students,
  token_hash bytea constraint questionnaire_invitations_token unique,
  sent_on date,
  answered_on date,
  primary key (questionnaire_id, student_id)
);
create index questionnaire_invitations_student on questionnaire_invitations (student_id);
install function questionnaire_graduates;
