-- Browsers in which a person has signed in before, by a cookie of their own: their attempts are counted apart from those
-- of strangers, and a sign-in elsewhere is told to the person. Only a hash of the cookie is kept.
create table known_devices (
  user_id integer not null references users on delete cascade,
  device_hash bytea not null,
  ip inet,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);
create index known_devices_device_hash_idx on known_devices (device_hash);
create index known_devices_last_seen_at_idx on known_devices (last_seen_at);

-- When who sits there last proved it: with a password, or a link from the own mailbox. Sensitive acts ask for it again.
alter table sessions add confirmed_at timestamptz;
