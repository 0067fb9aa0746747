-- Single sign-on by SAML 2.0, beside OpenID Connect.

-- Which protocol somebody is away with, and what it keeps meanwhile: `nonce` is the id of the request for SAML.
alter table provider_sign_ins
  add protocol text not null default 'oidc' constraint provider_sign_ins_protocol check (protocol in ('oidc', 'saml')),
  alter verifier drop not null;

-- What the provider's page brought, already checked, until the browser comes for it: a page of another site sends no
-- cookies along, so that the browser is known only at the next step. One row works once.
create table provider_answers (
  answer_hash bytea primary key,
  -- Whose request it answers; null: nobody was sent there.
  state_hash bytea,
  -- Who it is, as the provider says; null where it was refused, for these reasons.
  identity jsonb,
  refused jsonb,
  expires_at timestamptz not null,
  constraint provider_answers_one check ((identity is null) <> (refused is null))
);
create index provider_answers_expires_at_idx on provider_answers (expires_at);

-- Assertions that were taken, by issuer and id: none is taken twice, in whichever process.
create table saml_assertions (
  assertion_hash bytea primary key,
  expires_at timestamptz not null
);
create index saml_assertions_expires_at_idx on saml_assertions (expires_at);

alter table identities drop constraint identities_linked_by;
alter table identities add constraint identities_linked_by check (linked_by in ('email', 'person', 'code')) not valid;
alter table identities validate constraint identities_linked_by;

-- Which attribute of a provider tells what. Null: the identity is the NameID; the others are not told.
create table saml_mappings (
  id integer generated always as identity primary key,
  issuer text not null constraint saml_mappings_issuer unique,
  identity text,
  email text,
  code text,
  -- Until when attributes of who signs in are kept for whoever sets this up.
  watched_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select audit_table('saml_mappings');

-- What came of who signed in while somebody watched: an hour, for who sets it up.
create table saml_samples (
  id integer generated always as identity primary key,
  issuer text not null,
  name_id text,
  name_id_format text,
  attributes jsonb not null,
  at timestamptz not null default now()
);
create index saml_samples_at_idx on saml_samples (at);
