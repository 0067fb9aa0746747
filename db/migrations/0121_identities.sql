-- Single sign-on: which identity at a provider is whose account.
create table identities (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  issuer text not null,
  -- The provider's own name of the person, which never becomes another's; an e-mail address may.
  subject text not null,
  -- As the provider told it when it was linked, so that the person knows it again.
  email text,
  linked_by text not null constraint identities_linked_by check (linked_by in ('email', 'person')),
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint identities_subject unique (issuer, subject),
  constraint identities_user unique (user_id, issuer)
);
select audit_table('identities', array['last_used_at']);

-- Somebody who was sent to the provider and has not come back yet.
create table provider_sign_ins (
  state_hash bytea primary key,
  -- The browser that was sent: only it may come back.
  browser_hash bytea not null,
  nonce text not null,
  verifier text not null,
  -- Who links an identity to the own account; null: somebody signs in.
  user_id integer references users on delete cascade,
  expires_at timestamptz not null
);
create index provider_sign_ins_user_id_idx on provider_sign_ins (user_id) where user_id is not null;
create index provider_sign_ins_expires_at_idx on provider_sign_ins (expires_at);
