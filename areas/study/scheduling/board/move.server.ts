/** Moves weekly meetings: judged again in the transaction, on rows that are locked, and everybody concerned is told. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { lockOfferings, refuseFrozen } from '#areas/study/offerings/lock.server.ts'
import { lockTimetable, storedSlots } from '#areas/study/offerings/offering.server.ts'
import { seatsAppeared } from '#areas/study/offerings/seats.server.ts'
import { saveSlots } from '#areas/study/offerings/slots/slots.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { meetingBoardCalls } from './board.contract.ts'
import { readMeetingBoard } from './board.server.ts'
import { clashesOf, insistedClashes } from './move.rules.ts'
import type { MeetingBoard, Clash, MeetingMove } from './move.rules.ts'
import { tellMoved } from './told.server.ts'

interface Wanted {
  readonly override: boolean
  readonly reason?: string | null | undefined
}
type SentMove = Omit<MeetingMove, 'location_id'> & {
  readonly version?: number | undefined
  location_id?: number | null | undefined
}

/** Of how many students that stand in the way the names are told. */
const NAMED = 10

/** The students of clashes whom the reader may see, the first of each. */
async function whoClashes(
  ctx: Ctx,
  board: MeetingBoard,
  students: readonly number[],
  clashes: readonly Clash[],
): Promise<Map<Clash, Ref[]>> {
  const byId = new Map(board.meetings.map((meeting) => [meeting.id, meeting]))
  const asked = clashes
    .filter((clash) => clash.code === 'move_students_busy')
    .map((clash) => {
      const mine = new Set(byId.get(clash.id)?.students)
      const both = (byId.get(clash.with!)?.students ?? []).filter((student) => mine.has(student))
      return { clash, ids: both.map((one) => students[one]!) }
    })
  if (!asked.length) return new Map()
  const { rows } = await sql<{ one: Ref }>`select ${ref('t')} as one from students t
    where t.id = any(${asked.flatMap(({ ids }) => ids)}::int[])
      and ${scopeCondition(ctx, ['access_students', 'show_students'], studentReach(ctx))} order by t.code`.execute(
    ctx.db,
  )
  return new Map(
    asked.map(({ clash, ids }) => [
      clash,
      rows.flatMap(({ one }) => (ids.includes(one.id) ? [one] : [])).slice(0, NAMED),
    ]),
  )
}

/** Where a meeting is, in words, and who put it there. */
async function movedBy(tx: Tx, id: number): Promise<Record<string, string>> {
  const { rows } = await sql<Record<string, string>>`
    select c.code || ' (' || o.code || ')' as course, coalesce(u.name, '–') as by, coalesce(u.name_local, '–') as by_local,
      coalesce(p.name || ', ' || to_char(p.start_time, 'HH24:MI'), '–') as slot, coalesce(p.name_local || '، ' || to_char(p.start_time, 'HH24:MI'), '–') as slot_local,
      coalesce(l.name, '–') as place, coalesce(l.name_local, '–') as place_local,
      (array['Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])[s.day + 1] as day,
      (array['السبت', 'الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة'])[s.day + 1] as day_local
    from offering_slots s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
      left join slots p on p.id = s.slot_id left join locations l on l.id = s.location_id
      left join lateral (select m.moved_by from meeting_moves m where m.meeting_id = s.id order by m.id desc limit 1) m on true
      left join users u on u.id = m.moved_by where s.id = ${id}`.execute(tx)
  const found = firstRow(rows)
  return { ...found, day: found.day ?? '–', day_local: found.day_local ?? '–' }
}

interface Held {
  id: number
  version: number
  offering_id: number
  term_id: number
  day: number | null
  slot_id: number | null
  location_id: number | null
}

/** Holds the offerings and the timetable that meetings belong to, in the order in which everybody does. */
async function hold(
  ctx: Ctx,
  tx: Tx,
  ids: readonly number[],
): Promise<{ meetings: Map<number, Held>; term_id: number }> {
  const { rows: found } = await sql<{
    offering_id: number
    term_id: number
    over: boolean
    term: string
    term_local: string
  }>`
    select distinct s.offering_id, s.term_id, t.name as term, t.name_local as term_local,
      t.end_date < (now() at time zone university_zone())::date as over
    from offering_slots s join terms t on t.id = s.term_id where s.id = any(${ids}::int[])`.execute(tx)
  const offerings = await lockOfferings(
    ctx,
    tx,
    found.map((one) => one.offering_id),
    'edit_offering_slots',
  )
  if (!found.length || offerings.size !== found.length) throw refuse(404, 'not_found')
  for (const offering of offerings.values()) {
    if (offering.removed) throw refuse(409, 'removed_record')
    refuseFrozen(offering)
  }
  const [first] = found as [(typeof found)[number]]
  if (found.some((one) => one.term_id !== first.term_id)) throw refuse(422, 'move_one_term', undefined, 'moves')
  if (first.over) throw refuse(409, 'move_term_over', { term: first.term, term_local: first.term_local })
  await lockTimetable(tx, first.term_id)
  const { rows } =
    await sql<Held>`select id, version, offering_id, term_id, day, slot_id, location_id from offering_slots
    where id = any(${ids}::int[]) order by id for update`.execute(tx)
  if (rows.length !== new Set(ids).size) throw refuse(404, 'not_found')
  return { meetings: new Map(rows.map((row) => [row.id, row])), term_id: first.term_id }
}

/** Somebody was quicker: says who, and where the meeting is now. */
async function refuseStale(tx: Tx, held: Held, version: number | undefined): Promise<void> {
  if (version !== undefined && version !== held.version)
    throw refuse(409, 'move_meanwhile', { ...(await movedBy(tx, held.id)), version: held.version })
}

/** Clashes may be wanted by who has the right, who says why. @throws {Refusal} 422 without a reason, 403 without the right */
function requireOverride(ctx: Ctx, { override, reason }: Wanted): void {
  if (!override) return
  if (!ctx.can('override_schedule_clash')) throw refuse(403, 'not_allowed')
  if (!reason?.trim()) throw refuse(422, 'required', undefined, 'reason')
}

/** Moves meetings of one term, all or none. */
async function moveMeetings(ctx: Ctx, sent: readonly SentMove[], wish: Wanted) {
  requireOverride(ctx, wish)
  const moves = sent.map((one) => ({ ...one, location_id: one.location_id ?? null }))
  if (new Set(moves.map((one) => one.id)).size !== moves.length) throw refuse(422, 'move_twice', undefined, 'moves')
  return await ctx.write(
    async (tx) => {
      const { meetings, term_id } = await hold(
        ctx,
        tx,
        moves.map((one) => one.id),
      )
      for (const move of moves) await refuseStale(tx, meetings.get(move.id)!, move.version)
      const real = moves.filter((move) => {
        const now = meetings.get(move.id)!
        return now.day !== move.day || now.slot_id !== move.slot_id || now.location_id !== move.location_id
      })
      const rooms = [...new Set(real.flatMap((one) => one.location_id ?? []))]
      // A room does not get smaller while meetings are put there.
      await sql`select from locations where id = any(${rooms}::int[]) order by id for share`.execute(tx)
      const { board, students } = await readMeetingBoard(ctx, tx, term_id)
      const clashes = clashesOf(board, real)
      const { wanted, refused } = insistedClashes(clashes)
      const left = wish.override ? refused : clashes
      if (left.length) {
        const who = await whoClashes(ctx, board, students, left)
        throw new Refusal(
          409,
          left.map(({ code, data, ...clash }) => ({
            code,
            data: {
              ...data,
              meeting: clash.id,
              who: named(
                who.get(left.find((one) => one.id === clash.id && one.code === code && one.with === clash.with)!),
              ),
            },
          })),
        )
      }
      await sql`set constraints offering_slots_room deferred`.execute(tx)
      await sql`update offering_slots s set day = m.day, slot_id = m.slot_id, location_id = m.location_id, version = s.version + 1
        from jsonb_to_recordset(${JSON.stringify(real)}::jsonb) as m (id int, day int, slot_id int, location_id int)
        where s.id = m.id`.execute(tx)
      await sql`set constraints offering_slots_room immediate`.execute(tx)
      if (wish.override && wanted.length)
        await sql`update meeting_moves v set overridden = w.codes
          from jsonb_to_recordset(${JSON.stringify(overriddenBy(wanted))}::jsonb) as w (id int, codes text[])
          where v.id = (select max(x.id) from meeting_moves x where x.meeting_id = w.id)`.execute(tx)
      const told = await tellMoved(
        ctx,
        tx,
        real.map((one) => one.id),
      )
      return {
        data: moves.map(({ id, day, slot_id, location_id }) => ({
          id,
          version: meetings.get(id)!.version + (real.some((one) => one.id === id) ? 1 : 0),
          day,
          slot_id,
          location_id,
        })),
        told,
      }
    },
    wish.reason ? { reason: wish.reason } : undefined,
  )
}
const named = (who: readonly Ref[] | undefined): string => (who ?? []).map((one) => one.code ?? one.name).join(', ')
const overriddenBy = (clashes: readonly Clash[]) =>
  [...Map.groupBy(clashes, (clash) => clash.id)].map(([id, list]) => ({
    id,
    codes: [...new Set(list.map((clash) => clash.code))],
  }))

export const meetingMoveHandlers: readonly Handled[] = [
  handle(meetingBoardCalls.board, async (ctx, { body }) => ({
    data: (await readMeetingBoard(ctx, ctx.db, body.term_id)).board,
  })),
  handle(meetingBoardCalls.previewMoves, async (ctx, { body }) => {
    const moves = body.moves.map((move) => ({ ...move, location_id: move.location_id ?? null }))
    const { rows } = await sql<{
      term_id: number
    }>`select term_id from offering_slots where id = ${moves[0]!.id}`.execute(ctx.db)
    const { board, students } = await readMeetingBoard(ctx, ctx.db, rows[0]?.term_id)
    const movable = new Set(board.meetings.flatMap((one) => (one.movable ? [one.id] : [])))
    if (moves.some((one) => !movable.has(one.id))) throw refuse(404, 'not_found')
    const clashes = clashesOf(board, moves)
    const who = await whoClashes(ctx, board, students, clashes)
    return {
      data: clashes.map((clash) => {
        const { code, en, ar } = toProblem({ code: clash.code, data: { ...clash.data } })
        return { id: clash.id, code, en, ar, who: who.get(clash) ?? [] }
      }),
    }
  }),
  handle(meetingBoardCalls.moveMeetings, (ctx, { body: { moves, ...wish } }) => moveMeetings(ctx, moves, wish)),
  handle(meetingBoardCalls.updateEvent, (ctx, { params, body: { override, reason, ...place } }) =>
    moveMeetings(ctx, [{ id: params.id, ...place }], { override, reason }),
  ),
  handle(meetingBoardCalls.addEvent, (ctx, { body: { offering_id, ...meeting } }) =>
    ctx.write(async (tx) => {
      const offering = (await lockOfferings(ctx, tx, [offering_id], 'edit_offering_slots')).get(offering_id)
      if (!offering) throw refuse(404, 'not_found')
      if (offering.removed) throw refuse(409, 'removed_record')
      refuseFrozen(offering)
      if (offering.linked_offering_id !== null) throw refuse(409, 'offering_is_linked', { root: offering.root_name })
      await lockTimetable(tx, offering.term_id)
      const stored = await storedSlots(tx, offering_id)
      const { section, day, slot_id, location_id, ...rest } = meeting
      const groups = Math.max(meeting.group, ...stored.map((one) => one.group))
      const ids = await saveSlots(tx, offering, groups, [
        ...stored,
        {
          ...rest,
          section: section ?? null,
          day: day ?? null,
          slot_id: slot_id ?? null,
          location_id: location_id ?? null,
        },
      ])
      await sql`update offerings set version = version where id = ${offering_id}`.execute(tx)
      await seatsAppeared(ctx, tx, [offering_id])
      return { data: { id: ids.at(-1)!, version: 1 }, told: 0 }
    }),
  ),
  handle(meetingBoardCalls.editEvent, (ctx, { params, body: { override, reason, version, ...given } }) => {
    requireOverride(ctx, { override, reason })
    return ctx.write(
      async (tx) => {
        const { meetings } = await hold(ctx, tx, [params.id])
        const held = meetings.get(params.id)!
        await refuseStale(tx, held, version)
        const offering = (await lockOfferings(ctx, tx, [held.offering_id], 'edit_offering_slots')).get(
          held.offering_id,
        )!
        const stored = await storedSlots(tx, held.offering_id)
        const slots = stored.map((one) => (one.id === params.id ? { ...one, ...sentOf(given) } : one))
        const groups = Math.max(...slots.map((slot) => slot.group))
        await saveSlots(tx, offering, groups, slots, { allowStudentClashes: override })
        await sql`update offerings set version = version where id = ${held.offering_id}`.execute(tx)
        await seatsAppeared(ctx, tx, [held.offering_id])
        const { rows } = await sql<Held>`select * from offering_slots where id = ${params.id}`.execute(tx)
        const now = firstRow(rows)
        const moved = now.day !== held.day || now.slot_id !== held.slot_id || now.location_id !== held.location_id
        const told = moved ? await tellMoved(ctx, tx, [params.id]) : 0
        return { data: { id: params.id, version: now.version }, told }
      },
      reason ? { reason } : undefined,
    )
  }),
]

/** What was sent, without what was not. */
const sentOf = <T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
