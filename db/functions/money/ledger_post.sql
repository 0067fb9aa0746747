-- The one way into the ledger. Takes entries
--   { kind, source, currency, settles, booked_on?, reason?, reversal_of?, postings: [{ role | account_id, payer_id?, invoice_id?, amount }] }
-- and books those whose source is not there yet; one that reverses has no postings of its own. Balances are held in one
-- order, whoever books, and what they may not become is a constraint of theirs. Of a day whose period is closed nothing is
-- booked any more: it is booked on the first day that is open, and keeps its own as `happened_on`.
create or replace function ledger_post(entries jsonb) returns table (source text, entry_id bigint, booked boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  added bigint[];
  closed date;
begin
  -- Held until the end: nobody closes a period while something is booked into it.
  perform pg_advisory_xact_lock_shared(hashtext('ledger_periods'));
  select max(c.closed_through) into closed from ledger_closings c where c.reopened_at is null;
  with given as (
    select x.ord, x.e, x.e ->> 'source' as source, (x.e ->> 'reversal_of')::bigint as reversal_of,
      coalesce((x.e ->> 'booked_on')::date, university_today()) as day
    from jsonb_array_elements(entries) with ordinality x (e, ord)
  ), made as (
    insert into ledger_entries (kind, source, currency, booked_on, happened_on, settles, reversal_of, reason, digest, created_by)
    select case when g.reversal_of is null then g.e ->> 'kind' else 'reversal' end, g.source,
      coalesce(r.currency, g.e ->> 'currency'), greatest(g.day, closed + 1), case when g.day <= closed then g.day end,
      coalesce(r.settles, (g.e ->> 'settles')::boolean), g.reversal_of, g.e ->> 'reason',
      md5(coalesce(g.e -> 'postings', 'null')::text || coalesce(g.e ->> 'reversal_of', '')), (who ->> 'actor_id')::integer
    from given g left join ledger_entries r on r.id = g.reversal_of
    order by g.ord
    on conflict on constraint ledger_source_twice do nothing
    returning id, source, currency, reversal_of
  ), posted as (
    insert into ledger_postings (entry_id, account_id, payer_id, invoice_id, amount, currency)
    select p.id, p.account_id, p.payer_id, p.invoice_id, p.amount, p.currency from (
      select m.id, g.ord, y.ord as line, coalesce((y.p ->> 'account_id')::integer, a.id) as account_id, (y.p ->> 'payer_id')::integer as payer_id,
        (y.p ->> 'invoice_id')::integer as invoice_id, (y.p ->> 'amount')::bigint as amount, m.currency
      from made m join given g on g.source = m.source
        cross join jsonb_array_elements(g.e -> 'postings') with ordinality y (p, ord)
        left join ledger_accounts a on a.role = y.p ->> 'role'
      where m.reversal_of is null
      union all
      select m.id, g.ord, o.id, o.account_id, o.payer_id, o.invoice_id, -o.amount, m.currency
      from made m join given g on g.source = m.source join ledger_postings o on o.entry_id = m.reversal_of
    ) p order by p.ord, p.line
    returning entry_id
  )
  select array_agg(id) into added from made;
  if exists (select from ledger_entries o join ledger_entries r on r.reversal_of = o.id where r.id = any(added) and o.reversal_of is not null) then
    raise exception 'A reversal is not reversed' using errcode = 'check_violation', constraint = 'ledger_reversal_of_reversal';
  end if;
  if exists (select from unnest(added) n (id) where not exists (select from ledger_postings p where p.entry_id = n.id)) then
    raise exception 'An entry has postings' using errcode = 'check_violation', constraint = 'ledger_empty';
  end if;
  -- The same source once more with other content is no repetition.
  if exists (select from jsonb_array_elements(entries) x (e) join ledger_entries l on l.source = x.e ->> 'source'
      where l.digest <> md5(coalesce(x.e -> 'postings', 'null')::text || coalesce(x.e ->> 'reversal_of', ''))) then
    raise exception 'Booked already, and differently' using errcode = 'unique_violation', constraint = 'ledger_source_differs';
  end if;
  if added is not null then
    insert into payer_balances (payer_id, currency)
      select distinct p.payer_id, p.currency from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.per_payer
      where p.entry_id = any(added) order by 1, 2 on conflict do nothing;
    insert into invoice_balances (invoice_id, currency)
      select distinct p.invoice_id, p.currency from ledger_postings p where p.entry_id = any(added) and p.invoice_id is not null
      order by 1 on conflict do nothing;
    perform from payer_balances b where (b.payer_id, b.currency) in (select p.payer_id, p.currency from ledger_postings p where p.entry_id = any(added))
      order by b.payer_id, b.currency for no key update;
    perform from invoice_balances b where b.invoice_id in (select p.invoice_id from ledger_postings p where p.entry_id = any(added))
      order by b.invoice_id for no key update;
    if exists (select from ledger_postings p join invoice_balances b on b.invoice_id = p.invoice_id
        where p.entry_id = any(added) and b.currency <> p.currency) then
      raise exception 'An invoice has one currency' using errcode = 'check_violation', constraint = 'invoice_currency';
    end if;
    update payer_balances b set owed = b.owed + s.owed, wallet = b.wallet + s.wallet, deposit = b.deposit + s.deposit
      from (select p.payer_id, p.currency, coalesce(sum(p.amount) filter (where a.role = 'receivable'), 0) as owed,
          coalesce(-sum(p.amount) filter (where a.role = 'wallet'), 0) as wallet,
          coalesce(-sum(p.amount) filter (where a.role = 'deposit'), 0) as deposit
        from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.per_payer
        where p.entry_id = any(added) group by p.payer_id, p.currency) s
      where b.payer_id = s.payer_id and b.currency = s.currency;
    update invoice_balances b set charged = b.charged + s.charged, settled = b.settled + s.settled
      from (select p.invoice_id, coalesce(sum(p.amount) filter (where not e.settles), 0) as charged,
          coalesce(-sum(p.amount) filter (where e.settles), 0) as settled
        from ledger_postings p join ledger_entries e on e.id = p.entry_id
        where p.entry_id = any(added) and p.invoice_id is not null group by p.invoice_id) s
      where b.invoice_id = s.invoice_id;
  end if;
  return query select l.source, l.id, coalesce(l.id = any(added), false)
    from jsonb_array_elements(entries) with ordinality x (e, ord) join ledger_entries l on l.source = x.e ->> 'source' order by x.ord;
end $$;
