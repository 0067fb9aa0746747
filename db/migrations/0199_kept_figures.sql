-- Figures of reports that took long to work out, as they were then. Whoever asks next is answered by them and told of when
-- they are. They are of nobody in particular: only who reaches every row is answered by them.
create table kept_figures (
  id integer generated always as identity primary key,
  link text not null check (length(link) between 1 and 60),
  -- Of the question: rows, columns, filters, and how its measures are made.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  -- The current term where the report is of it.
  term_id integer references terms on delete cascade,
  asked jsonb not null,
  answer jsonb not null,
  made_at timestamptz not null default now(),
  took_ms integer not null check (took_ms >= 0),
  asked_at timestamptz not null default now(),
  constraint kept_figures_question unique nulls not distinct (link, digest, term_id)
);
create index kept_figures_term on kept_figures (term_id);
create index kept_figures_asked_at on kept_figures (asked_at);
