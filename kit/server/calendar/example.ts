import { etagOf, writeCalendar } from '#kit/server/calendar/ical.ts'

/** A lecture every Sunday until January, without the holiday; the tag changes only when the content does. */
export function lectures(stamp: Date): { content: Uint8Array; tag: string } {
  const content = writeCalendar({
    name: 'Canopus University',
    zone: 'Africa/Cairo',
    stamp,
    events: [
      {
        uid: 'meeting-17@canopus.example.edu',
        start: '2026-10-04T09:00',
        end: '2026-10-04T10:30',
        summary: 'Linear algebra',
        weekly: { until: '2027-01-10', except: ['2026-11-29'] },
      },
    ],
  })
  return { content, tag: etagOf(content) }
}
