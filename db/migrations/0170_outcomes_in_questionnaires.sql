-- What a rating asks about, so that what students say of outcomes stands beside what their marks show.
alter table questionnaire_questions
  add column outcome_domain text check (outcome_domain in ('knowledge', 'skills', 'competences')),
  add constraint question_outcome_domain check (outcome_domain is null or kind in ('rating', 'grid'));

-- Of graduates: those who graduated in this academic year alone.
alter table questionnaires add column graduation_year_id integer references years;
create index questionnaires_graduation_year on questionnaires (graduation_year_id);
install function of_graduation_year, questionnaire_graduates, questionnaire_asked, questionnaire_asks, guard_questionnaire;
