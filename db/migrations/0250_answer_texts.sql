-- Texts that answer what is asked often, for a group and the groups beneath it, or for all.
select create_lookup('answer_texts');
alter table answer_texts
  add column group_id integer references ticket_groups,
  add column text text not null,
  add column text_local text not null;
create index answer_texts_group on answer_texts (group_id);

-- The week in which a group works. The function of four arguments stays for programs that run while this one starts.
alter table ticket_groups add column week text not null default 'sun_thu'
  check (week in ('sun_thu', 'sat_thu', 'sat_wed', 'mon_fri', 'every_day'));
create function working_minutes(since timestamptz, until timestamptz, opens time, closes time, week text) returns integer
language sql stable as $$
  select coalesce(sum(extract(epoch from least(x.until, d + closes) - greatest(x.since, d + opens)) / 60), 0)::integer
  from (select since at time zone university_zone() as since, until at time zone university_zone() as until) x,
    generate_series(date_trunc('day', x.since), x.until, interval '1 day') d
  where extract(dow from d) <> all (case week when 'sun_thu' then array[5, 6] when 'sat_thu' then array[5] when 'sat_wed' then array[4, 5]
      when 'mon_fri' then array[0, 6] else array[]::int[] end)
    and least(x.until, d + closes) > greatest(x.since, d + opens)
$$;
