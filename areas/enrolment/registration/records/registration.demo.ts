import { followIds, insertRows } from '#db/bulk.ts'
import type { DemoUniversity } from '#demo/model.ts'
import { demoPart, insertNew, pick } from '#demo/part.ts'

/**
 * When a student registered: before the term of old ones; in the current one on any day since it began, all courses
 * on the same day, most on the first days, and whoever still waits for an answer on one of the last three.
 */
function cameAt(today: number, student: number, term: DemoUniversity['terms'][number], main: string): string {
  const { start_date, state } = term
  if (state !== 'current') return start_date
  const luck = ((student * 2_654_435_761) % 1009) / 1009
  const days = Math.max(1, (today - Date.parse(start_date)) / 86_400_000)
  const day = main.endsWith('Request') ? days - 3 * luck : days * luck ** 1.7
  // Between eight in the morning and six in the evening.
  const minutes = 480 + ((student * 7919) % 600)
  return new Date(
    Date.parse(start_date) + Math.max(0, Math.floor(day - 0.001)) * 86_400_000 + minutes * 60_000,
  ).toISOString()
}

/** Registrations with their seats and how they came about, and who waits. */
export default demoPart(
  ['registrations', 'wait_list', 'student_years'],
  ['offerings', 'students'],
  async (tx, demo) => {
    const course = new Map(demo.courses.map((c) => [c.id, c]))
    const term = new Map(demo.terms.map((t) => [t.id, t]))
    const offering = new Map(demo.offerings.map((o) => [o.id, o]))
    const today = Date.parse(demo.today)
    const at = (r: DemoUniversity['registrations'][number]) =>
      cameAt(today, r.student_id, term.get(offering.get(r.offering_id)!.term_id)!, r.main)
    await insertRows(
      tx,
      'registrations',
      demo.registrations.map((r) => {
        const { term_id, course_id } = offering.get(r.offering_id)!
        return {
          ...pick(r, 'id', 'student_id', 'offering_id', 'status'),
          term_id,
          course_id,
          credit_hours: course.get(course_id)!.credit_hours,
          created_at: at(r),
        }
      }),
    )
    // The first to come sit within the quota; whoever comes later was given a place above it.
    const left = new Map(demo.offering_slots.map((s) => [s.id, s.quota]))
    await insertRows(
      tx,
      'registration_slots',
      demo.registration_slots.map((s) => {
        const free = left.get(s.offering_slot_id)! - 1
        left.set(s.offering_slot_id, free)
        return { ...s, over: free < 0 }
      }),
    )
    await insertNew(
      tx,
      'registration_history',
      demo.registrations.map((r) => ({
        registration_id: r.id,
        ...pick(r, 'student_id', 'offering_id'),
        at: at(r),
        action: r.main === 'RegisterRequest' ? 'request' : r.main === 'AddRequest' ? 'add' : 'enroll',
        to_status: r.status,
        reason: 'demo university',
      })),
    )
    // Of all rows the columns of the first are written: each says what it gives up, or that it gives up nothing.
    await insertNew(
      tx,
      'wait_list',
      demo.wait_list.map((place) => ({ gives_up_id: null, swap_slot_ids: null, ...place })),
    )
    await insertNew(tx, 'student_years', demo.student_years)
    await followIds(tx, 'registrations')
  },
)
