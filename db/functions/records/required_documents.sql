-- Kinds that are required of somebody by what the record says. Students who come (thousands, in an import) are asked for their
-- documents in step with their number, and each record is written once: whether documents lack is known before it is stored.
create or replace function required_documents(nationality integer, sex integer, level integer, program integer, entry_term integer)
returns setof integer language sql stable as $$
  select k.id from document_kinds k
  where k.removed_at is null and k.is_required and k.whose = 'students'
    and (k.nationality = 'all' or required_documents.nationality is not null
      and (k.nationality = 'egyptian') = (required_documents.nationality = 64))
    and (k.gender is null or k.gender = sex)
    and (k.study_level is null or k.study_level = (select p.study_level from programs p where p.id = program))
    and (k.from_level is null or required_documents.level >= k.from_level)
    and (k.from_term_id is null or (select e.start_date from terms e where e.id = entry_term)
      >= (select f.start_date from terms f where f.id = k.from_term_id))
$$;
