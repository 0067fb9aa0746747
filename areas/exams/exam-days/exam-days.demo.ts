import { flag, mainMask } from '#areas/common/academics/status.rules.ts'
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
    'instructors',
    'registration_marks',
    'offering_marks',
  ],
  async (tx, demo) => {
    const term = demo.terms.find((one) => one.id === demo.current_terms.current_term)!
    const faculty_id = demo.faculties[0]!.id
    const on_date = [term.start_date, addDays(demo.today, -2)].toSorted()[1]!
    const [exam_id] = (await insertNew(tx, 'exams', [
      {
        code: 'QUIZ-1',
        name: 'First practical tests',
        name_local: 'الاختبارات العملية الأولى',
        term_id: term.id,
        faculty_id,
        kind: 'practical',
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
      slots.map((slot) => ({ exam_id, exam_slot_id: slot.id })),
    )
    await insertRows(
      tx,
      'exam_halls',
      halls.map((one) => ({ exam_id, location_id: one.id, seats: one.seats })),
    )
    const schedules = await insertNew(
      tx,
      'exam_schedules',
      offerings.map((offering, i) => ({ exam_id, offering_id: offering.id, on_date, exam_slot_id: slots[i]!.id })),
    )
    await insertRows(
      tx,
      'exam_schedule_locations',
      offerings.flatMap((offering, i) => {
        const half = Math.min(halls[0]!.seats, Math.ceil(offering.students / 2))
        return halls.map((hall, h) => ({
          exam_schedule_id: schedules[i]!,
          exam_id,
          location_id: hall.id,
          seats: h === 0 ? half : Math.min(hall.seats, offering.students - half),
          during: 'empty',
        }))
      }),
    )
    const { rows: exams } = await sql<{
      id: number
    }>`select id from exams where id = ${exam_id} or status = 'published' order by id`.execute(tx)
    for (const one of exams) await seat(tx, one.id)
    // Those who teach the faculty look after its halls, the instructor of the demo among them.
    await sql`insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id, role, during)
      select l.exam_schedule_id, l.location_id, i.id, 'chief', 'empty' from (
          select l.*, row_number() over (order by l.during, l.exam_schedule_id, l.location_id) as n from exam_schedule_locations l
          where l.exam_id = ${exam_id}) l
        join (select i.id, row_number() over (order by (select u.email from users u where u.id = i.user_id) like 'instructor@%' desc nulls last, i.id) as n
          from instructors i where i.faculty_id = ${faculty_id} and i.removed_at is null) i on i.n = l.n`.execute(tx)
    await sql`update exams set status = 'published', published_at = ${`${term.start_date} 09:00`} where id = ${exam_id}`.execute(
      tx,
    )
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
        measure: status === 'punished' ? 'course' : status === 'appealed' ? 'warning' : null,
        punished_ids: status === 'punished' ? [sitting[i * 2 + 1]!.registration_id] : [],
        decided_reason: status === 'opened' ? null : 'Council of the faculty',
        opened_at: `${on_date} 13:00`,
      })),
    )
    await sql`with before as (select id, status from registrations
        where id in (select unnest(punished_ids) from exam_cases where status = 'punished')),
      after as (update registrations r set status = (r.status & ${sql.lit(String(~mainMask))}::bigint) | ${sql.lit(String(flag.Punished))}::bigint
        from before b where r.id = b.id returning r.id, r.student_id, r.offering_id, r.status)
      insert into registration_history (registration_id, student_id, offering_id, at, action, from_status, to_status, reason)
      select a.id, a.student_id, a.offering_id, ${`${on_date} 15:00`}, 'punish', b.status, a.status, 'Council of the faculty'
      from after a join before b on b.id = a.id`.execute(tx)
    // Who was away is absent in the marks of the exam.
    await sql`insert into registration_marks (registration_id, offering_mark_id, absent)
      select a.registration_id, m.id, true from exam_absences a join exam_schedules s on s.id = a.exam_schedule_id
        join exams e on e.id = s.exam_id join offering_marks m on m.offering_id = s.offering_id
        join mark_categories k on k.id = m.mark_category_id and k.exam_kind = e.kind
      where a.status = 'recorded' on conflict do nothing`.execute(tx)
    await insertRows(tx, 'step_history', [
      ...steps('exam_absence', absences, states, 'recorded'),
      ...steps('exam_case', cases, decided, 'opened'),
    ])
    // Papers are back, one hall with a difference that was explained and one with one that was not; of the last they are still out.
    const { rows: papers } = await sql<{
      exam_schedule_id: number
      location_id: number
      present: number
    }>`select exam_schedule_id, location_id, present from exam_papers
      where exam_id = ${exam_id} and seated > 0 order by exam_schedule_id, location_id`.execute(tx)
    await insertRows(
      tx,
      'exam_deliveries',
      papers.slice(0, 5).map((paper, i) => {
        const isBack = i < 4
        const isOdd = i === 1
        const isShort = i === 2
        return {
          exam_schedule_id: paper.exam_schedule_id,
          location_id: paper.location_id,
          paper_type_id: 1,
          delivered: paper.present + (isOdd ? 1 : 0),
          returned: isBack ? paper.present - (isShort ? 1 : 0) : null,
          returned_at: isBack ? `${on_date} 14:00` : null,
          explanation: isOdd ? 'A spare booklet was torn.' : null,
        }
      }),
    )
  },
)
