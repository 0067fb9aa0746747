-- Which records are of one person, as accounts come to bear them and let them go.
create or replace function share_turns(accounts integer[], let_go integer[] default '{}') returns void language plpgsql as $$
begin
  update registration_turns t set account = n.account, turn = t.turn + 1
  from (
    select s.id, case when s.removed_at is null and p.records > 1 then s.user_id end as account
    from (select id from students where user_id = any (accounts) union select unnest(let_go)) one
      join students s on s.id = one.id
      left join (select user_id, count(*) as records from students
        where user_id = any (accounts) and removed_at is null group by user_id) p on p.user_id = s.user_id) n
  where t.student_id = n.id and t.account is distinct from n.account;
end $$;
