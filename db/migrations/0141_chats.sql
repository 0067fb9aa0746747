-- Conversations of two people, or of a group that has a name.
create table chats (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('direct', 'group')),
  name text,
  -- The two people, the smaller id first: a conversation of two is one, whoever begins it.
  direct_key text constraint chats_direct_once unique,
  created_by integer not null references users,
  -- The newest message: by it lists are in order, and what is unread is known.
  last_message_id integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint chats_shape check ((kind = 'direct') = (direct_key is not null) and (kind = 'group') = (name is not null))
);
select audit_table('chats', array['last_message_id']);

-- Who takes part. Who has left reads what was said until then, and nothing of what comes.
create table chat_members (
  chat_id integer not null references chats,
  user_id integer not null references users,
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  -- The newest message when the person left.
  left_after integer,
  -- The newest message when the person was added: what was said before stays among those who were there.
  joined_after integer not null default 0,
  -- Messages of the times between leaving and being added again: they stay among those who were there.
  missed int4multirange not null default '{}',
  read_to integer not null default 0,
  muted boolean not null default false,
  primary key (chat_id, user_id),
  check ((left_at is null) = (left_after is null))
);
create index chat_members_user on chat_members (user_id, chat_id);
select audit_table('chat_members', array['read_to']);

-- What is said stands here alone: it is never changed, and the audit trail keeps only that it was said.
create table chat_messages (
  id integer generated always as identity primary key,
  chat_id integer not null references chats,
  author_id integer not null references users,
  body text not null,
  client_key uuid not null,
  search_text text generated always as (fold_text(body)) stored,
  created_at timestamptz not null default now(),
  constraint chat_messages_once unique (author_id, client_key)
);
create index chat_messages_chat on chat_messages (chat_id, id);
select audit_table('chat_messages', array['body', 'search_text']);

-- Which messages are for whom: what was said while the person took part.
create view readable_chat_messages as
  select k.user_id, k.read_to, m.id, m.chat_id, m.author_id, m.body, m.search_text, m.created_at
  from chat_members k join chat_messages m on m.chat_id = k.chat_id and m.id > k.joined_after
    and (k.left_after is null or m.id <= k.left_after) and not k.missed @> m.id;

create table chat_files (
  file_id integer primary key references files,
  message_id integer not null references chat_messages
);
create index chat_files_message on chat_files (message_id);
select audit_table('chat_files');
