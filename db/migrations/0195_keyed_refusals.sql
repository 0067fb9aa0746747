-- Addresses that want no mails are kept as a digest under the key of the installation: the plain SHA-256 let whoever reads the database try
-- addresses against it (docs/decisions/0057-asking-outsiders.md). The database does not know the key, so what stands here is brought under
-- it by the program; until then it is found as it is.
alter table questionnaire_refusals
  -- The plain digest, sealed with the same key, for the day on which the key is changed. Null: `email_hash` is plain still.
  add column sealed bytea check (octet_length(sealed) = 60);
drop function questionnaires_refused(text);
