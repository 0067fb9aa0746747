-- A search reads a few columns of many rows: what is searched, what the list is sorted and narrowed by, how far a reader
-- reaches. For tables of very many wide rows these columns stand once more in a narrow table beside it, NAME_searched, which
-- the triggers of the table keep: in the same statement, so that every transaction finds there what it finds in the rows.
create or replace function keep_searched(name text, columns text[]) returns void language plpgsql as $$
declare
  beside text := name || '_searched';
  kept text[] := array['id', 'search_text', 'removed_at'] || columns;
  list text := (select string_agg(quote_ident(c), ', ' order by n) from unnest(kept) with ordinality x (c, n));
  of_new text := (select string_agg('n.' || quote_ident(c), ', ' order by n) from unnest(kept) with ordinality x (c, n));
  of_old text := (select string_agg('o.' || quote_ident(c), ', ' order by n) from unnest(kept) with ordinality x (c, n));
begin
  execute format('create table %I as select %s from %I order by id', beside, list, name);
  execute format('alter table %I add primary key (id)', beside);
  execute format('create index %I on %I using gin (search_text gin_trgm_ops)', beside || '_text', beside);
  -- Whoever changes a row of the table holds it, so nobody waits for another row here than there.
  execute format($make$
    create function %1$I() returns trigger language plpgsql security definer set search_path = public, pg_temp as $body$
    begin
      if tg_op = 'INSERT' then
        insert into %2$I (%3$s) select %4$s from new_rows n;
      elsif tg_op = 'UPDATE' then
        update %2$I s set (%3$s) = row (%4$s) from (select n.* from new_rows n full join old_rows o on o.id = n.id
          where row (%4$s) is distinct from row (%5$s) offset 0) n
        where s.id = n.id;
      elsif tg_op = 'DELETE' then
        delete from %2$I s using old_rows o where s.id = o.id;
      else
        truncate %2$I;
      end if;
      return null;
    end $body$ $make$, 'keep_' || beside, beside, list, of_new, of_old);
  execute format('create trigger searched_insert after insert on %I referencing new table as new_rows
    for each statement execute function %I()', name, 'keep_' || beside);
  execute format('create trigger searched_update after update on %I referencing old table as old_rows new table as new_rows
    for each statement execute function %I()', name, 'keep_' || beside);
  execute format('create trigger searched_delete after delete on %I referencing old table as old_rows
    for each statement execute function %I()', name, 'keep_' || beside);
  execute format('create trigger searched_truncate after truncate on %I for each statement execute function %I()', name, 'keep_' || beside);
end $$;
revoke execute on function keep_searched(text, text[]) from public;
