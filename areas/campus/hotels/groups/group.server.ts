/** Beds held for groups: stays without a name, until a member is given one. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { dayOf } from '#kit/contract/day.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { checkBed } from '../stays/fit.rules.ts'
import { reservations } from '../stays/flow.server.ts'
import { holdBeds, houseOf } from '../stays/house.server.ts'
import { facultyOfHostel } from '../stays/reach.server.ts'
import { checkDays } from '../stays/stay.rules.ts'
import { bedGroup, bedGroupCalls, type GroupPlace } from './group.contract.ts'

/** Holds the first free beds of the hostel: all that are asked for, or none. */
async function holdPlaces(
  ctx: Ctx,
  tx: Tx,
  group_id: number,
  { hostel_id, from_day, until_day, beds }: { hostel_id: number; from_day: string; until_day: string; beds: number },
): Promise<void> {
  await holdBeds(tx)
  const house = await houseOf(tx, from_day, until_day)
  const free = house.beds.filter(
    (bed) => bed.hostel_id === hostel_id && !house.inTheWay(bed.id, { from_day, until_day }).length,
  )
  if (free.length < beds) throw refuse(409, 'group_beds_short', { free: free.length, beds }, 'beds')
  const { rows } = await sql<{
    id: number
  }>`insert into hotel_reservations (group_id, audience, hostel_id, from_day, until_day, status, bed_id,
      confirmed_at)
    select ${group_id}::int, 'guests', ${hostel_id}::int, ${from_day}::date, ${until_day}::date, 'confirmed', unnest(${free.slice(0, beds).map((bed) => bed.id)}::int[]),
      now() returning id`.execute(tx)
  for (const { id } of rows) await reservations.begin(ctx, tx, id, 'confirmed')
}

export const groups = workings(bedGroup, {
  scope: { faculty: () => facultyOfHostel(sql`t.hostel_id`) },
  computed: {
    named: `(select count(*)::int from hotel_reservations x where x.group_id = t.id and x.removed_at is null
      and x.status in ('confirmed', 'checked_in', 'checked_out') and num_nonnulls(x.student_id, x.staff_id, x.guest_id, x.guest_name) = 1)`,
  },
  beforeWrite(_ctx, _tx, merged, current) {
    if (current) return
    const reasons = checkDays(String(merged.from_day), String(merged.until_day), dayOf())
    if (reasons.length) throw new Refusal(422, reasons)
  },
  async afterWrite(ctx, tx, id, merged, current) {
    if (current) return
    await holdPlaces(ctx, tx, id, {
      hostel_id: Number(merged.hostel_id),
      from_day: String(merged.from_day),
      until_day: String(merged.until_day),
      beds: Number(merged.beds),
    })
  },
  /** What nobody was given is free again; who was given a bed keeps the group. */
  async beforeRemove(ctx, tx, id) {
    const { rows } = await sql<{
      id: number
      named: boolean
    }>`select id, num_nonnulls(student_id, staff_id, guest_id, guest_name) = 1 as named
      from hotel_reservations where group_id = ${id} and status in ('confirmed', 'checked_in') and removed_at is null order by id for update`.execute(
      tx,
    )
    const named = rows.filter((row) => row.named).length
    if (named) throw refuse(409, 'group_members', { count: named })
    for (const row of rows) await reservations.take(ctx, row.id, 'cancel')
    await sql`update hotel_reservations set removed_at = now() where group_id = ${id} and removed_at is null
      and num_nonnulls(student_id, staff_id, guest_id, guest_name) = 0`.execute(tx)
  },
})

interface Member {
  readonly id: number
  readonly gender: number | null
  readonly faculty_id: number | null
  readonly level: number | null
}
/** Gives the first bed of a group that fits to a member. */
const giveMember = (
  ctx: Ctx,
  group_id: number,
  given: {
    student_id?: number | null | undefined
    guest_name?: string | null | undefined
    gender?: number | null | undefined
  },
) =>
  ctx.write(async (tx) => {
    if ((given.student_id == null) === !given.guest_name?.trim())
      throw refuse(422, 'member_for_whom', {}, given.student_id == null ? 'student_id' : 'guest_name')
    const { rows: reached } = await sql<{
      from_day: string
      until_day: string
    }>`select t.from_day, t.until_day from bed_groups t
      where t.id = ${group_id} and t.removed_at is null and ${groups.scope(ctx, 'edit_hotel')} for no key update of t`.execute(
      tx,
    )
    const [group] = reached
    if (!group) throw refuse(404, 'not_found')
    let who: Member = { id: 0, gender: given.gender ?? null, faculty_id: null, level: null }
    if (given.student_id != null) {
      const { rows } = await sql<
        Member & { status: string; other: { code: string; from: string; until: string } | null }
      >`
        select s.id, s.gender::int as gender, s.faculty_id, s.level::int as level, s.status,
          (select json_build_object('code', x.code, 'from', x.from_day, 'until', x.until_day) from hotel_reservations x
            where x.student_id = s.id and x.removed_at is null and x.status in ('requested', 'confirmed', 'checked_in')
              and x.from_day < ${group.until_day}::date and x.until_day > ${group.from_day}::date limit 1) as other
        from students s where s.id = ${given.student_id} and s.removed_at is null
          and ${scopeCondition(ctx, 'edit_hotel', studentReach(ctx, 's'))} for no key update of s`.execute(tx)
      const [student] = rows
      if (!student) throw refuse(422, 'reference_missing', {}, 'student_id')
      if (student.status !== 'studying') throw refuse(409, 'stay_left')
      if (student.other) throw refuse(409, 'reservation_other', student.other)
      who = student
    }
    const { rows: places } = await sql<{ id: number; bed_id: number }>`select id, bed_id from hotel_reservations
      where group_id = ${group_id} and status = 'confirmed' and removed_at is null and bed_id is not null
        and num_nonnulls(student_id, staff_id, guest_id, guest_name) = 0 order by id for update`.execute(tx)
    if (!places.length) throw refuse(409, 'group_full')
    const house = await houseOf(tx, group.from_day, group.until_day)
    const beds = new Map(house.beds.map((bed) => [bed.id, bed]))
    const guest = { ...who, audience: given.student_id == null ? 'guests' : 'students' }
    const found = places.find(({ bed_id }) => beds.has(bed_id) && !checkBed(beds.get(bed_id)!, guest).length)
    if (!found) throw new Refusal(409, checkBed(beds.get(places[0]!.bed_id)!, guest))
    const { rows } = await sql<{
      id: number
      code: string
      bed_id: number
    }>`update hotel_reservations set student_id = ${given.student_id ?? null},
        guest_name = ${given.student_id == null ? (given.guest_name?.trim() ?? null) : null}, gender = ${who.gender},
        audience = ${guest.audience} where id = ${found.id} returning id, code, bed_id`.execute(tx)
    return firstRow(rows)
  })

export const bedGroupHandlers: readonly Handled[] = [
  ...groups.handlers,
  handle(bedGroupCalls.places, async (ctx, { params }) => {
    const { rows: reached } =
      await sql`select from bed_groups t where t.id = ${params.id} and ${groups.scope(ctx, 'show_hotel')}`.execute(
        ctx.db,
      )
    if (!reached.length) throw refuse(404, 'not_found')
    const { rows } = await sql<GroupPlace>`select t.id, t.code, r.code || ' · ' || b.code as bed, t.status,
        coalesce(s.name, su.name, sg.name, t.guest_name) as name, coalesce(s.name_local, su.name_local, sg.name_local, t.guest_name) as name_local
      from hotel_reservations t join hostel_beds b on b.id = t.bed_id join hostel_rooms r on r.id = b.room_id
        left join students s on s.id = t.student_id left join users su on su.id = t.staff_id left join guests sg on sg.id = t.guest_id
      where t.group_id = ${params.id} and t.removed_at is null and t.status <> 'cancelled' order by r.code, b.code, t.id`.execute(
      ctx.db,
    )
    return { data: rows }
  }),
  handle(bedGroupCalls.giveMember, async (ctx, { params, body }) => ({ data: await giveMember(ctx, params.id, body) })),
]
