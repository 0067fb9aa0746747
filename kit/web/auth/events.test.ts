import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEvents } from './events.ts'

describe('live events', () => {
  it('are read whatever pieces they arrive in', () => {
    const sent = [
      { type: 'connected', data: null },
      { type: 'notification', data: { count: 3, text: 'تم\nإعلان' } },
      { type: 'job', data: { progress: 40 } },
    ]
    const stream = `retry: 3000\n\n${sent.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e.data)}\n\n`).join(': \n\n')}`
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length })), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
        let rest = ''
        const got = at.slice(1).flatMap((end, i) => {
          const parsed = parseEvents(rest + stream.slice(at[i], end))
          rest = parsed.rest
          return parsed.events
        })
        expect(got).toEqual(sent)
      }),
    )
  })
  it('what cannot be read is left out', () => {
    expect(parseEvents('event: a\ndata: {\n\nevent: b\ndata: 1\n\n').events).toEqual([{ type: 'b', data: 1 }])
  })
})
