import { z } from 'zod'
import { area, call } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'

const seats = call('GET', '/example-rooms/{id}/seats', {
  summary: ['Count the seats of a room', 'عدد مقاعد قاعة'],
  permission: 'show_location',
  response: z.object({ data: z.int() }),
})
const exampleArea = area({ name: 'example', label: ['Example', 'مثال'], calls: { seats } })

/** Permission, parameters and body have been checked before the handler runs. */
export const exampleServer = defineAreaServer({
  area: exampleArea,
  handlers: [handle(seats, async (_ctx, { params }) => ({ data: params.id * 2 }))],
})
