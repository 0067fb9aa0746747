-- A record is found by the codes of those that went into it, by the name by which the person is called as by the legal one, and by
-- legal names of before; and by the words of those columns that the trigger names as its arguments. A trigger, because the expression of a column sees no other table.
create or replace function search_text_of_person() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(concat_ws(' ', new.code, new.name, new.name_local, new.used_name, new.used_name_local));
  if tg_nargs > 0 then
    new.search_text := new.search_text || coalesce((select ' ' || fold_text(string_agg(to_jsonb(new) ->> named, ' ' order by named))
      from unnest(tg_argv) named), '');
  end if;
  if tg_op = 'UPDATE' then
    if tg_table_name = 'students' then
      new.search_text := new.search_text || coalesce((select ' ' || string_agg(fold_text(o.code), ' ' order by o.id)
        from merged_records m join students o on o.id = m.from_id where m.kind = 'student' and m.into_id = new.id), '')
        || coalesce((select ' ' || string_agg(fold_text(f.name || ' ' || f.name_local), ' ' order by f.id)
        from former_names f where f.student_id = new.id), '');
    else
      new.search_text := new.search_text || coalesce((select ' ' || string_agg(fold_text(o.code), ' ' order by o.id)
        from merged_records m join instructors o on o.id = m.from_id where m.kind = 'instructor' and m.into_id = new.id), '');
    end if;
  end if;
  return new;
end $$;
