-- One calendar: today is the university's day, wherever it is asked. Until two in the morning in Cairo `current_date`, which
-- is that of the session, is yesterday.
do $$
declare
  one record;
begin
  for one in
    select pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prosrc ~* '\mcurrent_date\M'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute regexp_replace(one.definition, '\mcurrent_date\M', 'university_today()', 'gi');
  end loop;
  for one in
    select c.relname as name, pg_get_viewdef(c.oid) as definition from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and pg_get_viewdef(c.oid) ~* '\mcurrent_date\M'
  loop
    execute format('create or replace view %I as %s', one.name, regexp_replace(one.definition, '\mcurrent_date\M', 'university_today()', 'gi'));
  end loop;
  for one in
    select a.attrelid::regclass as of, a.attname as name from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where pg_get_expr(d.adbin, d.adrelid) ~* '^current_date$'
  loop
    execute format('alter table %s alter column %I set default university_today()', one.of, one.name);
  end loop;
end $$;
