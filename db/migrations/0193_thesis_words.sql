-- A thesis is found whatever Arabic joins to a word: the article, and letters before it. Words are those of the search alone,
-- without places, which nothing reads.
install function thesis_words;
alter table thesis_deposits alter column words set expression as (thesis_words(fold_text(title || ' ' || title_local || ' '
  || creator || ' ' || creator_local || ' ' || abstract || ' ' || abstract_local || ' ' || coalesce(keywords, '') || ' '
  || coalesce(keywords_local, ''))));
-- The newest first, as far as a search looks.
create index thesis_deposits_newest on thesis_deposits (granted_on desc, id desc) where withdrawn_at is null;
