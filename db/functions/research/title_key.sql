-- A title as it is compared: folded in both scripts, its words in order of the alphabet, so that case, marks, punctuation and the
-- order of words make no difference.
create or replace function title_key(value text) returns text language sql immutable parallel safe strict as $$
  select coalesce(string_agg(word, ' ' order by word collate "C"), '')
  from regexp_split_to_table(fold_text(value), '[^[:alnum:]]+') word where word <> ''
$$;
