-- What requirements name is refused with where it is named (the trigger `named_by_requirement`), not only as being in use.
alter table requirement_refs
  drop constraint requirement_refs_course_id_fkey,
  drop constraint requirement_refs_tag_id_fkey,
  drop constraint requirement_refs_department_id_fkey,
  drop constraint requirement_refs_faculty_id_fkey,
  drop constraint requirement_refs_pool_id_fkey,
  add constraint requirement_refs_course_id_fkey foreign key (course_id) references courses on delete cascade,
  add constraint requirement_refs_tag_id_fkey foreign key (tag_id) references tags on delete cascade,
  add constraint requirement_refs_department_id_fkey foreign key (department_id) references departments on delete cascade,
  add constraint requirement_refs_faculty_id_fkey foreign key (faculty_id) references faculties on delete cascade,
  add constraint requirement_refs_pool_id_fkey foreign key (pool_id) references program_pools on delete cascade;
