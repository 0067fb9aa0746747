import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import type { Values } from '#kit/server/resource/resource.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { importTemplate } from '#kit/server/resource/transfer.ts'
import { examSlot, examSlotCalls } from './exam-slots/exam-slot.contract.ts'
import { meetingMoveHandlers } from './board/move.server.ts'
import { feedHandlers, feedProtocol } from './feeds/feed.server.ts'
import { officeHourHandlers } from './office-hours/office-hour.server.ts'
import { calendarHandlers } from './calendars/calendar.server.ts'
import { examWeekHandlers } from './exam-weeks/exam-week.server.ts'
import { location, placeCalls } from './places/place.contract.ts'
import { schedulingArea } from './scheduling.contract.ts'
import { slot, roomSlotCalls } from './slots/slot.contract.ts'
import { examWork } from './timetables/exams.server.ts'
import { timetableWork } from './timetables/today.server.ts'
import { timetableHandlers } from './timetables/timetable.server.ts'
import { schedulingTold } from './scheduling.told.contract.ts'

type SeasonKind = 'slots' | 'exam_slots'

/** Whether Ramadan time applies to the periods of the teaching day. */
export async function ramadanStatus(
  db: Db | Tx,
  kind: SeasonKind = 'slots',
): Promise<{ is_ramadan: boolean; changed_at: string }> {
  const { rows } = await sql<{ is_ramadan: boolean; changed_at: string }>`
    select is_ramadan, changed_at from ramadan_status where kind = ${kind}`.execute(db)
  return rows[0] ?? { is_ramadan: false, changed_at: new Date(0).toISOString() }
}

const slots = workings(slot, {})

/** Locations: rooms and halls. */
const locations = workings(location, { lookups: ['building_id'] })

/** The switch of one kind of slots, and how it stands. */
const seasonHandlers = (calls: typeof roomSlotCalls | typeof examSlotCalls, kind: SeasonKind): readonly Handled[] => [
  handle(calls.changeRamadanTime, async (ctx, { body }) => {
    const data = await ctx.write(async (tx) => {
      const { rows } = await sql`update ramadan_status set is_ramadan = ${body.is_ramadan}, changed_at = now()
        where kind = ${kind} returning kind`.execute(tx)
      if (!rows.length) throw refuse(409, 'ramadan_not_changed')
      // Every open timetable shows the other times at once.
      await ctx.services.events.publish('all', { type: 'ramadan', data: { kind, is_ramadan: body.is_ramadan } }, tx)
      return await ramadanStatus(tx, kind)
    })
    return { data }
  }),
  handle(calls.getRamadanTimeStatus, async (ctx) => ({ data: await ramadanStatus(ctx.db, kind) })),
]

export const schedulingServer = defineAreaServer({
  area: schedulingArea,
  told: schedulingTold,
  handlers: [
    slots.handlers,
    handle(roomSlotCalls.addSlot, (ctx, { body }) =>
      ctx.write(async (tx) => {
        const id = await slots.insert(ctx, tx, body as Values)
        return { data: await slots.get(ctx, tx, id, 'public') }
      }),
    ),
    seasonHandlers(roomSlotCalls, 'slots'),
    seasonHandlers(examSlotCalls, 'exam_slots'),
    workings(examSlot, {}).handlers,
    locations.handlers,
    handle(placeCalls.exportHallsTemplate, async (ctx) => ({
      ...(await importTemplate(ctx, locations)),
      name: 'Halls',
    })),
    calendarHandlers,
    examWeekHandlers,
    meetingMoveHandlers,
    officeHourHandlers,
    feedHandlers,
    timetableHandlers,
  ],
  protocols: [feedProtocol],
  work: [...timetableWork, ...examWork],
})
