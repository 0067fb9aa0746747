-- Statistical returns: what a ministry or another authority asks the university for every year, on its own sheets.

select create_lookup('return_templates');
alter table return_templates
  -- To whom it is sent.
  add column authority text not null default '',
  -- A figure that differs from the one of the last return by more percent than this is looked at; null: none is.
  add column threshold smallint constraint return_template_threshold check (threshold between 1 and 1000);

-- The sheet of a template as it was at a time. A return keeps the one it was filled from.
create table return_template_editions (
  id integer generated always as identity primary key,
  template_id integer not null references return_templates,
  number smallint not null check (number between 1 and 10000),
  file_id integer not null references files,
  -- Cells that ask for something: sheet, cell, text.
  cells jsonb not null check (jsonb_typeof(cells) = 'array'),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint return_template_edition_once unique (template_id, number),
  constraint return_template_edition_of unique (template_id, id)
);
create index return_template_editions_file on return_template_editions (file_id);
create index return_template_editions_created_by on return_template_editions (created_by);
select audit_rows('return_template_editions', 'template_id');

create table statistical_returns (
  id integer generated always as identity primary key,
  template_id integer not null references return_templates,
  edition_id integer not null,
  year_id integer not null references years,
  -- Null: of the whole year.
  term_id integer references terms,
  status text not null default 'draft' check (status in ('draft', 'checked', 'filed', 'corrected')),
  -- The return that it corrects.
  replaces_id integer references statistical_returns,
  -- Figures as they were when it was filled, and the file with them.
  figures jsonb check (jsonb_typeof(figures) = 'array'),
  file_id integer references files,
  filled_at timestamptz,
  filled_by integer references users on delete set null,
  sent_at timestamptz,
  sent_by integer references users on delete set null,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint statistical_return_edition foreign key (template_id, edition_id) references return_template_editions (template_id, id),
  constraint statistical_return_filled check ((figures is null) = (file_id is null) and (figures is null) = (filled_at is null)),
  constraint statistical_return_whole check (status = 'draft' or figures is not null),
  constraint statistical_return_sent check ((status in ('filed', 'corrected')) = (sent_at is not null)),
  constraint statistical_return_kept check (removed_at is null or status in ('draft', 'checked'))
);
-- One return of a template for a year or a term; what corrects it is another.
create unique index return_twice on statistical_returns (template_id, year_id, coalesce(term_id, 0))
  where replaces_id is null and removed_at is null;
create unique index return_corrected_once on statistical_returns (replaces_id) where removed_at is null;
create index statistical_returns_edition on statistical_returns (template_id, edition_id);
create index statistical_returns_year on statistical_returns (year_id);
create index statistical_returns_term on statistical_returns (term_id);
create index statistical_returns_file on statistical_returns (file_id);
create index statistical_returns_replaces on statistical_returns (replaces_id);
create index statistical_returns_filled_by on statistical_returns (filled_by);
create index statistical_returns_sent_by on statistical_returns (sent_by);
-- Who filled and sent it stands in its steps; its figures are many, and are kept here.
select audit_table('statistical_returns', '{figures,edition_id,replaces_id,filled_by,sent_by}');

-- What was found in a return: it is mended, or accepted with a reason.
create table return_findings (
  id integer generated always as identity primary key,
  return_id integer not null references statistical_returns on delete cascade,
  kind text not null check (kind in ('broken', 'measure', 'filter', 'code', 'empty', 'sum', 'change')),
  sheet text not null,
  cell text not null,
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  reason text check (char_length(reason) between 1 and 1000),
  accepted_by integer references users on delete set null,
  accepted_at timestamptz,
  constraint return_finding_once unique (return_id, kind, sheet, cell),
  constraint return_finding_accepted check ((reason is null) = (accepted_at is null) and (accepted_at is not null or accepted_by is null)),
  -- A cell of which nobody knows what it asks for has no figure: no reason makes it one.
  constraint return_finding_mended check (accepted_at is null or kind in ('empty', 'sum', 'change'))
);
create index return_findings_accepted_by on return_findings (accepted_by);
select audit_rows('return_findings', 'return_id');

install function keep_sent_return, keep_sent_finding;
create trigger keep_sent before update or delete on statistical_returns for each row execute function keep_sent_return();
create trigger keep_sent before insert or update or delete on return_findings for each row execute function keep_sent_finding();
