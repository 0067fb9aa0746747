create or replace function requirement_tree_follows() returns trigger language plpgsql as $$
declare
  last integer;
begin
  -- Two who save at once wait here for each other: the second finds that the first has saved.
  perform pg_advisory_xact_lock(hashtextextended('requirement_trees ' || coalesce('p' || new.program_id, 'b' || new.bylaw_id), 0));
  select coalesce(max(revision), 0) into last from requirement_trees
  where program_id is not distinct from new.program_id and bylaw_id is not distinct from new.bylaw_id;
  if new.revision is distinct from last + 1 then
    raise exception using errcode = 'UE409', message = 'requirements_changed',
      detail = json_build_object('revision', last)::text;
  end if;
  return new;
end $$;
