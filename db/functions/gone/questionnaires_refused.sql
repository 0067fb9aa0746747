-- Whether somebody at this address said that no questionnaire is to be sent there again.
create or replace function questionnaires_refused(address text) returns boolean language sql stable as $$
  select exists (select from questionnaire_refusals r where r.email_hash = sha256(convert_to(lower(btrim(address)), 'UTF8')))
$$;
