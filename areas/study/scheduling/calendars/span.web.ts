import type { Tone } from '#kit/contract/field.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import type { Language } from '#kit/web/i18n/index.ts'
import type { MonthSpan } from '#kit/web/timetable/month.ts'
import { CALENDAR_COLOURS } from './calendar.contract.ts'
import type { CalendarColour, CalendarDay } from './calendar.contract.ts'

const toneOf = (colour: CalendarColour): Tone => CALENDAR_COLOURS.find((one) => one.value === colour)?.tone ?? 'frozen'

/** An entry of the calendar as a month shows it. */
export const calendarSpan = (day: CalendarDay, lang: Language): MonthSpan => ({
  id: `day-${day.id}`,
  title: nameOf(day, lang),
  from: day.from,
  to: day.to,
  tone: toneOf(day.colour),
  ...(day.start_time && { opens: day.start_time }),
  ...(day.end_time && { closes: day.end_time }),
})
