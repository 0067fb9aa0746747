-- Marks rows of terms as being revised: those of the same term, and where `laters` says so those of later terms.
create or replace function revise_terms(student_ids integer[], term_ids integer[], laters boolean[]) returns void language plpgsql as $$
declare
  hit integer[];
begin
  select array_agg(distinct t.student_id) into hit
  from unnest(student_ids, term_ids, laters) as x (student_id, term_id, later)
    join student_terms t on t.student_id = x.student_id and t.revised_since is null
    join terms a on a.id = x.term_id join terms b on b.id = t.term_id
  where t.term_id = x.term_id or (x.later and (b.start_date, b.id) > (a.start_date, a.id));
  if hit is null then
    return;
  end if;
  -- Finishing locks students before their rows.
  perform from students where id = any (hit) order by id for no key update;
  update student_terms t set revised_since = now()
  from unnest(student_ids, term_ids, laters) as x (student_id, term_id, later) join terms a on a.id = x.term_id, terms b
  where t.student_id = x.student_id and t.revised_since is null and b.id = t.term_id
    and (t.term_id = x.term_id or (x.later and (b.start_date, b.id) > (a.start_date, a.id)));
  perform settle_standing(hit);
end $$;
