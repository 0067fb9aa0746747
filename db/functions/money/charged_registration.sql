-- A registration that is charged; one that was left may be charged in part.
create or replace function charged_registration(status bigint) returns boolean language sql immutable parallel safe
return status & 2305860608542903296 <> 0;
