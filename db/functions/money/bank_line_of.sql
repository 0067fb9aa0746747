-- A movement that a saved file of the bank has of the same money: by what the bank calls it, or by a number of ours; the transaction it
-- was booked by, null where nobody has claimed it.
create or replace function bank_line_of(of_bank integer, of_amount bigint, keys text[], but integer)
  returns table (number text, transaction_id integer) language sql stable as $$
  select b.number, l.transaction_id from batch_lines l join batches b on b.id = l.batch_id
  where l.live and l.bank_id = of_bank and l.direction = 'in' and l.amount = of_amount and l.state <> 'not_booked' and (but is null or l.transaction_id is distinct from but)
    and (l.transaction_id is null or exists (select from transactions t where t.id = l.transaction_id and t.status = 'paid'))
    and (lower(regexp_replace(coalesce(l.bank_reference, ''), '[^[:alnum:]]', '', 'g')) = any(keys)
      or lower(regexp_replace(coalesce(l.reference, ''), '[^[:alnum:]]', '', 'g')) = any(keys)
      or exists (select from unnest(keys) k where length(k) >= 6 and strpos(lower(regexp_replace(coalesce(l.description, ''), '[^[:alnum:]]', '', 'g')), k) > 0))
  order by l.id limit 1 $$;
