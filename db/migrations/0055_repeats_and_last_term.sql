-- What a bylaw says of repeating, and of the term in which a student can complete the degree. The defaults change nothing.
alter table bylaws
  -- How often a failed course may be taken again; null: any number of times.
  add column max_repeats smallint constraint bylaws_max_repeats check (max_repeats between 0 and 30),
  -- Credit hours and courses above the limit for whoever can complete the degree with them.
  add column graduating_extra_hours smallint not null default 0
    constraint bylaws_graduating_extra_hours check (graduating_extra_hours between 0 and 30),
  add column graduating_extra_courses smallint not null default 0
    constraint bylaws_graduating_extra_courses check (graduating_extra_courses between 0 and 10);
