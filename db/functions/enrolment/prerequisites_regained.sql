-- Registrations of these students that lacked a prerequisite and do no more, or run no more.
create or replace function prerequisites_regained(students integer[]) returns void language plpgsql as $$
begin
  if students is null or not exists (select from decision_facts where kind = 'prerequisite') then
    return;
  end if;
  delete from decision_facts d using registrations r
  where d.kind = 'prerequisite' and r.id = d.decision_id and r.student_id = any (students)
    and requisite_met(r.student_id, running_requisite(r));
end $$;
