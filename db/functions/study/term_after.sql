-- Whether a term comes after another one, of which there may be none.
create or replace function term_after(term integer, after integer) returns boolean language sql stable parallel safe
return after is null or exists (
  select from terms x, terms a where x.id = term and a.id = after and (x.start_date, x.id) > (a.start_date, a.id));
