-- The days of a sponsorship are those of its terms. One that runs or ran keeps its terms: what was taken over stands on them.
create or replace function keep_sponsorship() returns trigger language plpgsql as $$
declare
  begins date := (select start_date from terms where id = new.from_term_id);
  ends date := (select end_date from terms where id = new.until_term_id);
begin
  if ends < begins then
    raise exception 'It ends before it begins' using errcode = 'check_violation', constraint = 'sponsorship_terms_order';
  end if;
  new.during := daterange(begins, ends, '[]');
  if tg_op = 'UPDATE' and old.status <> 'offered' and row(new.sponsor_id, new.from_term_id, new.until_term_id, new.percent, new.amount,
      new.types, new.invoice_cap, new.year_cap) is distinct from row(old.sponsor_id, old.from_term_id, old.until_term_id, old.percent,
      old.amount, old.types, old.invoice_cap, old.year_cap) then
    raise exception 'A sponsorship that runs keeps its terms' using errcode = 'check_violation', constraint = 'sponsorship_runs';
  end if;
  return new;
end $$;
