-- Papers of exams, hall by hall: how many went in, how many came back.
create table exam_deliveries (
  id integer generated always as identity primary key,
  exam_schedule_id integer not null,
  location_id integer not null,
  paper_type_id integer references exam_papers_types,
  delivered smallint not null check (delivered between 0 and 10000),
  delivered_by integer references users,
  delivered_at timestamptz not null default now(),
  returned smallint check (returned between 0 and 10000),
  returned_by integer references users,
  returned_at timestamptz,
  -- Why the counts differ.
  explanation text,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint exam_delivery_twice unique (exam_schedule_id, location_id),
  -- A hall in which papers are is not taken from the exam.
  constraint exam_papers_there foreign key (exam_schedule_id, location_id)
    references exam_schedule_locations (exam_schedule_id, location_id),
  constraint exam_delivery_returned check ((returned is null) = (returned_at is null))
);
create index exam_deliveries_paper_type on exam_deliveries (paper_type_id);
create index exam_deliveries_by on exam_deliveries (delivered_by);
create index exam_deliveries_returned_by on exam_deliveries (returned_by);
select audit_table('exam_deliveries');

-- The papers of each hall of an exam: who is present is counted from seats and absences, never typed.
create view exam_papers as
  select l.id, l.exam_schedule_id, l.exam_id, l.location_id, s.offering_id, e.kind = 'final' as final, z.seated, z.present,
    d.id as delivery_id, d.paper_type_id, d.delivered, d.returned, d.explanation, d.delivered_at, d.returned_at,
    coalesce(d.version, 0) as version,
    case when d.id is null then case when z.seated = 0 then 'nobody_seated' else 'waiting' end
      when d.returned is null then 'delivered'
      when d.delivered = z.present and d.returned = z.present then 'returned'
      when d.explanation is null then 'differs' else 'explained' end as state
  from exam_schedule_locations l
    join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
    join exams e on e.id = s.exam_id and e.removed_at is null
    left join exam_deliveries d on d.exam_schedule_id = l.exam_schedule_id and d.location_id = l.location_id
    cross join lateral (select count(*)::int as seated,
        (count(*) filter (where r.status & 536870912 = 0 and not exists (select from exam_absences a
          where a.exam_schedule_id = l.exam_schedule_id and a.registration_id = r.id and a.status in ('recorded', 'excused'))))::int as present
      from exam_seats x join registrations r on r.id = x.registration_id and sits_exam(r.status)
      where x.exam_schedule_id = l.exam_schedule_id and x.location_id = l.location_id) z;

-- Control approves an offering when the papers of its final exam are back: delivered = present = returned, or explained.
create function exam_papers_open(of integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('hall', p.code, 'delivered', coalesce(x.delivered, 0), 'present', x.present,
      'returned', coalesce(x.returned, 0)) order by p.code), '[]')
  from exam_papers x join locations p on p.id = x.location_id
  where x.offering_id = of and x.final and x.state in ('waiting', 'delivered', 'differs')
$$;
create function guard_exam_papers() returns trigger language plpgsql as $$
declare
  missing jsonb := exam_papers_open(new.id);
begin
  if missing <> '[]' then
    raise exception using errcode = 'UE409', message = 'exam_papers_open',
      detail = (select jsonb_build_object('course', c.code, 'hall', missing->0->>'hall', 'delivered', missing->0->'delivered',
        'present', missing->0->'present', 'returned', missing->0->'returned', 'count', jsonb_array_length(missing))::text
        from courses c where c.id = new.course_id);
  end if;
  return new;
end $$;
create trigger exam_papers before update of control_status on offerings for each row
  when (old.control_status = 'Reviewed' and new.control_status = 'Approved') execute function guard_exam_papers();
