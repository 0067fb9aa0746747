-- The one answer to whether a debt keeps a student from results, or from papers.
create or replace function kept_by_debt(of_student integer, what text) returns boolean language sql stable as $$
  select exists (select from settings s where s.key = 'hold_' || $2 and s.value = '"true"'::jsonb and s.removed_at is null)
    and exists (select from student_holds h where h.student_id = of_student and h.kind = 'unpaid_invoice' and h.lifted_at is null)
    and not exists (select from hold_overrides o where o.student_id = of_student and o.what = $2 and o.ended_at is null
      and (o.until is null or o.until >= university_today()))
$$;
