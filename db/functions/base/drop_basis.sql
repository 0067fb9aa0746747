-- What a decision stood on goes with it. `select basis_goes_with('course_credits', 'credit');`
create or replace function drop_basis() returns trigger language plpgsql as $$
begin
  delete from decision_facts d using old_rows o where d.kind = tg_argv[0] and d.decision_id = o.id;
  return null;
end $$;
