import { useMemo } from 'react'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Language } from '#kit/web/i18n/index.ts'
import { to, useSearchParams } from '#kit/web/router/index.ts'
import { createStoredStore } from '#kit/web/store.ts'
import type { MonthOf } from '#kit/web/timetable/month.ts'
import { Timetable } from '#kit/web/timetable/timetable.tsx'
import type { TimetableEvent } from '#kit/web/timetable/timetable.tsx'
import { addDays, dayOf, timeOf, weekPlace } from '#kit/contract/day.ts'
import { todayIso } from '#kit/web/fields/dates.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { examWords } from './exams.contract.ts'
import { Exams, seatLine } from './exams.web.tsx'
import { timetableCalls } from './timetable.contract.ts'
import type { TimetableType } from './timetable.contract.ts'
import { OfficeHours } from '../office-hours/hours.web.tsx'
import { calendarSpan, useDayName } from '../calendars/span.web.ts'
import { ExamWeekAlone, ExamWeeks } from '../exam-weeks/line.web.tsx'

export type Week = ResponseOf<typeof timetableCalls.listEvents>

/** Which of the two times is shown, and what applied in the university when it was chosen. */
const chosenTime = createStoredStore<{ on: boolean; against: boolean } | null>('ems.timetable_time', null, (kept) => {
  const { on, against } = (kept ?? {}) as Record<string, unknown>
  return typeof on === 'boolean' && typeof against === 'boolean' ? { on, against } : null
})

type Details = Week['meta']['details']
/** The days of the term and its stages, as a month shows them. A stage that closes at midnight was open until the day before. */
const monthOf = (
  { term, stages, days, exams }: Details,
  lang: Language,
  earlier: readonly TimetableEvent[],
  nameDay: ReturnType<typeof useDayName>,
): MonthOf | undefined =>
  term
    ? {
        from: term.start_date,
        // Exams may be held after the last lectures.
        to: exams.reduce((last, { on_date }) => (on_date > last ? on_date : last), term.end_date),
        earlier,
        spans: [
          ...days.map((day) => calendarSpan(day, nameDay)),
          ...stages.map((stage) => {
            const [opens, closes] = [new Date(stage.starts_at), new Date(stage.ends_at)]
            return {
              id: stage.id,
              title: nameOf(stage, lang),
              from: dayOf(opens),
              to: dayOf(new Date(closes.getTime() - 1000)),
              ...(timeOf(opens) !== '00:00' && { opens: timeOf(opens) }),
              ...(timeOf(closes) !== '00:00' && { closes: timeOf(closes) }),
            }
          }),
        ],
      }
    : undefined

/** The exam weeks into which days of the present week fall. */
const examWeeksNow = (days: Details['days'] | undefined) => {
  const today = todayIso()
  const saturday = addDays(today, -weekPlace(today))
  const weeks = days?.filter(
    ({ layer, from, to }) => layer === 'exams' && from <= addDays(saturday, 6) && saturday <= to,
  )
  return { saturday, weeks: weeks ?? [] }
}

/** The weekly meetings of one owner; without `id`, the reader's own. The chosen term stands in the address. */
export function useWeek(type: TimetableType, id?: number) {
  const [query] = useSearchParams()
  const term = Number(query.get('term')) || undefined
  const own = useCall(
    timetableCalls.listOwnEvents,
    { params: { type }, body: { term_id: term } },
    { enabled: id === undefined },
  )
  const other = useCall(
    timetableCalls.listEvents,
    { params: { type, id: id ?? 0 }, body: { term_id: term } },
    { enabled: id !== undefined },
  )
  return id === undefined ? own : other
}

/** A weekly timetable with its choice of term, kinds and times. */
export function WeekOf({ type, id, week }: { type: TimetableType; id?: number; week?: ReturnType<typeof useWeek> }) {
  const t = useT('scheduling')
  const lang = useLanguage()
  const me = useMe()
  const asked = useWeek(type, id)
  const { data, error, refetch } = week ?? asked
  const say = useLabel()
  const [, setQuery] = useSearchParams()
  const details = data?.meta.details
  // What the reader chose is kept in this browser, and holds until the university switches.
  const chosen = chosenTime.use()
  const on = chosen && chosen.against === details?.is_ramadan ? chosen.on : (details?.is_ramadan ?? false)
  const opens = me.can('show_offering')
  const nameDay = useDayName()
  const { saturday, weeks } = useMemo(() => examWeeksNow(details?.days), [details])
  // A meeting that was moved stands in the week where it is now, and in the months on the days on which it was elsewhere.
  const [events, earlier] = useMemo(() => {
    const all = data?.data.flatMap((e) =>
      (e.places.length ? e.places : [undefined]).map((place) => {
        const { regular_time, ramadan_time, day, location } = place ?? e
        const time = on ? ramadan_time : regular_time
        const held = addDays(saturday, day)
        return {
          current: place?.current ?? true,
          event: {
            id: place?.current === false ? `${e.id}/${place.from}` : e.id,
            day,
            from: time.from,
            to: time.to,
            type: e.type,
            title: `${e.course.code} ${nameOf(e.course, lang)}`,
            lines: [
              ...(type === 'location' ? [] : location ? [nameOf(location, lang)] : []),
              ...(type === 'instructor' ? [] : e.instructors.map((i) => nameOf(i, lang))),
              t('group', { number: e.group }),
            ],
            ...(place && { held: { from: place.from, to: place.to, except: place.except } }),
            ...(place?.except.includes(held) &&
              weeks.some(({ from, to: until }) => from <= held && held <= until) && { off: true }),
            ...(opens && { href: to('/offering/:id', { id: e.offering_id }) }),
          },
        }
      }),
    )
    const those = (current: boolean) => all?.filter((one) => one.current === current).map((one) => one.event)
    // An exam is held once: the months have it on its day.
    const exams = data?.meta.details.exams.map((exam): TimetableEvent => {
      const { on_date, from, to: until } = exam
      return {
        id: `exam ${exam.id} ${exam.as}`,
        day: weekPlace(on_date),
        from,
        to: until,
        type: 'Exam',
        title: `${exam.course.code} ${nameOf(exam.course, lang)}`,
        lines: [say(examWords(exam)), ...exam.halls.map((hall) => nameOf(hall, lang)), ...seatLine(exam, t)],
        held: { from: on_date, to: on_date, except: [] },
      }
    })
    return [those(true), [...(those(false) ?? []), ...(exams ?? [])]]
  }, [data, on, lang, type, opens, t, say, saturday, weeks])
  const month = useMemo(
    () => (details ? monthOf(details, lang, earlier, nameDay) : null),
    [details, lang, earlier, nameDay],
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <>
      {events && weeks.length > 0 && <ExamWeeks weeks={weeks} />}
      <Timetable
        title={details?.of ? `${nameOf(details.of, lang)} · ${details.of.code ?? ''}` : t('my_timetable')}
        note={details?.term ? nameOf(details.term, lang) : ''}
        events={events}
        month={month}
        ramadan={{ on, onChange: (next) => chosenTime.set({ on: next, against: details?.is_ramadan ?? false }) }}
        empty={
          weeks[0] && events?.length ? (
            <ExamWeekAlone week={weeks[0]} />
          ) : (
            <Empty
              title={t('no_meetings')}
              text={details?.unplaced ? t('unplaced', { count: details.unplaced }) : t('no_meetings_text')}
            />
          )
        }
        tools={
          type !== 'offering' ? (
            <LookupInput
              key={details?.term?.id ?? 0}
              resource="term"
              aria-label={t('term')}
              defaultValue={details?.term?.id ?? null}
              onChange={(term) =>
                setQuery(
                  (before) => {
                    const next = new URLSearchParams(before)
                    if (term) next.set('term', String(term))
                    else next.delete('term')
                    return next
                  },
                  { replace: true },
                )
              }
            />
          ) : undefined
        }
      />
      {details && <Exams exams={details.exams} />}
      {details && <OfficeHours hours={details.office_hours} named={type === 'student'} />}
    </>
  )
}
