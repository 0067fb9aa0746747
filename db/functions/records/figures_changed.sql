create or replace function figures_changed() returns trigger language plpgsql as $$
begin
  perform facts_changed('figures', array_agg(n.id))
  from old_rows o full join new_rows n on n.id = o.id where (o.gpa, o.passed_hours, o.level) is distinct from (n.gpa, n.passed_hours, n.level);
  return null;
end $$;
