-- For which exam marks of a category are given: who is absent from it is absent there. The final exam is known already.
alter table mark_categories add column exam_kind text check (exam_kind in ('midterm', 'oral', 'practical')),
  add constraint mark_category_one_exam check (not (is_final_exam and exam_kind is not null));
