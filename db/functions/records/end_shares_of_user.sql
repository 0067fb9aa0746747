create or replace function end_shares_of_user() returns trigger language plpgsql as $$
begin
  if new.removed_at is not null or new.blocked_at is not null then
    update record_shares r set ended_at = now(), ended_why = case when new.blocked_at is not null then 'blocked' else 'left' end
    from students t where t.id = r.student_id and t.user_id = new.id and r.ended_at is null;
  end if;
  return null;
end $$;
