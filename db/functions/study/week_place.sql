-- Day of the week as meetings are kept: 0 is Saturday.
create or replace function week_place(day date) returns integer language sql immutable parallel safe
return (extract(dow from day)::integer + 1) % 7;
