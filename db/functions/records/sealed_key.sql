create or replace function sealed_key(kind text, line jsonb) returns text language sql immutable as $$
  select case kind
    when 'term' then (line ->> 'student_id') || '-' || (line ->> 'term_id')
    when 'credit' then line ->> 'id'
    when 'grace' then line ->> 'registration_id'
    when 'level' then (line ->> 'level_result_id') || '-' || (line ->> 'student_id')
  end
$$;
