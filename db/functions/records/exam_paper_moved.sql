-- A barcode that was on the paper of one student is never put on that of another. It changes only as it was asked for, with a
-- reason; once a paper of the offering was marked, only what a second person confirmed; a marked paper keeps its own.
create or replace function exam_paper_moved() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  from_id integer := case when tg_op <> 'INSERT' then old.barcode_id end;
  to_id integer := case when tg_op <> 'DELETE' then new.barcode_id end;
  of_registration integer := case when tg_op = 'DELETE' then old.registration_id else new.registration_id end;
  of_offering integer;
  fresh boolean;
  asked exam_paper_changes;
begin
  if tg_op = 'UPDATE' then
    if old.registration_id <> new.registration_id then
      raise exception 'A barcode does not go from one paper to another' using errcode = 'insufficient_privilege';
    end if;
    if from_id = to_id then
      return null;
    end if;
  end if;
  select b.offering_id, tg_op = 'INSERT' and b.created_at = now() and not exists (
      select from exam_paper_moves m where m.to_barcode_id = b.id) into of_offering, fresh
    from exam_barcodes b where b.id = coalesce(to_id, from_id);
  -- With a registration that is removed its barcode goes: nobody decided about its paper.
  if tg_op <> 'DELETE' or exists (select from registrations r where r.id = of_registration) then
    if to_id is not null and not exists (select from registrations r where r.id = of_registration and r.offering_id = of_offering) then
      raise exception 'A barcode belongs to one offering' using errcode = 'check_violation';
    end if;
    if exists (select from exam_paper_moves m where m.to_barcode_id = to_id and m.registration_id <> of_registration) then
      raise exception using errcode = 'UE409', message = 'barcode_of_another',
        detail = (select json_build_object('barcode', b.code)::text from exam_barcodes b where b.id = to_id);
    end if;
    if exists (select from exam_barcodes b where b.id = from_id and (b.absent or b.mark is not null)) then
      raise exception 'A marked paper keeps its barcode' using errcode = 'check_violation';
    end if;
    select c.* into asked from exam_paper_changes c
      where c.registration_id = of_registration and c.status = 'done' and c.done_at = now()
        and c.from_barcode_id is not distinct from from_id and c.to_barcode_id is not distinct from to_id;
    if not fresh and asked.id is null then
      raise exception 'The barcode of an exam paper changes as it was asked for, with a reason' using errcode = 'insufficient_privilege';
    end if;
    if not fresh and asked.decided_by is null and exam_marking_began(of_offering) then
      raise exception 'A second person confirms what changes on exam papers that are being marked' using errcode = 'insufficient_privilege';
    end if;
  end if;
  insert into exam_paper_moves (offering_id, registration_id, student_id, from_barcode_id, to_barcode_id, printed, change_id, actor_id, impersonator_id)
  values (of_offering, of_registration, (select r.student_id from registrations r where r.id = of_registration), from_id, to_id,
    coalesce(fresh, false), asked.id, (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer);
  return null;
end $$;
