import { flag } from '#areas/common/academics/status.rules.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'

/** Exams of the small university that tests of registration stand in. */
export async function examWorld({ query, term, faculty }: Pick<RegistrationWorld, 'query' | 'term' | 'faculty'>) {
  const one = async (text: string, values: unknown[] = []) => (await query<{ id: number }>(text, values))[0]!.id
  const building = await one(
    `insert into buildings (code, name, name_local) values ('X', 'Exam building', 'مبنى الامتحانات') returning id`,
  )
  let n = 0
  const slots = [
    await one(`insert into exam_slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time)
      values ('E1', 'Morning', 'صباحًا', '09:00', '11:00', '10:00', '12:00') returning id`),
    await one(`insert into exam_slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time)
      values ('E2', 'Noon', 'ظهرًا', '12:00', '14:00', '13:00', '15:00') returning id`),
  ]
  return {
    slots,
    hall: (capacity: number) => {
      const code = `H${++n}`
      return one(
        `insert into locations (building_id, code, name, name_local, location_type, sectors, capacity) values ($1, $2, $2, $2, 'hall', 1, $3) returning id`,
        [building, code, capacity],
      )
    },
    /** An exam with days counted from today, both slots, and these halls whole. */
    exam: async (kind: 'midterm' | 'final', halls: readonly number[], days = [-1, 0, 1, 2]) => {
      const id = await one(
        `insert into exams (code, name, name_local, term_id, faculty_id, kind) values ($1, $1, $1, $2, $3, $4) returning id`,
        [`EX${++n}`, term, faculty, kind],
      )
      await query(
        `insert into exam_days (exam_id, on_date) select $1, university_today() + d from unnest($2::int[]) d`,
        [id, days],
      )
      await query('insert into exam_times (exam_id, exam_slot_id) select $1, id from exam_slots', [id])
      await query(
        'insert into exam_halls (exam_id, location_id, seats) select $1, id, capacity from locations where id = any($2::int[])',
        [id, halls],
      )
      return id
    },
    /** An offering in an exam, on a day counted from today, with seats in halls. */
    schedule: async (
      exam: number,
      offering: number,
      halls: readonly (readonly [location: number, seats: number])[],
      { day = -1, slot = 0 } = {},
    ) => {
      const id = await one(
        `insert into exam_schedules (exam_id, offering_id, on_date, exam_slot_id) values ($1, $2, university_today() + $3::int, $4) returning id`,
        [exam, offering, day, slots[slot]],
      )
      for (const [location, seats] of halls)
        await query(
          `insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during) values ($1, $2, $3, $4, 'empty')`,
          [id, exam, location, seats],
        )
      return id
    },
    /** Registers students in an offering. */
    register: async (offering: number, students: readonly number[]) =>
      (
        await query<{ id: number }>(
          `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
           select s, o.id, o.term_id, o.course_id, $3, 3 from offerings o, unnest($2::int[]) s where o.id = $1 returning id`,
          [offering, students, (flag.Registered | flag.Fresh).toString()],
        )
      ).map((row) => row.id),
  }
}
export type ExamWorld = Awaited<ReturnType<typeof examWorld>>
