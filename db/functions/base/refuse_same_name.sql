-- What must not be there twice, guarded where it is written. These are triggers, not unique indexes: what came from
-- another system before this rule stays as it is until somebody changes it.
-- An import of another system's records takes names and years as that system keeps them (`ems.names_as_sent`).
-- A year, faculty or role of the same name; a program of the same name under the same bylaw (a new bylaw teaches the old
-- program anew). Who writes such a row waits for who writes another.
create or replace function refuse_same_name() returns trigger language plpgsql as $$
declare
  -- The column by which such rows are told apart anyway: a row of the same is left to that constraint.
  own_key text := tg_argv[0];
  within text := tg_argv[1];
  taken boolean;
begin
  if new.removed_at is not null or current_setting('ems.names_as_sent', true) = 'on' then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtext('name'), hashtext(tg_table_name));
  execute format(
    'select exists (select from %1$I t where t.id <> $1 and t.removed_at is null and fold_text(t.name) = fold_text($2)
      and t.%3$I is distinct from to_jsonb($3) ->> %3$L and %2$s)',
    tg_table_name, case when within is null then 'true' else format('t.%1$I = (to_jsonb($3) ->> %1$L)::integer', within) end,
    own_key)
    into taken using new.id, new.name, new;
  if taken then
    raise exception using errcode = '23505', constraint = tg_table_name || '_name_taken',
      message = tg_table_name || ': the name is taken', detail = 'Key (name)=(' || new.name || ') already exists.';
  end if;
  return new;
end $$;
