-- A question that is worded, scaled or asked otherwise is another version of it; its place in the form and its removal are not.
create or replace function count_question_revision() returns trigger language plpgsql as $$
begin
  if (new.question, new.question_local, new.question_de, new.question_fr, new.question_pt, new.kind, new.points, new.minimum, new.maximum)
    is distinct from (old.question, old.question_local, old.question_de, old.question_fr, old.question_pt, old.kind, old.points, old.minimum, old.maximum) then
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;
