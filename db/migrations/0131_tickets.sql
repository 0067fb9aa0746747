-- Minutes between two instants that lie in working hours: from `opens` to `closes` on Sunday to Thursday, in the university's zone.
create function working_minutes(since timestamptz, until timestamptz, opens time, closes time) returns integer
language sql stable as $$
  select coalesce(sum(extract(epoch from least(x.until, d + closes) - greatest(x.since, d + opens)) / 60), 0)::integer
  from (select since at time zone university_zone() as since, until at time zone university_zone() as until) x,
    generate_series(date_trunc('day', x.since), x.until, interval '1 day') d
  where extract(dow from d) not in (5, 6) and least(x.until, d + closes) > greatest(x.since, d + opens)
$$;

-- Who answers tickets, and how soon. Hours are working hours.
select create_lookup('ticket_groups');
alter table ticket_groups
  add parent_id integer references ticket_groups,
  add opens time not null default '09:00',
  add closes time not null default '15:00',
  add response_hours integer not null default 4 check (response_hours between 1 and 1000),
  add resolution_hours integer not null default 24 check (resolution_hours between 1 and 1000),
  add constraint ticket_group_hours check (opens < closes),
  add constraint ticket_group_parent_itself check (parent_id <> id);
create index ticket_groups_parent on ticket_groups (parent_id);

create table ticket_group_members (
  group_id integer not null references ticket_groups on delete cascade,
  user_id integer not null references users,
  created_at timestamptz not null default now(),
  primary key (group_id, user_id)
);
create index ticket_group_members_user on ticket_group_members (user_id, group_id);
select audit_table('ticket_group_members');

create table tickets (
  id integer generated always as identity primary key,
  number text not null constraint tickets_number_key unique,
  group_id integer not null references ticket_groups,
  asker_id integer not null references users,
  type text not null check (type in ('question', 'problem', 'request', 'complaint', 'suggestion')),
  subject text not null,
  status text not null default 'open' check (status in ('open', 'in_progress', 'waiting', 'resolved', 'closed', 'reopened')),
  responded_at timestamptz,
  resolved_at timestamptz,
  merged_into_id integer references tickets,
  score smallint check (score between 1 and 5),
  score_comment text,
  search_text text generated always as (fold_text(number || ' ' || subject)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tickets_merged_itself check (merged_into_id <> id),
  constraint tickets_merged_closed check (merged_into_id is null or status = 'closed')
);
create index tickets_group on tickets (group_id, status);
create index tickets_asker on tickets (asker_id);
create index tickets_search on tickets using gin (search_text gin_trgm_ops);
create index tickets_merged on tickets (merged_into_id) where merged_into_id is not null;
select audit_table('tickets');

-- Replies, and notes that stay among who answers. What they say stands here alone: it is never changed, and the audit trail,
-- which more people read, keeps only that it was said.
create table ticket_messages (
  id integer generated always as identity primary key,
  ticket_id integer not null references tickets,
  author_id integer not null references users,
  internal boolean not null default false,
  body text not null,
  client_key uuid not null,
  created_at timestamptz not null default now(),
  constraint ticket_messages_once unique (author_id, client_key)
);
create index ticket_messages_ticket on ticket_messages (ticket_id, id);
select audit_table('ticket_messages', array['body']);

create table ticket_files (
  file_id integer primary key references files,
  message_id integer not null references ticket_messages
);
create index ticket_files_message on ticket_files (message_id);
select audit_table('ticket_files');
