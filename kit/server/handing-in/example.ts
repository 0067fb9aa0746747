import { sql } from 'kysely'
import { handInCalls } from '#kit/contract/handing-in.ts'
import { handedIn, handInHandlers } from '#kit/server/handing-in/handing-in.ts'
import { judgeRows } from '#kit/server/handing-in/judge.ts'
import { headingByWords } from '#kit/server/handing-in/read.ts'

const [seats, permission] = [['Seats of rooms', 'مقاعد القاعات'], 'edit_location'] as const
const summaries = { import: seats, lines: seats, mend: seats }
export const seatCalls = handInCalls('/example-buildings/seats', { permission, summaries })
/** A sheet with a column for the room and one for its seats, about one building. */
const seatSheets = handedIn<number, ReadonlyMap<string, number>, number>({
  name: 'example_seats',
  kind: 'import/example-seats',
  knownBy: 'room',
  of: async (_ctx, building) => building,
  open: async (_ctx, tx, building) => {
    const { rows } = await sql<{ code: string; id: number }>`
      select code, id from locations where building_id = ${building} for no key update`.execute(tx)
    return new Map(rows.map(({ code, id }) => [code, id]))
  },
  facts: (building_id) => ({ building_id }),
  plan: () => ({ heading: headingByWords({ room: ['Room', 'القاعة'], seats }), lacks: () => [] }),
  judge: (_ctx, _tx, lines, { open, facts }) =>
    judgeRows(lines, facts, ({ line, text, wrong, change }) => {
      line.record_id = open.get(text('room')) ?? null
      if (line.record_id === null) wrong('room', 'not_found')
      else change('seats', null, text('seats'))
    }),
  write: async (_ctx, _tx, lines) => lines.length,
})
export const seatHandlers = handInHandlers(seatCalls, seatSheets)
