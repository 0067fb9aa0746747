create or replace function security_log_months() returns integer language sql stable as $$
  select coalesce((select ceil(days / 30.5)::integer from retention_lengths where kind = 'security_log'), 24)
$$;
