-- Offerings: sections of meetings, rooms that can change places in one save, seats per offering.

-- Meetings of one group and type are alternatives: a student attends one of them. Those that bear the same section are
-- attended together (a lecture of two periods a week).
alter table offering_slots add section text
  constraint offering_slots_section check (section = btrim(section) and char_length(section) between 1 and 10);

-- Two meetings may exchange rooms in one save: looked at when the transaction ends, if it asks for that.
alter table offering_slots drop constraint offering_slots_room;
alter table offering_slots add constraint offering_slots_room unique (term_id, location_id, day, slot_id) deferrable initially immediate;

-- What an offering holds. `seats` is how many students can attend everything: of each group the scarcest type counts,
-- of a type all its alternatives together, of an alternative its smallest meeting. `free` is the same of what is left.
create view offering_seats as
select offering_id,
  count(*)::int as groups,
  sum(meetings)::int as meetings,
  sum(unplaced)::int as unplaced,
  sum(quota)::int as seats,
  sum(over_quota)::int as over_seats,
  sum(free)::int as free
from (
  select offering_id, group_id, sum(meetings) as meetings, sum(unplaced) as unplaced, min(quota) as quota,
    min(over_quota) as over_quota, min(free) as free
  from (
    select offering_id, group_id, type, sum(meetings) as meetings, sum(unplaced) as unplaced, sum(quota) as quota,
      sum(over_quota) as over_quota, sum(free) as free
    from (
      select offering_id, group_id, type, coalesce(section, id::text || '#') as section, count(*) as meetings,
        count(*) filter (where day is null) as unplaced, min(quota) as quota, min(over_quota) as over_quota,
        min(greatest(quota - taken, 0)) as free
      from offering_slots group by 1, 2, 3, 4
    ) sections group by 1, 2, 3
  ) types group by 1, 2
) groups group by 1;
