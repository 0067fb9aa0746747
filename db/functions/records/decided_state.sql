-- The state of a registration among those that a decision leads to; 0: none of them.
create or replace function decided_state(status bigint) returns bigint language sql immutable parallel safe as
  'select status & (134217728 | 2305843009213693952 | 536870912 | 2048)::bigint';
