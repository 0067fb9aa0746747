import { loadMask, flag } from '#areas/common/academics/status.rules.ts'
import { refPairs, refText } from '#kit/server/base/sql.ts'

// --- Reading --------------------------------------------------------------------------------------------------------

/** Where the students of an offering sit: its own groups, or those of the one it is linked to. */
const ROOT = 'coalesce(t.linked_offering_id, t.id)'
const seat = (column: string) => `coalesce((select v.${column} from offering_seats v where v.offering_id = ${ROOT}), 0)`
const requests = flag.RegisterRequest | flag.AddRequest
export const countWithStatus = (mask: bigint) =>
  `(select count(*)::int from registrations r where r.offering_id = t.id and r.status & ${mask} <> 0)`
export const hours = `json_build_object('Lecture', hc.lecture_hours, 'Tutorial', hc.tutorial_hours, 'Lab', hc.laboratory_hours, 'Clinic', hc.clinical_hours)`

/** SQL of everything an offering shows beyond its columns; the row is `t`. */
export const computed = {
  seats: seat('seats'),
  free_seats: seat('free'),
  groups_count: seat('groups'),
  unplaced: seat('unplaced'),
  registered: countWithStatus(loadMask & ~requests),
  requested: countWithStatus(requests),
  waiting: `(select count(*)::int from wait_list w where w.offering_id = t.id and w.state = 'waiting')`,
  credit_hours: `(select hc.credit_hours from courses hc where hc.id = t.course_id)`,
  instructors: `coalesce((select json_agg(json_build_object(${refPairs('i')}, 'role', oi.role)
    order by array_position(array['leader', 'instructor', 'assistant'], oi.role), i.name)
    from offering_instructors oi join instructors i on i.id = oi.instructor_id where oi.offering_id = t.id), '[]')`,
  programs: `coalesce((select json_agg(json_build_object(${refPairs('p')}, 'level', op.level) order by p.code)
    from offering_programs op join programs p on p.id = op.program_id where op.offering_id = t.id), '[]')`,
  hours: `(select ${hours} from courses hc where hc.id = t.course_id)`,
  groups: `coalesce((select json_agg(json_build_object('id', g.id, 'number', g.number, 'meetings', coalesce((
      select json_agg(json_build_object('id', s.id, 'type', s.type, 'section', s.section, 'day', s.day,
        'slot', (select json_build_object(${refPairs('p')}, 'start', to_char(time.s, 'HH24:MI'), 'end', to_char(time.e, 'HH24:MI'))
          from slots p cross join lateral (select case when x.is_ramadan then p.ramadan_start_time else p.start_time end as s,
            case when x.is_ramadan then p.ramadan_end_time else p.end_time end as e from ramadan_status x where x.kind = 'slots') time where p.id = s.slot_id),
        'location', (select json_build_object(${refPairs('l')}, 'capacity', l.capacity) from locations l where l.id = s.location_id),
        'instructors', coalesce((select json_agg(${refText('i')} order by i.name)
          from offering_slot_instructors si join instructors i on i.id = si.instructor_id where si.offering_slot_id = s.id), '[]'),
        'quota', s.quota, 'over_quota', s.over_quota, 'taken', s.taken)
        order by array_position(array['Lecture', 'Tutorial', 'Lab', 'Clinic'], s.type), s.section, s.id)
      from offering_slots s where s.group_id = g.id), '[]')) order by g.number)
    from offering_groups g where g.offering_id = ${ROOT}), '[]')`,
  linked: `coalesce((select json_agg(json_build_object('id', o.id, 'name', c.name, 'name_local', c.name_local, 'code', c.code, 'offering_code', o.code,
      'registered', (select count(*)::int from registrations r where r.offering_id = o.id and r.status & ${loadMask} <> 0),
      'faculty', (select ${refText('f')} from faculties f where f.id = o.faculty_id)) order by c.code, o.code)
    from offerings o join courses c on c.id = o.course_id where o.linked_offering_id = t.id and o.removed_at is null), '[]')`,
  scheme: `coalesce((select json_agg(json_build_object(${refPairs('k')}, 'max', m.max::text, 'is_final_exam', k.is_final_exam) order by m.position, m.id)
    from offering_marks m join mark_categories k on k.id = m.mark_category_id where m.offering_id = t.id), '[]')`,
}
