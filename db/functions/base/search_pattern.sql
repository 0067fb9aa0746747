-- The pattern of one typed word: found anywhere, its own % _ \ meant literally.
create or replace function search_pattern(word text) returns text
language sql immutable strict parallel safe
return '%' || regexp_replace(fold_text(word), '([\\%_])', '\\\1', 'g') || '%';
