/** The board of beds: one statement, whatever it shows. */
import { addDays, dayOf } from '#kit/contract/day.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { holds, scopeCondition } from '#kit/server/base/scope.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { HOLDING } from '../stays/house.server.ts'
import { facultyOfHostel } from '../stays/reach.server.ts'
import { bedBoardCalls, type BedBoard } from './board.contract.ts'

/** Days before today with which a board begins. */
const BEFORE = 3
/** No board begins later: its last day is still one of the calendar. */
const LAST_DAY = '9990-01-01'

async function readBoard(
  ctx: Ctx,
  {
    from: asked = addDays(dayOf(), -BEFORE),
    days,
    hostel_id = null,
    kind_id = null,
  }: {
    from?: string | undefined
    days: number
    hostel_id?: number | null | undefined
    kind_id?: number | null | undefined
  },
): Promise<BedBoard> {
  const from = asked > LAST_DAY ? LAST_DAY : asked
  const until = addDays(from, days)
  const { rows } = await sql<Omit<BedBoard, 'from' | 'days' | 'today' | 'movable'>>`
    with shown as materialized (select r.*, h.code as hostel_code, h.name as hostel_name, h.name_local as hostel_local, k.name as kind,
        k.name_local as kind_local
      from hostel_rooms r join hostels h on h.id = r.hostel_id join room_kinds k on k.id = r.kind_id
      where r.removed_at is null and h.removed_at is null and (${hostel_id}::int is null or h.id = ${hostel_id}::int)
        and (${kind_id}::int is null or k.id = ${kind_id}::int)
        and ${scopeCondition(ctx, 'access_hotel', { faculty: facultyOfHostel(sql`h.id`) })}),
      beds as materialized (select b.id, b.code, b.room_id from hostel_beds b where b.room_id in (select id from shown)),
      stays as materialized (select s.id, s.bed_id, s.version, s.status, s.from_day, s.until_day, coalesce(g.name, su.name, sg.name, s.guest_name, bg.name) as name,
        coalesce(g.name_local, su.name_local, sg.name_local, s.guest_name, bg.name) as name_local
        from hotel_reservations s left join students g on g.id = s.student_id left join users su on su.id = s.staff_id
          left join guests sg on sg.id = s.guest_id left join bed_groups bg on bg.id = s.group_id where s.removed_at is null and s.status in ${HOLDING} and s.bed_id in (select id from beds)
          and s.period && daterange(${from}::date, ${until}::date))
    select coalesce((select json_agg(h order by h.code) from (select distinct hostel_id as id, hostel_code as code, hostel_name as name,
          hostel_local as name_local from shown) h), '[]') as hostels,
      coalesce((select json_agg(json_build_object('id', r.id, 'hostel_id', r.hostel_id, 'code', r.code, 'floor', r.floor, 'gender', r.gender,
          'kind', r.kind, 'kind_local', r.kind_local, 'beds', x.beds) order by r.hostel_code, r.floor, r.code)
        from shown r join (select b.room_id, json_agg(json_build_object('id', b.id, 'code', b.code) order by b.code) as beds
          from beds b group by 1) x on x.room_id = r.id), '[]') as rooms,
      coalesce((select json_agg(json_build_object('id', s.id, 'bed_id', s.bed_id, 'version', s.version, 'status', s.status,
          'from', s.from_day, 'until', s.until_day, 'name', s.name, 'name_local', s.name_local)
          order by s.bed_id, s.from_day) from stays s), '[]') as stays,
      coalesce((select json_agg(json_build_object('bed_id', b.id, 'from', c.from_day, 'until', c.until_day, 'reason', c.reason) order by b.id, c.from_day)
        from bed_closings c join beds b on b.room_id = c.room_id and b.id = coalesce(c.bed_id, b.id)
        where c.removed_at is null and c.period && daterange(${from}::date, ${until}::date)), '[]') as closings`.execute(
    ctx.db,
  )
  return { ...firstRow(rows), from, days, today: dayOf(), movable: holds(ctx, 'edit_hotel') }
}

export const bedBoardHandlers: readonly Handled[] = [
  handle(bedBoardCalls.bedBoard, async (ctx, { body }) => ({ data: await readBoard(ctx, body) })),
]
