-- People are found by the name by which they are called, as by the legal one.
create or replace function search_text_of_person() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(concat_ws(' ', new.code, new.name, new.name_local, new.used_name, new.used_name_local));
  if tg_op = 'UPDATE' then
    if tg_table_name = 'students' then
      new.search_text := new.search_text || coalesce((select ' ' || string_agg(fold_text(o.code), ' ' order by o.id)
        from merged_records m join students o on o.id = m.from_id where m.kind = 'student' and m.into_id = new.id), '');
    else
      new.search_text := new.search_text || coalesce((select ' ' || string_agg(fold_text(o.code), ' ' order by o.id)
        from merged_records m join instructors o on o.id = m.from_id where m.kind = 'instructor' and m.into_id = new.id), '');
    end if;
  end if;
  return new;
end $$;
create or replace trigger search_text before insert or update of code, name, name_local, used_name, used_name_local, search_text
  on students for each row execute function search_text_of_person();
create or replace trigger search_text before insert or update of code, name, name_local, used_name, used_name_local, search_text
  on instructors for each row execute function search_text_of_person();

-- The text of an account was computed by its column, whose expression cannot be changed: now by a trigger. Nothing but the few
-- rows with a used name is written anew.
create function search_text_of_account() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(concat_ws(' ', coalesce(new.email, ''), new.name, new.name_local, new.used_name, new.used_name_local));
  return new;
end $$;
alter table users alter column search_text drop expression;
create trigger search_text before insert or update of email, name, name_local, used_name, used_name_local, search_text
  on users for each row execute function search_text_of_account();

update students set search_text = search_text where coalesce(used_name, used_name_local) is not null;
update instructors set search_text = search_text where coalesce(used_name, used_name_local) is not null;
update users set search_text = search_text where coalesce(used_name, used_name_local) is not null;
