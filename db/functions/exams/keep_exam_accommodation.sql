-- What is granted covers the days from the first of its terms to the last; without a last one, all that come.
create or replace function keep_exam_accommodation() returns trigger language plpgsql as $$
declare
  begins date;
  ends date;
begin
  select t.start_date into begins from terms t where t.id = new.from_term_id;
  select t.end_date into ends from terms t where t.id = new.to_term_id;
  if ends < begins then
    raise exception using errcode = '23514', constraint = 'exam_accommodation_order', message = 'the last term lies before the first';
  end if;
  new.covers := daterange(begins, ends, '[]');
  return new;
end $$;
