-- What a university says itself in notices and mails. A row is never changed: the newest of a kind and language counts, and
-- those before it are its history. Without row, or where the newest has no forms, what is shipped counts.
create table notice_texts (
  id integer generated always as identity primary key,
  -- `area.notice` of a kind of notice, `mail.key` of a mail.
  key text not null,
  language text not null constraint notice_texts_language check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  version integer not null check (version > 0),
  subject text,
  -- The text by its plural forms; `text` where there is but one.
  forms jsonb,
  created_by integer references users,
  created_at timestamptz not null default now(),
  constraint notice_texts_once unique (key, language, version)
);
select audit_table('notice_texts');
