-- Views of lists that people keep for themselves: a name, the query of the address, and the columns chosen with it. They
-- are there on every device, and end with the account.
create table saved_views (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- The list, as the browser names it.
  list text not null check (char_length(list) between 1 and 100),
  name text not null check (char_length(name) between 1 and 40 and name = btrim(name)),
  query text not null check (char_length(query) <= 4000),
  prefs jsonb,
  created_at timestamptz not null default now(),
  -- Taken off the list; the same name brings it back at its place.
  removed_at timestamptz,
  unique (user_id, list, name)
);
