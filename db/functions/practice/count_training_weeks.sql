-- Weeks of training of a student: those that were approved here, and what the record had before any was (`training_weeks_earlier`).
create or replace function count_training_weeks() returns trigger language plpgsql as $$
declare
  who integer;
begin
  foreach who in array array(select distinct x from unnest(array[
      case when tg_op <> 'DELETE' then new.student_id end, case when tg_op <> 'INSERT' then old.student_id end]) x where x is not null order by 1) loop
    update students s set data = s.data || jsonb_build_object(
        'training_weeks_earlier', w.earlier, 'training_weeks', w.earlier + w.approved)
      from (select coalesce((d.data ->> 'training_weeks_earlier')::integer, (d.data ->> 'training_weeks')::integer, 0) as earlier,
          coalesce((select sum(t.weeks) from students_trainings t where t.student_id = who and t.status = 'approved' and t.removed_at is null), 0)::integer as approved
        from students d where d.id = who) w
      where s.id = who and coalesce((s.data ->> 'training_weeks')::integer, 0) <> w.earlier + w.approved;
  end loop;
  return null;
end $$;
