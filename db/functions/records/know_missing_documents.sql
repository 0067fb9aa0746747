create or replace function know_missing_documents() returns trigger language plpgsql as $$
begin
  new.missing_documents := new.removed_at is null and new.status in ('studying', 'suspended')
    and exists (select from required_documents(new.nationality_id, new.gender, new.level, new.program_id, new.entry_term_id));
  return new;
end $$;
