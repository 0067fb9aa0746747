-- The books are closed in the order of days, through a day that is over, and only the last closing is taken back. A closing is
-- never changed otherwise. Whoever closes waits for those who book, and they for it: see `ledger_post`.
create or replace function keep_ledger_closing() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('ledger_periods'));
  if tg_op = 'DELETE' then
    raise exception using errcode = 'UE409', message = 'ledger_closing_stays';
  end if;
  if tg_op = 'INSERT' then
    if new.closed_through >= university_today() then
      raise exception using errcode = 'UE409', message = 'ledger_closing_day';
    end if;
    if exists (select from ledger_closings c where c.reopened_at is null and c.closed_through >= new.closed_through) then
      raise exception using errcode = 'UE409', message = 'ledger_closed_already',
        detail = (select json_build_object('day', max(closed_through)) from ledger_closings where reopened_at is null)::text;
    end if;
    -- After the wait: whatever began later finds it closed.
    new.closed_at := clock_timestamp();
    return new;
  end if;
  if old.reopened_at is not null
    or (to_jsonb(new) - array['reopened_at', 'reopened_by', 'reopen_reason', 'version', 'updated_at'])
      <> (to_jsonb(old) - array['reopened_at', 'reopened_by', 'reopen_reason', 'version', 'updated_at']) then
    raise exception using errcode = 'UE409', message = 'ledger_closing_stays';
  end if;
  if exists (select from ledger_closings c where c.reopened_at is null and c.closed_through > old.closed_through) then
    raise exception using errcode = 'UE409', message = 'ledger_closed_later',
      detail = (select json_build_object('day', max(closed_through)) from ledger_closings where reopened_at is null)::text;
  end if;
  new.reopened_at := clock_timestamp();
  return new;
end $$;
