-- What is printed on an issued paper, and what a scholarship was granted for by a rule, is kept with it from now on.
select basis_goes_with('papers', 'paper_student');
select basis_goes_with('scholarship_grants', 'scholarship');
