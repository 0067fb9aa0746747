-- An entry is of whom its rotation is of: where a record goes into another, both go together.
alter table emtyaz_rotations add constraint emtyaz_rotation_of unique (id, student_id);
alter table logbook_entries add constraint logbook_entry_of foreign key (rotation_id, student_id)
  references emtyaz_rotations (id, student_id) on update cascade;
