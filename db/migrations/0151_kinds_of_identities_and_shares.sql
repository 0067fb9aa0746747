-- The log tells linked identities apart from second factors, and knows who was let to see parts of a record.
-- What stands in it already is of the kinds it knew: it is not read again for this.
alter table security_log drop constraint security_log_kind;
alter table security_log add constraint security_log_kind check (kind in (
  'sign_in', 'sign_in_failed', 'sign_out', 'session_ended', 'password_asked', 'password_changed', 'proof_failed',
  'log_in_as', 'log_in_as_ended', 'export', 'read', 'rights', 'refused', 'second_factor', 'identity', 'share')) not valid;
