create or replace function basis_goes_with(decisions text, of_kind text) returns void language plpgsql as $$
begin
  execute format('create trigger %I after delete on %I referencing old table as old_rows for each statement execute function drop_basis(%L)',
    'basis_of_' || of_kind, decisions, of_kind);
end $$;
