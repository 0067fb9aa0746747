-- Whether a grade is at least what a prerequisite asks for: nothing, that letter, or its points under the bylaw of the student.
create or replace function requisite_grade(leaf jsonb, of_bylaw integer, letter text, points numeric) returns boolean language sql stable as $$
  select case when not (leaf ? 'min_grade' or leaf ? 'min_points') then true when leaf ->> 'min_grade' = letter then true
    else coalesce(coalesce(points, letter_points(of_bylaw, letter))
      >= coalesce((leaf ->> 'min_points')::numeric, letter_points(of_bylaw, leaf ->> 'min_grade')), false) end
$$;
