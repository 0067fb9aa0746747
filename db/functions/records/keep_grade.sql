create or replace function keep_grade(of_bylaw integer, of_kind text, of_letter text) returns void language plpgsql as $$
begin
  if results_of_grade(of_bylaw, of_kind, of_letter) > 0 then
    raise exception 'Results stand on the grade %', of_letter using errcode = 'check_violation', constraint = 'grade_with_results';
  end if;
end $$;
