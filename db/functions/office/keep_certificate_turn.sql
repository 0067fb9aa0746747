-- For whom a certificate waits follows from its state and its signatures: the wait that is over ends, and the next one begins.
create or replace function keep_certificate_turn(of_certificate integer) returns void language plpgsql as $$
declare
  c certificates;
  held certificate_turns;
  wanted text;
  place integer;
begin
  select * into c from certificates where id = of_certificate;
  wanted := case c.status when 'New' then 'prepare' when 'updated' then 'correct' when 'Prepared' then 'send' when 'in review' then 'review'
    when 'Reviewed' then 'sign' when 'dean-signed' then 'sign' when 'approved' then 'issue'
    when 'Ready To Deliver' then case when c.delivery <> 'by_hand' then 'deliver' end end;
  if c.removed_at is not null then wanted := null; end if;
  if wanted = 'sign' then
    select g.position_id into place from certificate_chain g where g.certificate_id = c.id and not exists (select from certificate_signatures z
      where z.certificate_id = c.id and z.position_id = g.position_id and z.voided_at is null) order by g.position limit 1;
    if place is null then wanted := null; end if;
  end if;
  select * into held from certificate_turns where certificate_id = c.id and done_at is null;
  if held.kind is not distinct from wanted and held.position_id is not distinct from place then return; end if;
  -- What ends in the unit of work in which it began was no wait.
  delete from certificate_turns where id = held.id and since = now();
  update certificate_turns set done_at = now() where id = held.id;
  if wanted is null then return; end if;
  insert into certificate_turns (certificate_id, kind, position_id, due_on)
    select c.id, wanted, place, university_today() + case wanted when 'review' then y.review_days when 'sign' then y.sign_days else y.prepare_days end
    from certificate_settings y where y.id = c.type_id;
end $$;
