-- Programs of the window in which the same person has another record, as a distribution found it: nobody is given one of them.
alter table specialization_results add elsewhere integer[] not null default '{}';
