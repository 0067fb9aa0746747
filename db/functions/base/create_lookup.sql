-- A lookup is a short list of records with a code and two names. Its table is made in one line:
--   select create_lookup('training_types');
-- and may be altered like any other afterwards.
create or replace function create_lookup(name text) returns void language plpgsql as $$
begin
  execute format($table$
    create table %1$I (
      id integer generated always as identity primary key,
      code text not null,
      name text not null,
      name_local text not null,
      search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
      version integer not null default 1,
      removed_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint %2$I unique (code)
    )$table$, name, name || '_code_key');
  perform one_code_in_any_case(name);
  perform audit_table(name);
end $$;
