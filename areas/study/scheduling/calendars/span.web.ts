import { useCallback } from 'react'
import { EXAM_WORDS } from '#areas/common/academics/exam-words.contract.ts'
import type { Tone } from '#kit/contract/field.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { MonthSpan } from '#kit/web/timetable/month.ts'
import { CALENDAR_COLOURS } from './calendar.contract.ts'
import type { CalendarColour, CalendarDay } from './calendar.contract.ts'

const toneOf = (colour: CalendarColour): Tone => CALENDAR_COLOURS.find((one) => one.value === colour)?.tone ?? 'frozen'

/** What a day of the calendar is called: an entry as it was entered, an exam week in the reader's language. */
export function useDayName(): (day: CalendarDay) => string {
  const t = useT('scheduling')
  const say = useLabel()
  const lang = useLanguage()
  return useCallback(
    (day) => {
      if (!day.exam_week) return nameOf(day, lang)
      const { kind, level } = day.exam_week
      const exams = say(EXAM_WORDS[kind])
      return level === null ? t('exam_week_named', { exams }) : t('exam_week_of_level', { exams, level })
    },
    [t, say, lang],
  )
}

/** An entry of the calendar as a month shows it. */
export const calendarSpan = (day: CalendarDay, nameDay: (day: CalendarDay) => string): MonthSpan => ({
  id: `${day.layer === 'exams' ? 'exams' : 'day'}-${day.id}`,
  title: nameDay(day),
  from: day.from,
  to: day.to,
  tone: toneOf(day.colour),
  ...(day.start_time && { opens: day.start_time }),
  ...(day.end_time && { closes: day.end_time }),
})
