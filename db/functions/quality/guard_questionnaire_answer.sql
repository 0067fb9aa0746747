-- Answers come while the questionnaire is open. Whoever closes it waits for those who are sending, and finds all of them.
create or replace function guard_questionnaire_answer() returns trigger language plpgsql as $$
begin
  perform from questionnaires q join questionnaire_sets s on s.questionnaire_id = q.id
    where s.id = new.set_id and s.answered is null and not s.pooled and q.status = 'open' and q.removed_at is null
      and university_today() between q.opens_on and q.closes_on
    for share of q;
  if not found then
    raise exception using errcode = 'check_violation', constraint = 'questionnaire_not_open', message = 'the questionnaire is not open';
  end if;
  return new;
end $$;
