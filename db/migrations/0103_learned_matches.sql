-- What people say of lines of bank files is learned: by what a payer is known again, when it was said, and what was forgotten.
alter table batch_lines
  -- The account that it came from, and who the bank says paid.
  add column payer_keys text[] not null default '{}',
  -- When a person said whose it is.
  add column matched_at timestamptz,
  drop constraint batch_lines_match_by_check,
  add constraint batch_lines_match_by_check check (match_by in ('invoice', 'student', 'slip', 'person', 'learned'));
select set_config('ems.booking_lines', 'on', true);
update batch_lines set payer_keys = case when iban is null then '{}' else array['account ' || iban] end,
  matched_at = case when match_by = 'person' then updated_at end
where iban is not null or match_by = 'person';
select set_config('ems.booking_lines', '', true);
alter table batch_lines add constraint batch_line_said check (match_by is distinct from 'person' or matched_at is not null);
create index batch_lines_learned on batch_lines using gin (payer_keys) where live and match_by = 'person';

create table forgotten_matches (
  id integer generated always as identity primary key,
  key text not null check (length(key) between 6 and 210),
  reason text not null check (length(reason) between 3 and 500),
  forgotten_at timestamptz not null default now(),
  forgotten_by integer references users
);
create index forgotten_matches_key on forgotten_matches (key, forgotten_at);
create index forgotten_matches_by on forgotten_matches (forgotten_by);
select audit_table('forgotten_matches');
