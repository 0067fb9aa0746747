create or replace function refuse_paper_move_change() returns trigger language plpgsql as $$
begin
  raise exception 'The history of exam papers is append-only' using errcode = 'insufficient_privilege';
end $$;
