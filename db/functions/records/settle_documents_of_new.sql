-- Of new students nothing is handed in or waived yet, and nobody else sees them who could settle them at the same moment.
create or replace function settle_documents_of_new() returns trigger language plpgsql as $$
begin
  insert into student_holds (student_id, kind, note, note_local, document_kind_id)
  select s.id, 'missing_documents', k.name, k.name_local, k.id
  from students_now s
    cross join lateral required_documents(s.nationality_id, s.gender, s.level, s.program_id, s.entry_term_id) as r (kind_id)
    join document_kinds k on k.id = r.kind_id
  where s.missing_documents order by 1, 5;
  return null;
end $$;
