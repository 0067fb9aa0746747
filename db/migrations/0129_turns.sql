-- Who adds the same window, day or contract at the same moment as another one is told that it overlaps, not that the data
-- are busy.
install function take_turns;
create trigger turns before insert or update on term_stages for each row execute function take_turns('term_id');
create trigger turns before insert or update on exam_weeks for each row execute function take_turns('term_id');
create trigger turns before insert or update on office_hours for each row execute function take_turns('instructor_id');
create trigger turns before insert or update on specialization_times for each row execute function take_turns('bylaw_id');
create trigger turns before insert or update on exam_accommodations for each row execute function take_turns('student_id');
create trigger turns before insert or update on employee_contracts for each row execute function take_turns('employee_id');
create trigger turns before insert or update on signatory_holders for each row execute function take_turns('position_id');
create trigger turns before insert or update on certificate_dates for each row execute function take_turns('type_id');

-- A sheet of a ministry names thousands of foreigners, each of whom may be a student.
create index students_passport on students (passport_number) where passport_number is not null and removed_at is null;
