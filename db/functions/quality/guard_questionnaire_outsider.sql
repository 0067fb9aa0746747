-- The list of a questionnaire grows and is corrected while it is planned or open, and only of one that asks outsiders. Whoever closes it
-- waits for those who are writing.
create or replace function guard_questionnaire_outsider() returns trigger language plpgsql as $$
declare
  state text;
  asked text;
begin
  if tg_op = 'UPDATE' and new.questionnaire_id <> old.questionnaire_id then
    raise exception using errcode = 'check_violation', constraint = 'questionnaire_no_outsiders', message = 'who is asked stays with the questionnaire';
  end if;
  select q.status, y.kind into state, asked from questionnaires q join questionnaire_types y on y.id = q.type_id
    where q.id = new.questionnaire_id for share of q;
  if state = 'closed' then
    raise exception using errcode = 'check_violation', constraint = 'questionnaire_closed', message = 'a closed questionnaire asks nobody';
  end if;
  if asked <> 'outsider' then
    raise exception using errcode = 'check_violation', constraint = 'questionnaire_no_outsiders', message = 'the questionnaire does not ask outsiders';
  end if;
  return new;
end $$;
