import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { demoPart, insertNew } from '#demo/part.ts'
import type { Tx } from '#db/connect.ts'

/** Days from a day on, without Fridays. */
function daysFrom(first: string, count: number): string[] {
  const out: string[] = []
  for (let day = first; out.length < count; day = addDays(day, 1)) if (weekPlace(day) !== 6) out.push(day)
  return out
}

interface Hall {
  id: number
  seats: number
}
interface Offered {
  id: number
  students: number[]
}

const NO_INVIGILATOR = 0

/** Places the offerings one after the other, the largest first, where no student has another exam; as far as there is room. */
async function place(
  tx: Tx,
  exam: { id: number; faculty_id: number; days: readonly string[] },
  halls: readonly Hall[],
  offered: readonly Offered[],
  share: number,
): Promise<void> {
  const { rows: slots } = await sql<{ id: number }>`select id from exam_slots order by start_time`.execute(tx)
  const { rows: people } = await sql<{
    id: number
  }>`select id from instructors where faculty_id = ${exam.faculty_id} and removed_at is null order by id`.execute(tx)
  const times = exam.days.flatMap((day) =>
    slots.map(({ id }) => ({
      day,
      slot: id,
      taken: new Set<number>(),
      free: halls.map((hall) => ({ ...hall })),
      next: 0,
    })),
  )
  const placed: {
    offering: number
    day: string | null
    slot: number | null
    halls: Hall[]
    people: [number, number][]
  }[] = []
  const byHall = new Map<string, number>()
  for (const [i, one] of offered.toSorted((a, b) => b.students.length - a.students.length).entries()) {
    const from = (i * 7) % times.length
    const at =
      i < offered.length * share
        ? [...times.slice(from), ...times.slice(0, from)].find(
            (time) =>
              !one.students.some((student) => time.taken.has(student)) &&
              time.free.reduce((sum, hall) => sum + hall.seats, 0) >= one.students.length,
          )
        : undefined
    const used: Hall[] = []
    const watching: [number, number][] = []
    let left = one.students.length
    for (const hall of at?.free.toSorted((a, b) => b.seats - a.seats) ?? []) {
      const seats = Math.min(hall.seats, left)
      if (!seats) continue
      hall.seats -= seats
      left -= seats
      used.push({ id: hall.id, seats })
      const key = `${at!.day} ${at!.slot} ${hall.id}`
      const who = byHall.get(key) ?? people[at!.next++]?.id ?? NO_INVIGILATOR
      byHall.set(key, who)
      if (who) watching.push([hall.id, who])
    }
    for (const student of at ? one.students : []) at!.taken.add(student)
    placed.push({ offering: one.id, day: at?.day ?? null, slot: at?.slot ?? null, halls: used, people: watching })
  }
  const ids = await insertNew(
    tx,
    'exam_schedules',
    placed.map(({ offering, day, slot }, i) => ({
      exam_id: exam.id,
      offering_id: offering,
      on_date: day,
      exam_slot_id: slot,
      is_locked: day !== null && i % 9 === 0,
    })),
  )
  await insertRows(
    tx,
    'exam_schedule_locations',
    placed.flatMap((one, i) =>
      one.halls.map((hall) => ({
        exam_schedule_id: ids[i]!,
        exam_id: exam.id,
        location_id: hall.id,
        seats: hall.seats,
        during: 'empty',
      })),
    ),
  )
  await insertRows(
    tx,
    'exam_schedule_instructors',
    placed.flatMap((one, i) =>
      one.people.map(([location_id, instructor_id]) => ({
        exam_schedule_id: ids[i]!,
        location_id,
        instructor_id,
        role: 'chief',
        during: 'empty',
      })),
    ),
  )
}

/** Midterms that are placed and published, finals in work, and oral exams of the university that nobody has begun. */
export default demoPart(
  ['exams', 'exam_schedules', 'exam_schedule_locations'],
  ['exam_slots', 'registrations', 'offerings', 'locations', 'instructors', 'terms', 'calendar_events', 'exam_weeks'],
  async (tx, demo) => {
    const term = demo.terms.find((one) => one.id === demo.current_terms.current_term)!
    const middle = daysFrom(addDays(term.start_date, 56), 6)
    const last = daysFrom(addDays(term.end_date, -14), 12)
    const { rows: halls } = await sql<Hall>`select id, capacity as seats from locations
      where removed_at is null and location_type in ('hall', 'room') order by capacity desc, id limit 12`.execute(tx)
    const named = (code: string, name: string, name_local: string, more: object) => ({
      code,
      name,
      name_local,
      term_id: term.id,
      ...more,
    })
    const [first, second] = demo.faculties as unknown as [{ id: number }, { id: number }]
    const given = [
      {
        ...named('MID-1', 'Midterms', 'امتحانات منتصف الفصل', { faculty_id: first.id, kind: 'midterm' }),
        days: middle,
        share: 1,
      },
      {
        ...named('FIN-1', 'Final exams', 'الامتحانات النهائية', { faculty_id: first.id, kind: 'final' }),
        days: last,
        share: 0.5,
      },
      {
        ...named('FIN-2', 'Final exams of commerce', 'الامتحانات النهائية للتجارة', {
          faculty_id: second.id,
          kind: 'final',
        }),
        days: last,
        share: 0,
      },
      {
        ...named('ORAL', 'Oral exams', 'الامتحانات الشفوية', { faculty_id: null, kind: 'oral' }),
        days: last.slice(0, 3),
        share: 0,
      },
    ]
    const ids = await insertNew(
      tx,
      'exams',
      given.map(({ days: _days, share: _share, ...row }) => row),
    )
    const each = <Row>(rows: (one: (typeof given)[number]) => readonly Row[]) =>
      given.flatMap((one, i) => rows(one).map((row) => ({ exam_id: ids[i]!, ...row })))
    await insertRows(
      tx,
      'exam_days',
      each((one) => one.days.map((on_date) => ({ on_date }))),
    )
    const { rows: slots } = await sql<{ id: number }>`select id from exam_slots order by start_time`.execute(tx)
    await insertRows(
      tx,
      'exam_times',
      each(() => slots.map(({ id }, i) => ({ exam_slot_id: id, penalty: i * 5 }))),
    )
    await insertRows(
      tx,
      'exam_halls',
      each((one) => (one.code === 'ORAL' ? [] : halls.map(({ id, seats }) => ({ location_id: id, seats })))),
    )
    for (const [i, one] of given.entries()) {
      const { faculty_id } = one as unknown as { faculty_id: number | null }
      if (faculty_id === null) continue
      const { rows } = await sql<Offered>`select o.id, json_agg(r.student_id order by r.student_id) as students
        from offerings o join registrations r on r.offering_id = o.id and sits_exam(r.status)
        where o.term_id = ${term.id} and o.faculty_id = ${faculty_id} and o.removed_at is null group by o.id order by o.id`.execute(
        tx,
      )
      await place(tx, { id: ids[i]!, faculty_id, days: one.days }, halls, rows, one.share)
    }
    await sql`update exams e set status = 'published', published_at = now() where e.id = ${ids[0]!}
      and not exists (select from exam_schedules s where s.exam_id = e.id and s.during is null)`.execute(tx)
  },
)
