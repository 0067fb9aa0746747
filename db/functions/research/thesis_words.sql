-- The words of a folded text for a search: as they stand, and without the Arabic article and the letters that are joined to a
-- word (and, so, by, like, to): «المواني», «للمواني», «ومواني» and «بالمواني» all hold «مواني». What is one word is decided as
-- `searched` decides it for what is looked for. Without places, which nothing reads. The text is gone through as a whole, thrice:
-- word by word it takes five times as long.
create or replace function thesis_words(folded text) returns tsvector language sql immutable parallel safe strict as $$
  select strip(to_tsvector('simple'::regconfig, words || ' '
    || regexp_replace(words, '\m[وف]?(?:[بك]?ال|لل)(\w{2,})', '\1', 'g') || ' '
    || regexp_replace(words, '\m[وفبكل](\w{3,})', '\1', 'g') || ' '
    || regexp_replace(words, '\m[وف][بكل](\w{3,})', '\1', 'g')))
  from (select regexp_replace(folded, '[^[:alnum:]]+', ' ', 'g') as words offset 0) text
$$;
