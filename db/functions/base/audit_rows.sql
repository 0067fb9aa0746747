-- Child rows belong to a record: the audit trail knows them by it, so that its history holds theirs. Their own id stands
-- beside every change.
create or replace function audit_rows(name text, parent text) returns void language plpgsql as $$
declare
  keys text[] := array[parent, 'id'];
  excluded text[] := array['search_text', 'version', 'created_at', 'updated_at'];
begin
  execute format('drop trigger if exists audit_insert on %1$I; drop trigger if exists audit_update on %1$I; drop trigger if exists audit_delete on %1$I', name);
  execute format('create trigger audit_insert after insert on %I referencing new table as new_rows
    for each statement execute function audit_change(%L, %L)', name, keys, excluded);
  execute format('create trigger audit_update after update on %I referencing old table as old_rows new table as new_rows
    for each statement execute function audit_change(%L, %L)', name, keys, excluded);
  execute format('create trigger audit_delete after delete on %I referencing old table as old_rows
    for each statement execute function audit_change(%L, %L)', name, keys, excluded);
end $$;
