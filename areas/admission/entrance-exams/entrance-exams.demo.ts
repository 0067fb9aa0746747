import { sql } from 'kysely'
import { addDays, instantAt } from '#kit/contract/day.ts'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'
import { takeSerials } from '#kit/server/unit/serials.ts'
import { entranceNumbers } from './appointments/appointment.contract.ts'

/** Admission, kind, days from today, hour, minutes, a hall or a place, places, and for whom. */
type For = 'all' | 'faculty' | 'program'
const APPOINTMENTS: readonly (readonly [
  number,
  'exam' | 'interview',
  number,
  string,
  number,
  boolean,
  number,
  For?,
])[] = [
  [5, 'exam', 6, '09:00', 120, true, 30],
  [5, 'exam', 6, '13:00', 120, true, 30],
  [5, 'interview', 8, '10:00', 180, false, 20],
  [6, 'exam', 9, '09:00', 120, true, 15],
  [6, 'interview', 12, '11:00', 180, false, 10],
  [7, 'exam', -4, '09:00', 120, true, 40],
  [7, 'exam', 5, '09:00', 120, true, 20],
  [7, 'exam', 7, '09:00', 120, true, 20],
  [7, 'exam', 8, '09:00', 120, false, 15, 'faculty'],
  [7, 'exam', 9, '09:00', 120, false, 15, 'program'],
]

/** Appointments of the admissions with an exam: one that is over, with who came, and some to come, with places that are free. */
export default demoPart(
  ['entrance_appointments', 'entrance_bookings'],
  ['admissions', 'applicants', 'applicant_degrees', 'locations'],
  async (tx, demo) => {
    const numbers = await takeSerials(tx, entranceNumbers, APPOINTMENTS.length)
    const { rows: halls } = await sql<{
      id: number
    }>`select id from locations where removed_at is null and capacity >= 40
      and location_type <> 'online' order by id limit 2`.execute(tx)
    const { rows: offered } = await sql<{
      id: number
      faculty_id: number
    }>`select p.id, p.faculty_id from admission_programs x
      join programs p on p.id = x.program_id where x.admission_id = 7 and x.is_open order by p.department_id is null, p.id limit 1`.execute(
      tx,
    )
    await insertRows(
      tx,
      'entrance_appointments',
      APPOINTMENTS.map(([admission_id, kind, days, hour, minutes, hall, capacity, whom = 'all'], i) => {
        const at = instantAt(addDays(demo.today, days), hour)
        const location_id = hall ? (halls[i % Math.max(1, halls.length)]?.id ?? null) : null
        return {
          id: i + 1,
          code: numbers[i]?.text,
          admission_id,
          kind,
          begins_at: at.toISOString(),
          ends_at: new Date(at.getTime() + minutes * 60_000).toISOString(),
          minutes,
          location_id,
          place: location_id === null ? 'Faculty council room' : null,
          capacity,
          faculty_id: whom === 'all' ? null : (offered[0]?.faculty_id ?? null),
          program_id: whom === 'program' ? (offered[0]?.id ?? null) : null,
        }
      }),
    )
    await followIds(tx, 'entrance_appointments')
    // Whoever has a result sat the exam that is over, and one of them did not come; of those who wait every second chose already.
    await sql`insert into entrance_bookings (appointment_id, kind, applicant_id, attempt, attendance)
      select 6, 'exam', t.id, t.exam_attempt, case when row_number() over (order by t.id) = 3 then 'absent' else 'came' end
      from applicants t where t.admission_id = 7 and t.status = 'exam required' and t.exam_result is not null order by t.id`.execute(
      tx,
    )
    await sql`insert into entrance_bookings (appointment_id, kind, applicant_id, attempt)
      select 7, 'exam', t.id, t.exam_attempt from applicants t
      where t.admission_id = 7 and t.status = 'exam required' and t.exam_result is null and t.id % 2 = 0 order by t.id`.execute(
      tx,
    )
  },
)
