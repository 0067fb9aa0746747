-- One calendar: today is the university's day, wherever it is asked. Until two in the morning in Cairo `current_date`, which is
-- that of the session, is yesterday.
create or replace function university_today() returns date language sql stable
return (now() at time zone university_zone())::date;
