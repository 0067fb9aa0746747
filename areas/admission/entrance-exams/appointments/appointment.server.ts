/** Appointments: how they are set up, what keeps one from being removed, and what their people are told when one moves. */
import { sql } from 'kysely'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { entranceAppointment, entranceNumbers } from './appointment.contract.ts'
import { sendEntranceMail } from './mail.server.ts'

/** An appointment belongs to the part that it is for; one for all applicants is everybody's. */
export const appointmentReach = (alias = 't') => {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  const program = (column: string) =>
    sql`(select p.${sql.ref(column)} from programs p where p.id = ${of('program_id')})`
  return {
    faculty: sql`coalesce(${of('faculty_id')}, ${program('faculty_id')})`,
    department: program('department_id'),
    bylaw: program('bylaw_id'),
    program: of('program_id'),
  } satisfies ScopeParts
}
export const forEverybody = (alias = 't') =>
  sql`num_nonnulls(${sql.ref(`${alias}.faculty_id`)}, ${sql.ref(`${alias}.program_id`)}) = 0`

interface Around {
  has_exam: boolean
  has_interview: boolean
  closed: boolean
  in_admission: boolean
  of_faculty: boolean
  hall_places: number | null
  /** Places of other appointments that are in the hall at this time. */
  hall_taken: number
  online: boolean
}

export const appointments = workings(entranceAppointment, {
  scope: {
    faculty: () => appointmentReach().faculty,
    department: () => appointmentReach().department,
    bylaw: () => appointmentReach().bylaw,
    program: () => appointmentReach().program,
  },
  common: forEverybody(),
  computed: { booked: '(select x.booked from entrance_places x where x.appointment_id = t.id)' },
  lookups: ['admission_id'],
  abilities: {
    remove: (row) => (row.booked ? { code: 'entrance_has_bookings', data: { count: row.booked } } : true),
  },
  async beforeRemove(_ctx, tx, id) {
    // Nobody is booked meanwhile: that waits for this row, and finds no place.
    const { rows } = await sql<{ booked: number }>`select booked from entrance_places
      where appointment_id = ${id} for no key update`.execute(tx)
    if (rows[0]?.booked) throw refuse(409, 'entrance_has_bookings', { count: rows[0].booked })
  },
  async beforeWrite(_ctx, tx, merged, current) {
    const { admission_id, kind, location_id = null, program_id = null, faculty_id = null } = merged
    const begins = new Date(String(merged.begins_at))
    const ends = new Date(begins.getTime() + Number(merged.minutes) * 60_000)
    // What ends after all that a calendar has cannot be stored.
    if (ends.getUTCFullYear() > 9999) throw refuse(422, 'date_not_valid', {}, 'begins_at')
    if (location_id !== null)
      // Two who use one hall at the same time are added one after the other.
      await sql`select from locations where id = ${location_id} for no key update`.execute(tx)
    const { rows } = await sql<Around>`select a.has_exam, a.has_interview, a.removed_at is not null as closed,
        ${program_id}::int is null or exists (select from admission_programs x where x.admission_id = a.id
          and x.program_id = ${program_id}::int and x.removed_at is null) as in_admission,
        ${program_id}::int is null or ${faculty_id}::int is null
          or exists (select from programs p where p.id = ${program_id}::int and p.faculty_id = ${faculty_id}::int) as of_faculty,
        (select l.capacity from locations l where l.id = ${location_id}::int) as hall_places,
        coalesce((select l.location_type = 'online' from locations l where l.id = ${location_id}::int), false) as online,
        coalesce((select sum(o.capacity) from entrance_appointments o where o.location_id = ${location_id}::int and o.removed_at is null
          and o.id is distinct from ${current?.id ?? null}::int and o.begins_at < ${ends.toISOString()}::timestamptz
          and o.ends_at > ${begins.toISOString()}::timestamptz), 0)::int as hall_taken
      from admissions a where a.id = ${admission_id} for share of a`.execute(tx)
    const [around] = rows
    if (!around || around.closed) throw refuse(422, 'not_found', {}, 'admission_id')
    const reasons: Reason[] = []
    if (kind === 'exam' ? !around.has_exam : !around.has_interview)
      reasons.push({ field: 'kind', code: `entrance_no_${String(kind)}` })
    if (location_id === null && !merged.place) reasons.push({ field: 'location_id', code: 'entrance_no_place' })
    if (!around.in_admission) reasons.push({ field: 'program_id', code: 'entrance_program_not_offered' })
    if (!around.of_faculty) reasons.push({ field: 'program_id', code: 'entrance_other_faculty' })
    const moved = !current || new Date(String(current.begins_at)).getTime() !== begins.getTime()
    if (moved && begins.getTime() <= Date.now()) reasons.push({ field: 'begins_at', code: 'entrance_past' })
    const capacity = Number(merged.capacity)
    if (around.hall_places !== null && !around.online && capacity + around.hall_taken > around.hall_places)
      reasons.push({
        field: 'capacity',
        code: around.hall_taken ? 'entrance_hall_shared' : 'entrance_hall_small',
        data: { places: around.hall_places, taken: around.hall_taken },
      })
    if (current) {
      const { rows: held } = await sql<{ booked: number }>`select booked from entrance_places
        where appointment_id = ${current.id} for no key update`.execute(tx)
      const booked = held[0]?.booked ?? 0
      if (capacity < booked) reasons.push({ field: 'capacity', code: 'entrance_below_booked', data: { count: booked } })
      // Whoever was booked may not be of the part that it would be for.
      if (booked && (current.faculty_id !== faculty_id || current.program_id !== program_id))
        reasons.push({ field: 'faculty_id', code: 'entrance_for_booked', data: { count: booked } })
    }
    if (reasons.length) throw new Refusal(422, reasons)
    if (!current) return { ends_at: ends.toISOString(), code: (await takeSerial(tx, entranceNumbers)).text }
    return moved || current.minutes !== merged.minutes ? { ends_at: ends.toISOString() } : {}
  },
  async afterWrite(ctx, tx, id, merged, current) {
    if (!current) return
    const same = (['location_id', 'place', 'minutes'] as const).every(
      (name) => (merged[name] ?? null) === (current[name] ?? null),
    )
    const at = (of: unknown) => new Date(String(of)).getTime()
    if (same && at(merged.begins_at) === at(current.begins_at)) return
    const { rows } = await sql<{ id: number }>`select id from entrance_bookings where appointment_id = ${id}
      and ended_at is null order by id`.execute(tx)
    for (const one of rows)
      await ctx.services.jobs.send(tx, sendEntranceMail, { booking_id: one.id, what: 'changed' }, { actor: null })
  },
})
