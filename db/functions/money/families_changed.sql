-- Students, members of families or terms have changed: beside scholarships of siblings it is written which child they are now. Where none
-- stands on that, no more is done.
create or replace function families_changed() returns trigger language plpgsql as $$
declare
  changed integer[];
  parents text[];
  phones text[];
  touched integer[];
begin
  if not exists (select from decision_facts where fact in ('family', 'household')) then
    return null;
  end if;
  if tg_table_name = 'terms' then
    select array_agg(s.id) into changed from old_rows o full join new_rows n on n.id = o.id
      join students s on s.entry_term_id = n.id where n.start_date is distinct from o.start_date;
  elsif tg_table_name = 'family_members' then
    if tg_op = 'INSERT' then
      select array_agg(r.student_id) into changed from new_rows r;
    elsif tg_op = 'DELETE' then
      select array_agg(m.student_id) into changed from family_members m where m.family_id in (select r.family_id from old_rows r);
      changed := coalesce(changed, '{}') || array(select r.student_id from old_rows r);
    else
      select array_agg(x.student_id) into changed from (
        select r.student_id from old_rows r union select r.student_id from new_rows r
        union select m.student_id from family_members m where m.family_id in (select r.family_id from old_rows r)) x;
    end if;
  else
    if tg_op = 'INSERT' then
      select array_agg(distinct r.id), array_agg(distinct k.parent), array_agg(distinct phone_of_family(r.parent_phone))
        into changed, parents, phones from new_rows r
        cross join lateral (values (r.father_national_id), (r.mother_national_id), (r.guardian_national_id)) as k (parent);
    elsif tg_op = 'DELETE' then
      select array_agg(distinct r.id), array_agg(distinct k.parent), array_agg(distinct phone_of_family(r.parent_phone))
        into changed, parents, phones from old_rows r
        cross join lateral (values (r.father_national_id), (r.mother_national_id), (r.guardian_national_id)) as k (parent);
    else
      select array_agg(distinct r.id), array_agg(distinct k.parent), array_agg(distinct k.phone) into changed, parents, phones
      from (select o.id, array[o.father_national_id, o.mother_national_id, o.guardian_national_id, n.father_national_id,
              n.mother_national_id, n.guardian_national_id] as parents, array[o.parent_phone, n.parent_phone] as phones
            from old_rows o full join new_rows n on n.id = o.id
            where (o.status, o.removed_at is null, o.is_second_record, o.entry_term_id, o.user_id, o.parent_phone, o.father_national_id,
                o.mother_national_id, o.guardian_national_id)
              is distinct from (n.status, n.removed_at is null, n.is_second_record, n.entry_term_id, n.user_id, n.parent_phone,
                n.father_national_id, n.mother_national_id, n.guardian_national_id)) r
        cross join lateral (select p as parent, phone_of_family(t) as phone from unnest(r.parents, r.phones) as u (p, t)) k;
    end if;
  end if;
  if changed is null then
    return null;
  end if;
  select array_agg(distinct d.fact_id) into touched from decision_facts d join students s on s.id = d.fact_id
  where d.fact in ('family', 'household') and (
    s.id = any (changed)
    or s.father_national_id = any (parents) or s.mother_national_id = any (parents) or s.guardian_national_id = any (parents)
    or phone_of_family(s.parent_phone) = any (phones)
    or exists (select from siblings_of(changed) p where p.other_id = s.id));
  perform facts_changed('family', touched);
  perform facts_changed('household', touched);
  return null;
end $$;
