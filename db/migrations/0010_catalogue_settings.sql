-- Settings of bylaws that the rules read and the first tables lacked; sets of ranges that change as one.

alter table bylaws
  -- Whether a summer term can earn a warning.
  add column warning_in_summer boolean not null default false,
  -- Credit hours of a student under warning; null: those of the load range alone.
  add column warning_max_ch_value smallint constraint bylaws_warning_max_ch_value check (warning_max_ch_value between 0 and 300),
  -- Highest points an improved course can earn; null: no limit.
  add column improve_max_points numeric(3, 2) constraint bylaws_improve_max_points check (improve_max_points between 0 and 4);

alter table special_grades drop constraint special_grades_status_check;
alter table special_grades add constraint special_grades_status_check
  check (status in ('Absent', 'Banned', 'Punished', 'Withdrawn', 'ForcedWithdrawn', 'Excused', 'Incomplete', 'Exempt', 'Audit'));

-- Boundaries and letters of a set move together: what holds for the set is asked when the statement ends, not row by row.
alter table grade_ranges
  drop constraint grade_ranges_letter_key,
  drop constraint grade_ranges_overlap,
  add constraint grade_ranges_letter_key unique (grade_type_id, letter) deferrable,
  add constraint grade_ranges_overlap
    exclude using gist (grade_type_id with =, numrange(from_percent, to_percent, '[)') with &&) deferrable;
alter table gpa_ranges
  drop constraint gpa_ranges_overlap,
  add constraint gpa_ranges_overlap exclude using gist (bylaw_id with =, numrange(from_gpa, to_gpa, '[)') with &&) deferrable;
alter table load_ranges
  drop constraint load_ranges_overlap,
  add constraint load_ranges_overlap exclude using gist (bylaw_id with =, numrange(from_gpa, to_gpa, '[)') with &&) deferrable;
alter table bylaw_levels
  drop constraint bylaw_levels_level_key,
  add constraint bylaw_levels_level_key unique (bylaw_id, level) deferrable;
