-- Passkeys: keys that a device keeps for this site alone, and gives only to who unlocks it.
create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- As the device knows it; one device's key is one account's.
  credential_id bytea not null constraint passkeys_credential unique,
  public_key bytea not null,
  -- How often the device says that it was used; devices that keep it in step with others always say 0.
  counter bigint not null default 0,
  -- How a browser reaches the device: usb, nfc, internal, …
  transports text[] not null default '{}',
  name text not null constraint passkeys_name check (char_length(name) between 1 and 60),
  -- Kept in step with other devices of the person.
  synced boolean not null default false,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index passkeys_user_id_idx on passkeys (user_id);
select audit_table('passkeys', array['last_used_at', 'counter', 'public_key', 'credential_id']);

-- What a device is asked to sign, once, for the browser that asked. Only hashes are kept.
create table passkey_challenges (
  challenge_hash bytea primary key,
  browser_hash bytea not null,
  purpose text not null constraint passkey_challenges_purpose check (purpose in ('sign_in', 'second', 'prove', 'add')),
  -- Who is asked; null: whoever signs in.
  user_id integer references users on delete cascade,
  expires_at timestamptz not null,
  constraint passkey_challenges_who check ((user_id is null) = (purpose = 'sign_in'))
);
create index passkey_challenges_user_id_idx on passkey_challenges (user_id) where user_id is not null;
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);
