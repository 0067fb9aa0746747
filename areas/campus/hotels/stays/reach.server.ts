/** How reservations are bound to the university: by the building in which the bed stands, and to whom they concern. */
import type { Ctx } from '#kit/server/base/context.ts'
import { isId } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** SQL of the faculty whose building a hostel is; null: one of the whole university. */
export const facultyOfHostel = (hostel: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select bu.faculty_id from hostels hh join buildings bu on bu.id = hh.building_id where hh.id = ${hostel})`

/** SQL of the hostel of the reservation `t`: of its bed, else the one that is asked for. */
export const HOSTEL_OF: RawBuilder<unknown> = sql`coalesce((select rr.hostel_id from hostel_beds bb join hostel_rooms rr on rr.id = bb.room_id
  where bb.id = t.bed_id), t.hostel_id)`

/** The reservation is `t`. */
export const stayReach = (ctx: Ctx) => ({
  faculty: facultyOfHostel(HOSTEL_OF),
  own: isId(sql`t.student_id`, ctx.actor?.student_id),
})
