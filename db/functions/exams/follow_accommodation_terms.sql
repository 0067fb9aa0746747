-- Days of a term are moved: what was granted for the term goes along.
create or replace function follow_accommodation_terms() returns trigger language plpgsql as $$
begin
  update exam_accommodations set covers = 'empty' where new.id in (from_term_id, to_term_id);
  return null;
end $$;
