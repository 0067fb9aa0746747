-- For each change of marks one trigger keeps the audit trail, asks control and marks rows of terms as being revised; what is
-- changed of a signed sheet is noted. Marks are written by the thousand: their entries in the trail are made from the columns
-- themselves, where `audit_change` takes every row apart as JSON. The entries are the same. A column added to the table is added
-- here as well (a test compares). Old and new rows are joined in full, as in `changed_registrations`.
create or replace function changed_marks() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  actor integer := who ->> 'actor_id';
  impersonator integer := who ->> 'impersonator_id';
  address inet := who ->> 'ip';
  why text := who ->> 'reason';
  request text := who ->> 'request_id';
  authority text := current_setting('ems.authority', true);
  refused text[];
  unsigned text;
begin
  if tg_op = 'UPDATE' then
    with changed as materialized (
      select n.registration_id, n.offering_mark_id,
        concat_ws(',',
          case when o.mark is distinct from n.mark then '"mark":' || coalesce(o.mark::text, 'null') end,
          case when o.absent <> n.absent then '"absent":' || o.absent end,
          case when o.entered_by is distinct from n.entered_by then '"entered_by":' || coalesce(o.entered_by::text, 'null') end) as old,
        concat_ws(',',
          case when o.mark is distinct from n.mark then '"mark":' || coalesce(n.mark::text, 'null') end,
          case when o.absent <> n.absent then '"absent":' || n.absent end,
          case when o.entered_by is distinct from n.entered_by then '"entered_by":' || coalesce(n.entered_by::text, 'null') end) as new
      from old_rows o full join new_rows n
        on n.registration_id = o.registration_id and n.offering_mark_id = o.offering_mark_id
    ), kept as (
      -- A row without an id of its own is known by its key, which therefore stands beside the change.
      insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
      select 'update', 'registration_marks', c.registration_id, actor, impersonator, address, why, request,
        ('{' || k.key || c.old || '}')::jsonb, ('{' || k.key || c.new || '}')::jsonb
      from changed c cross join lateral (
        select '"registration_id":' || c.registration_id || ',"offering_mark_id":' || c.offering_mark_id || ',' as key) k
      where c.new <> ''
    ), held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from changed c join registrations r on r.id = c.registration_id)
      order by o.id for key share of o
    )
    select (select array[h.id::text, h.control_status] from held h
        where not control_allows(h.control_status, 'mark', authority) order by h.id limit 1),
      (select string_agg(h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen'))
    into refused, unsigned;
  elsif tg_op = 'INSERT' then
    with kept as (
      insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
      select 'insert', 'registration_marks', n.registration_id, actor, impersonator, address, why, request,
        jsonb_strip_nulls(jsonb_build_object('registration_id', n.registration_id, 'offering_mark_id', n.offering_mark_id,
          'mark', n.mark, 'absent', n.absent, 'entered_by', n.entered_by))
      from new_rows n
    ), held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from new_rows n join registrations r on r.id = n.registration_id)
      order by o.id for key share of o
    )
    select (select array[h.id::text, h.control_status] from held h
        where not control_allows(h.control_status, 'mark', authority) order by h.id limit 1),
      (select string_agg(h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen'))
    into refused, unsigned;
  else
    -- Marks of a registration that is removed go with it, and it has been asked about itself.
    with kept as (
      insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old)
      select 'delete', 'registration_marks', o.registration_id, actor, impersonator, address, why, request,
        jsonb_strip_nulls(jsonb_build_object('registration_id', o.registration_id, 'offering_mark_id', o.offering_mark_id,
          'mark', o.mark, 'absent', o.absent, 'entered_by', o.entered_by))
      from old_rows o
    ), held as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select r.offering_id from old_rows m join registrations r on r.id = m.registration_id)
      order by o.id for key share of o
    )
    select (select array[h.id::text, h.control_status] from held h
        where not control_allows(h.control_status, 'mark', authority) order by h.id limit 1),
      (select string_agg(h.id::text, ',') from held h where h.control_status in ('Approved', 'Published', 'Frozen'))
    into refused, unsigned;
  end if;
  if refused is not null then
    perform refuse_by_control(refused[1]::integer, refused[2], 'mark');
  end if;
  perform note_unsigned(unsigned);
  return null;
end $$;
