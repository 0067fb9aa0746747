-- What looks at changed registrations is planned once for each connection, mostly for one row: joined in full (although
-- every row has its partner) old and new rows are never compared each with each, which for a class of 200 was most of the
-- work, and for a term would be hours. And where no row of a finished term can be hit, nothing is asked further.

create or replace function guard_changed_registrations() returns trigger language plpgsql as $$
declare
  held record;
begin
  for held in
    with changed as materialized (
      select o.offering_id as before, n.offering_id as after, case
          when o.offering_id <> n.offering_id or o.student_id <> n.student_id or o.credit_hours <> n.credit_hours then 'enrolment'
          when (o.status | 112) <> (n.status | 112) then 'state' else 'result' end as kind
        from old_rows o full join new_rows n on n.id = o.id
    )
    select o.id, o.control_status, x.kind
    from offerings o join (
      select before as id, kind from changed union select after, 'enrolment' from changed where before <> after) x on x.id = o.id
    order by o.id for key share of o
  loop
    if not control_allows(held.control_status, held.kind, current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, held.kind);
    end if;
  end loop;
  return null;
end $$;

create or replace function revise_changed_registrations() returns trigger language plpgsql as $$
declare
  students integer[];
  of_terms integer[];
  laters boolean[];
begin
  if tg_op = 'DELETE' then
    select array_agg(o.student_id), array_agg(o.term_id),
        array_agg(f.control_status in ('Approved', 'Published', 'Frozen') or o.status & 17592186047488 <> 0)
      into students, of_terms, laters
    from old_rows o join offerings f on f.id = o.offering_id;
  else
    with changed as materialized (
      select n.student_id, n.term_id, n.offering_id, (o.status | n.status) & 17592186047488 <> 0 as was_left
      from old_rows o full join new_rows n on n.id = o.id
      where (o.status | 112, o.offering_id, o.credit_hours, o.points, o.passed, o.counts_in_gpa, o.counts_in_attempted_hours, o.letter is null)
        is distinct from
        (n.status | 112, n.offering_id, n.credit_hours, n.points, n.passed, n.counts_in_gpa, n.counts_in_attempted_hours, n.letter is null)
    ), judged as (
      select c.student_id, c.term_id, f.control_status in ('Approved', 'Published', 'Frozen') or c.was_left as later
      from changed c join offerings f on f.id = c.offering_id
    )
    select array_agg(j.student_id), array_agg(j.term_id), array_agg(j.later) into students, of_terms, laters
    from judged j
    where j.later or exists (select from student_terms t where t.student_id = j.student_id and t.term_id = j.term_id);
  end if;
  if students is not null then
    perform revise_terms(students, of_terms, laters);
  end if;
  return null;
end $$;
