-- Whether the decision by which somebody graduated falls into an academic year; without a year each does.
create or replace function of_graduation_year(of_year integer, by_decision integer) returns boolean language sql stable as $$
  select of_year is null or exists (select from student_status_decisions d join years y on y.id = of_year
    where d.id = by_decision and d.to_status = 'graduated' and d.decided_on between y.start_date and y.end_date)
$$;
