-- Whose record is closed, or who leaves, shows nothing any more, whoever writes it.
create or replace function end_shares_of_student() returns trigger language plpgsql as $$
begin
  if new.removed_at is not null or new.blocked_at is not null or new.status not in ('studying', 'suspended') then
    update record_shares set ended_at = now(), ended_why = case when new.blocked_at is not null then 'blocked' else 'left' end
    where student_id = new.id and ended_at is null;
  end if;
  return null;
end $$;
