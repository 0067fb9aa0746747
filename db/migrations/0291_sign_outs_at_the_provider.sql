-- Signing out at the provider of SAML and here is one act: whom it named when somebody came in, so that it can name the same
-- person when the session there ends, and we when it ends here.
create table provider_logins (
  id integer generated always as identity primary key,
  issuer text not null,
  name_id text not null,
  name_id_format text,
  name_qualifier text,
  sp_name_qualifier text,
  session_index text,
  at timestamptz not null default now()
);
create index provider_logins_name on provider_logins (issuer, name_id);
create index provider_logins_at on provider_logins (at);

alter table sessions add column provider_login_id integer references provider_logins on delete set null;
create index sessions_provider_login on sessions (provider_login_id) where provider_login_id is not null;
alter table sign_in_steps add column provider_login_id integer references provider_logins on delete cascade;
create index sign_in_steps_provider_login on sign_in_steps (provider_login_id) where provider_login_id is not null;
