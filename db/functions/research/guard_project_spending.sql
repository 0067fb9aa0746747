-- Money of a project is spent while it runs, and more than a line has left only where it is said why, whoever writes. The line is held:
-- two who spend at one moment come one after the other.
create or replace function guard_project_spending() returns trigger language plpgsql as $$
declare
  allowed bigint;
  state text;
begin
  select p.status into state from projects p where p.id = new.project_id for share;
  if state is distinct from 'running' then
    raise exception using errcode = 'check_violation', constraint = 'project_not_running', message = 'money is spent while a project runs';
  end if;
  select l.amount into allowed from project_budget_lines l where l.id = new.line_id for update;
  if new.over_reason is null and new.amount > 0
    and new.amount + coalesce((select sum(s.amount) from project_spendings s where s.line_id = new.line_id and s.id <> new.id), 0) > allowed then
    raise exception using errcode = 'check_violation', constraint = 'project_line_over', message = 'more than the budget line has left';
  end if;
  return new;
end $$;
