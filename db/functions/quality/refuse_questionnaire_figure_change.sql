-- What was counted stays: a figure that changes tells what was added.
create or replace function refuse_questionnaire_figure_change() returns trigger language plpgsql as $$
begin
  raise exception 'what was counted of a questionnaire is not changed';
end $$;
