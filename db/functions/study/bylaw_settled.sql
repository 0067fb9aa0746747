-- Whether everything that stands on a bylaw lies before its newest settings.
create or replace function bylaw_settled(of_bylaw integer) returns boolean language sql stable as $$
  select case when max(w.start_date) is null then results_of_bylaw(of_bylaw) = 0
    else results_of_bylaw(of_bylaw, (array_agg(w.id order by w.start_date desc, w.id desc))[1]) = 0 end
  from bylaw_editions e join terms w on w.id = e.until_term_id where e.bylaw_id = of_bylaw
$$;
