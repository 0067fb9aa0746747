import { expect, test } from 'vitest'
import { etagOf, writeCalendar } from './ical.ts'
import type { CalendarEvent } from './ical.ts'

const stamp = new Date('2026-09-01T00:00:00Z')
const lecture: CalendarEvent = {
  uid: 'slot-7@ems.example.edu',
  start: '2026-09-20T09:00',
  end: '2026-09-20T10:30',
  summary: 'Logic',
  weekly: { until: '2026-12-27', except: ['2026-10-04'] },
}
const write = (events: readonly CalendarEvent[], zone = 'Africa/Cairo') =>
  Buffer.from(writeCalendar({ name: 'My week', zone, events, stamp })).toString()
/** Lines as a reader puts them together again. */
const lines = (text: string) => text.replaceAll('\r\n ', '').split('\r\n')

test('a weekly event with exceptions, in the time of its zone', () => {
  const text = write([lecture])
  expect(lines(text)).toEqual(
    expect.arrayContaining([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'UID:slot-7@ems.example.edu',
      'DTSTAMP:20260901T000000Z',
      'DTSTART;TZID=Africa/Cairo:20260920T090000',
      'DTEND;TZID=Africa/Cairo:20260920T103000',
      // The end of the last day, by the clock of winter.
      'RRULE:FREQ=WEEKLY;UNTIL=20261227T215900Z',
      'EXDATE;TZID=Africa/Cairo:20261004T090000',
      'END:VCALENDAR',
    ]),
  )
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

test('the zone tells when its clock is changed, and only then', () => {
  const zone = (text: string) =>
    lines(text).slice(lines(text).indexOf('BEGIN:VTIMEZONE'), lines(text).indexOf('END:VTIMEZONE'))
  // Egypt ends summer time on the last Thursday of October.
  expect(zone(write([lecture]))).toEqual([
    'BEGIN:VTIMEZONE',
    'TZID:Africa/Cairo',
    'BEGIN:STANDARD',
    'DTSTART:20260919T090000',
    'TZOFFSETFROM:+0300',
    'TZOFFSETTO:+0300',
    'END:STANDARD',
    'BEGIN:STANDARD',
    'DTSTART:20261030T000000',
    'TZOFFSETFROM:+0300',
    'TZOFFSETTO:+0200',
    'END:STANDARD',
  ])
  expect(zone(write([lecture], 'Asia/Riyadh')).filter((line) => line.startsWith('BEGIN:'))).toEqual([
    'BEGIN:VTIMEZONE',
    'BEGIN:STANDARD',
  ])
  expect(write([lecture], 'America/St_Johns')).toContain('TZOFFSETTO:-0330')
})

test('texts are escaped, and long lines folded between letters', () => {
  const summary = `مقدمة في الخوارزميات; Logic, ${'منطق '.repeat(40)}\\ and\nmore`
  const text = write([{ ...lecture, summary }])
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text).not.toContain('\ufffd')
  const found = lines(text).find((line) => line.startsWith('SUMMARY:'))!
  expect(found.slice(8).replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c))).toBe(summary)
})

test('the same calendar has the same mark', () => {
  const of = (events: readonly CalendarEvent[]) => etagOf(writeCalendar({ name: 'x', zone: 'UTC', events, stamp }))
  expect(of([lecture])).toBe(of([lecture]))
  expect(of([lecture])).not.toBe(of([{ ...lecture, summary: 'Sets' }]))
  expect(of([])).toMatch(/^"[\w-]{27}"$/)
})
