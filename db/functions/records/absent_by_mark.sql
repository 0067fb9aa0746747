-- Whether nobody came to the final exam is told by its mark as well.
create or replace function absent_by_mark(of_registration integer) returns boolean language sql stable as $$
  select exists (select from registration_marks m join offering_marks o on o.id = m.offering_mark_id
      join mark_categories k on k.id = o.mark_category_id
    where m.registration_id = of_registration and m.absent and k.is_final_exam)
$$;
