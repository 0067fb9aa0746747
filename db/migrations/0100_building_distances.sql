-- How long it takes from one building to another, either way: for students with little time between two exams.
create table building_distances (
  id integer generated always as identity primary key,
  building_id integer not null references buildings,
  other_building_id integer not null references buildings,
  minutes smallint not null constraint building_distances_minutes check (minutes between 1 and 180),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint building_distance_self check (building_id <> other_building_id)
);
create unique index building_distance_twice on building_distances (least(building_id, other_building_id), greatest(building_id, other_building_id))
  where removed_at is null;
create index building_distances_building on building_distances (building_id);
create index building_distances_other on building_distances (other_building_id);
select audit_table('building_distances');
