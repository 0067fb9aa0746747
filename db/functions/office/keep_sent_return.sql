-- What was checked or sent stays as it is, whoever writes: its figures, its file, and of what it is. The moment in which it is sent is kept.
create or replace function keep_sent_return() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.status in ('filed', 'corrected') then
      raise exception using errcode = 'UE409', message = 'return_sent';
    end if;
    return old;
  end if;
  if old.status <> 'draft' and (new.template_id, new.edition_id, new.year_id, new.term_id, new.file_id, new.filled_at, new.figures)
      is distinct from (old.template_id, old.edition_id, old.year_id, old.term_id, old.file_id, old.filled_at, old.figures)
    or old.sent_at is not null and new.sent_at is distinct from old.sent_at then
    raise exception using errcode = 'UE409', message = 'return_sent';
  end if;
  if new.status = 'filed' and old.status <> 'filed' then
    new.sent_at := coalesce(new.sent_at, now());
  end if;
  return new;
end $$;
