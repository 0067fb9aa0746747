import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew } from '#demo/part.ts'
import { addDays } from '#kit/contract/day.ts'
import type { Tx } from '#db/connect.ts'
import { seatExam } from './seats/seating.rules.ts'
import { gatherSeats, putSeats } from './seats/seats.server.ts'

/** Seats of an exam, taken. */
async function seat(tx: Tx, exam_id: number): Promise<void> {
  const input = await gatherSeats(tx, exam_id, false)
  const { seats } = seatExam(input, exam_id)
  if (!seats.length) return
  await putSeats(tx, seats)
  const halls = [...new Set(seats.map(([schedule, location]) => `[${schedule},${location}]`))]
  await sql`insert into exam_seatings (exam_id, seed, state, print, seated, halls, taken_at)
    values (${exam_id}, ${exam_id}, 'taken', '', ${seats.length}, ${`[${halls.join(',')}]`}::jsonb, now())`.execute(tx)
}

/** How a record came to its state. */
const steps = (workflow: string, ids: readonly number[], states: readonly string[], first: string) => [
  ...ids.map((record_id) => ({
    action: 'begin',
    from_state: null,
    to_state: first,
    workflow,
    record_id,
    reason: null,
  })),
  ...ids.flatMap((record_id, i) =>
    states[i] === first
      ? []
      : [{ action: states[i]!, from_state: first, to_state: states[i]!, workflow, record_id, reason: null }],
  ),
]

/**
 * An exam that was held the day before yesterday, with seats, absences, an investigation in each state and papers in and out of
 * its halls; and the seats of the midterms that are to come.
 */
export default demoPart(
  ['exam_seatings', 'exam_seats', 'exam_absences', 'exam_cases', 'exam_deliveries'],
  [
    'exams',
    'exam_schedules',
    'exam_schedule_locations',
    'exam_slots',
    'registrations',
    'offerings',
    'exam_papers_types',
  ],
  async (tx, demo) => {
    const term = demo.terms.find((one) => one.id === demo.current_terms.current_term)!
    const faculty_id = demo.faculties[0]!.id
    const on_date = [term.start_date, addDays(demo.today, -2)].toSorted()[1]!
    const [exam_id] = (await insertNew(tx, 'exams', [
      {
        code: 'QUIZ-1',
        name: 'First written tests',
        name_local: 'الاختبارات التحريرية الأولى',
        term_id: term.id,
        faculty_id,
        kind: 'midterm',
      },
    ])) as [number]
    const { rows: halls } = await sql<{
      id: number
      seats: number
    }>`select id, least(capacity, 60) as seats from locations
      where removed_at is null and location_type in ('hall', 'room') order by capacity desc, id limit 2`.execute(tx)
    const { rows: slots } = await sql<{ id: number }>`select id from exam_slots order by start_time limit 3`.execute(tx)
    const { rows: offerings } = await sql<{ id: number; students: number }>`
      select o.id, count(*)::int as students from offerings o join registrations r on r.offering_id = o.id and sits_exam(r.status)
      where o.term_id = ${term.id} and o.faculty_id = ${faculty_id} and o.removed_at is null
      group by o.id having count(*) between 12 and 60 order by o.id desc limit ${slots.length}`.execute(tx)
    await insertRows(tx, 'exam_days', [{ exam_id, on_date }])
    await insertRows(
      tx,
      'exam_times',
      slots.map((one) => ({ exam_id, exam_slot_id: one.id })),
    )
    await insertRows(
      tx,
      'exam_halls',
      halls.map((one) => ({ exam_id, location_id: one.id, seats: one.seats })),
    )
    const schedules = await insertNew(
      tx,
      'exam_schedules',
      offerings.map((one, i) => ({ exam_id, offering_id: one.id, on_date, exam_slot_id: slots[i]!.id })),
    )
    await insertRows(
      tx,
      'exam_schedule_locations',
      offerings.flatMap((one, i) => {
        const half = Math.min(halls[0]!.seats, Math.ceil(one.students / 2))
        return halls.map((hall, h) => ({
          exam_schedule_id: schedules[i]!,
          exam_id,
          location_id: hall.id,
          seats: h === 0 ? half : Math.min(hall.seats, one.students - half),
          during: 'empty',
        }))
      }),
    )
    const { rows: exams } = await sql<{
      id: number
    }>`select id from exams where id = ${exam_id} or status = 'published' order by id`.execute(tx)
    for (const one of exams) await seat(tx, one.id)
    const { rows: sitting } = await sql<{ exam_schedule_id: number; registration_id: number }>`
      select exam_schedule_id, registration_id from exam_seats where exam_schedule_id = any(${schedules}::int[])
      order by exam_schedule_id, seat, id`.execute(tx)
    const states = ['recorded', 'excused', 'cancelled', 'recorded', 'recorded']
    const absences = await insertNew(
      tx,
      'exam_absences',
      states.map((status, i) => ({ ...sitting[i * 2]!, status, recorded_at: `${on_date} 12:00` })),
    )
    const decided = ['opened', 'cleared', 'punished', 'appealed']
    const cases = await insertNew(
      tx,
      'exam_cases',
      decided.map((status, i) => ({
        ...sitting[i * 2 + 1]!,
        status,
        what: [
          'Notes under the booklet.',
          'Talked with a neighbour.',
          'A telephone on the desk.',
          'Left the hall twice.',
        ][i]!,
        measure: status === 'punished' || status === 'appealed' ? 'warning' : null,
        opened_at: `${on_date} 13:00`,
      })),
    )
    await insertRows(tx, 'step_history', [
      ...steps('exam_absence', absences, states, 'recorded'),
      ...steps('exam_case', cases, decided, 'opened'),
    ])
    // Of the first two the papers are back, one of them with a difference that was explained; of the last they are still out.
    const { rows: papers } = await sql<{
      exam_schedule_id: number
      location_id: number
      present: number
    }>`select exam_schedule_id, location_id, present from exam_papers
      where exam_id = ${exam_id} and seated > 0 order by exam_schedule_id, location_id`.execute(tx)
    await insertRows(
      tx,
      'exam_deliveries',
      papers.slice(0, 4).map((one, i) => {
        const isBack = i < 3
        const isOdd = i === 1
        return {
          exam_schedule_id: one.exam_schedule_id,
          location_id: one.location_id,
          paper_type_id: 1,
          delivered: one.present + (isOdd ? 1 : 0),
          returned: isBack ? one.present : null,
          returned_at: isBack ? `${on_date} 14:00` : null,
          explanation: isOdd ? 'A spare booklet was torn.' : null,
        }
      }),
    )
  },
)
