import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart, insertNew, instructorsByUser, pick } from '#demo/part.ts'

/** Offerings with programs, team, groups, meetings and the scheme of their marks. */
export default demoPart(
  ['offerings', 'offering_slots', 'offering_marks'],
  ['courses', 'programs', 'terms', 'marks', 'instructors', 'locations', 'slots'],
  async (tx, demo) => {
    const course = new Map(demo.courses.map((c) => [c.id, c]))
    const term = new Map(demo.terms.map((t) => [t.id, t]))
    const offering = new Map(demo.offerings.map((o) => [o.id, o]))
    const scheme = new Map(demo.marks.map((m) => [m.id, m]))
    const instructorId = await instructorsByUser(tx, demo)
    await insertRows(
      tx,
      'offerings',
      demo.offerings.map((o) => ({
        ...pick(o, 'id', 'term_id', 'course_id', 'code', 'mark_id', 'control_status'),
        ...pick(course.get(o.course_id)!, 'faculty_id', 'department_id'),
        is_open: term.get(o.term_id)!.state === 'current',
        min_students: 5,
      })),
    )
    await insertRows(tx, 'offering_programs', demo.offering_programs)
    await insertRows(
      tx,
      'offering_instructors',
      demo.offering_instructors.map((i) => ({
        ...pick(i, 'offering_id', 'role'),
        instructor_id: instructorId.get(i.user_id),
      })),
    )
    const groups = demo.offerings.flatMap((o) =>
      Array.from({ length: o.number_of_groups }, (_, i) => ({ offering_id: o.id, number: i + 1 })),
    )
    const groupIds = await insertNew(tx, 'offering_groups', groups)
    const groupId = new Map(groups.map((g, i) => [`${g.offering_id}/${g.number}`, groupIds[i]]))
    await insertRows(
      tx,
      'offering_slots',
      demo.offering_slots.map((s) => ({
        ...pick(s, 'id', 'offering_id', 'type', 'day', 'slot_id', 'location_id', 'quota', 'over_quota'),
        term_id: offering.get(s.offering_id)!.term_id,
        group_id: groupId.get(`${s.offering_id}/${s.group}`),
      })),
    )
    await insertRows(
      tx,
      'offering_slot_instructors',
      demo.offering_slots.flatMap((s) =>
        s.instructor_ids.map((id) => ({ offering_slot_id: s.id, instructor_id: instructorId.get(id) })),
      ),
    )
    await insertNew(
      tx,
      'offering_marks',
      demo.offerings.flatMap((o) => scheme.get(o.mark_id)!.items.map((item) => ({ offering_id: o.id, ...item }))),
    )
    await followIds(tx, 'offerings', 'offering_slots')
  },
)
