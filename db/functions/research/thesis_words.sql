-- The words of a folded text for a search: as they stand, and without the Arabic article and the letters that are joined to it.
create or replace function thesis_words(folded text) returns tsvector language sql immutable parallel safe strict as $$
  select to_tsvector('simple'::regconfig, folded || ' ' || regexp_replace(folded, '\m(?:وال|بال|كال|فال|لل|ال)(\w{2,})', '\1', 'g'))
$$;
