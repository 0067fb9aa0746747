-- A regulation by marks begins with the usual ratings.
create or replace function usual_ratings() returns trigger language plpgsql as $$
begin
  insert into bylaw_ratings (bylaw_id, code, name, name_local, from_share)
  select new.id, r.code, r.name, r.name_local, r.share
  from (values ('EX', 'Excellent', 'ممتاز', 85.0), ('VG', 'Very good', 'جيد جدًا', 75.0), ('G', 'Good', 'جيد', 65.0),
    ('P', 'Pass', 'مقبول', new.pass_share), ('W', 'Weak', 'ضعيف', 35.0),
    ('VW', 'Very weak', 'ضعيف جدًا', 0.0)) as r (code, name, name_local, share)
  where (r.code = 'P' or (r.share < new.pass_share) = (r.code in ('W', 'VW')))
    and not exists (select from bylaw_ratings b where b.bylaw_id = new.id);
  return null;
end $$;
