-- What was given stays as it was given, and what was decided stands. Whose certificate it became is the one that was confirmed, or the
-- record that this one went into.
create or replace function keep_graduate_request() returns trigger language plpgsql as $$
begin
  if (new.email, new.name, new.identity_kind, new.identity, new.birth_date, new.type_id, new.lang, new.copies, new.speed, new.delivery, new.address, new.why)
    is distinct from (old.email, old.name, old.identity_kind, old.identity, old.birth_date, old.type_id, old.lang, old.copies, old.speed, old.delivery,
      old.address, old.why) then
    raise exception 'What was given stays' using errcode = 'insufficient_privilege';
  end if;
  -- The picture is not kept for ever.
  if old.status <> 'to_check' and ((new.status, new.certificate_id) is distinct from (old.status, old.certificate_id)
    or (new.proof_file_id is not null and new.proof_file_id is distinct from old.proof_file_id)) then
    raise exception 'What was decided stands' using errcode = 'insufficient_privilege';
  end if;
  if old.certificate_id is null and new.certificate_id is not null
    and not exists (select from certificates where id = new.certificate_id and student_id = new.student_id) then
    raise exception 'The certificate is of somebody else' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
