-- A recheck costs what the prices of the year say: a second price among the settings of the university, and an amount that
-- nobody booked, are gone. What waited for such an amount goes on when somebody does without it, or asks for the fee again.
alter table grade_rechecks drop column fee;
delete from settings where key = 'recheck_fee';
