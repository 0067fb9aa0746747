/** The calendar of a person at a secret address, as Google Calendar, Outlook, Thunderbird and phones fetch it. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { query } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Language } from '#kit/contract/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import { meetingType } from '#kit/contract/week.ts'
import { asks } from '#kit/server/base/hears.ts'
import { attempt, networkOf } from '#kit/server/identity/attempts.ts'
import { handle } from '#kit/server/base/context.ts'
import { keptOfDatabase } from '#kit/server/base/kept.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { errorBody, refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { writeCalendar } from '#kit/server/calendar/ical.ts'
import type { CalendarEvent } from '#kit/server/calendar/ical.ts'
import type { Protocol, ProtocolAnswer } from '#kit/server/http/protocols.ts'
import type { TimetableType } from '../timetables/timetable.contract.ts'
import { readWeek } from '../timetables/timetable.server.ts'
import { examEvent, hourEvents, meetingEvents, spanEvent } from './events.server.ts'
import { feedCalls } from './feed.contract.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const TOKEN = /^[\w-]{43}$/
/** Raised when calendars are written in another way: all are fetched anew. */
const FORMAT = 5

/** What else stands in the calendar of a student, as later areas know it; and what it is made of, as one short text (`''`: nothing). */
export const moreOfCalendar = asks<
  [ctx: Ctx, student_id: number, lang: 'ar' | 'en'],
  { readonly mark: string; readonly events: readonly CalendarEvent[] }
>('calendar.more', () => ({ mark: '', events: [] }))

interface Feed {
  readonly id: number
  readonly user_id: number
  readonly student_id: number | null
  readonly instructor_id: number | null
  readonly language: Language | null
  readonly known: string | null
  /** An instant, as text. */
  readonly changed_at: string
  readonly fingerprint: string
}

/**
 * Whose calendar it is, and what it is made of now as one short text: versions of the meetings, their rooms, periods,
 * courses and people, and of what the university's calendar and the stages of the term say. Nothing is written while it is the same.
 */
const FIND = `
  select f.id, f.user_id, s.id as student_id, i.id as instructor_id, u.language, f.fingerprint as known, f.changed_at,
    md5(concat_ws('|', ${FORMAT}, u.language, university_zone(), t.id, t.version, s.id, s.version, i.id, i.version,
      (select changed_at from ramadan_status where kind = 'slots'),
      (select string_agg(concat_ws('.', m.id, m.version, m.day, m.slot_id, m.location_id, o.version, c.version, p.version, l.version,
          (select string_agg(x.id || '.' || x.version, ',' order by x.id) from offering_slot_instructors si
            join instructors x on x.id = si.instructor_id where si.offering_slot_id = m.id),
          (select string_agg(concat_ws('/', x.date, x.cancelled_at is null, x.makes_up_id, x.slot_id, x.location_id), ',' order by x.date) from meeting_occurrences x
            where x.offering_slot_id = m.id and (x.cancelled_at is not null or x.makes_up_id is not null))), ';' order by m.id)
        from offering_slots m join offerings o on o.id = m.offering_id join courses c on c.id = o.course_id
          left join slots p on p.id = m.slot_id left join locations l on l.id = m.location_id
        where m.term_id = t.id and o.removed_at is null and m.id = any (array(
          select rs.offering_slot_id from registrations r join registration_slots rs on rs.registration_id = r.id
            where r.student_id = s.id and r.term_id = t.id and r.status & ${loadMask}::bigint <> 0
          union all select si.offering_slot_id from offering_slot_instructors si where si.instructor_id = i.id))),
      (select count(*) || '.' || max(e.updated_at) from calendar_events e where e.start_date <= t.end_date and e.end_date >= t.start_date),
      (select count(*) || '.' || max(w.updated_at) from exam_weeks w where w.term_id = t.id),
      (select count(*) || '.' || max(w.updated_at) from term_stages w where w.term_id = t.id),
      (select string_agg(h.id || '.' || h.version, ',' order by h.id) from office_hours h where h.instructor_id = i.id),
      (select string_agg(concat_ws('.', x.id, x.version, x.during, exam_end(x.id, s.id), x.told, e.status, o.version, c.version,
          (select z.location_id || '/' || z.seat from exam_seats z join registrations r on r.id = z.registration_id
            where z.exam_schedule_id = x.id and r.student_id = s.id limit 1),
          (select string_agg(p.id || '/' || p.version, ',' order by p.id) from exam_schedule_locations y join locations p on p.id = y.location_id
            where y.exam_schedule_id = x.id),
          (select string_agg(v.location_id || '/' || upper(v.during), ',' order by v.id) from exam_schedule_instructors v
            where v.exam_schedule_id = x.id and v.instructor_id = i.id)), ';' order by x.id)
        from exam_schedules x join exams e on e.id = x.exam_id and e.removed_at is null
          join offerings o on o.id = x.offering_id join courses c on c.id = o.course_id
        where e.term_id = t.id and (x.told is not null or e.status = 'published') and x.id = any (array(
          select y.id from registrations r join exam_schedules y on y.offering_id = r.offering_id
            where r.student_id = s.id and r.term_id = t.id and sits_exam(r.status)
          union all select v.exam_schedule_id from exam_schedule_instructors v where v.instructor_id = i.id
          union all select y.id from offering_instructors oi join offerings q on oi.offering_id in (q.id, q.linked_offering_id)
            join exam_schedules y on y.offering_id = q.id where oi.instructor_id = i.id and q.term_id = t.id
          union all select y.id from offering_slot_instructors si join offering_slots m on m.id = si.offering_slot_id
            join offerings q on m.offering_id in (q.id, q.linked_offering_id)
            join exam_schedules y on y.offering_id = q.id where si.instructor_id = i.id and m.term_id = t.id))))) as fingerprint
  from calendar_feeds f join users u on u.id = f.user_id and u.removed_at is null and u.blocked_at is null
    left join students s on s.user_id = u.id and s.removed_at is null
    left join instructors i on i.user_id = u.id and i.removed_at is null
    left join terms t on t.id = $TERM
  where f.token_hash = $1 and f.revoked_at is null`

let find: string | undefined
/** The statement, with the term in which the university works. */
const findStatement = (ctx: Ctx): string =>
  (find ??= FIND.replace('$TERM', sql`${currentTermId()}`.compile(ctx.db).sql))

/** Fetches of an address in the last minute: who asks more often than calendars do waits. */
const MOST = 30
const asked = keptOfDatabase<number, { minute: number; count: number }>()
function tooOften(id: number): boolean {
  const minute = Math.floor(Date.now() / 60_000)
  const before = asked.get(id)
  if (before?.minute === minute) return ++before.count > MOST
  if (asked.size > 50_000) asked.clear()
  asked.set(id, { minute, count: 1 })
  return false
}

const languageOf = ({ language }: Feed): 'ar' | 'en' => (language !== null && language !== 'ar' ? 'en' : 'ar')

/** Everything in the calendar of a person: meetings, days, deadlines and office hours of the current term. */
async function contentOf(ctx: Ctx, feed: Feed, changed: Date, more: readonly CalendarEvent[]): Promise<Uint8Array> {
  const host = new URL(ctx.services.config.publicUrl).hostname
  const lang = languageOf(feed)
  const roles: readonly (readonly [TimetableType, number | null])[] = [
    ['student', feed.student_id],
    ['instructor', feed.instructor_id],
  ]
  const events = new Map<string, CalendarEvent>()
  let name = ''
  for (const [type, id] of roles) {
    if (id === null) continue
    const { data, meta } = await readWeek(ctx, type, id, undefined, { cancelled: true, own: true })
    const { term, of, days, stages, is_ramadan, office_hours, exams } = meta.details
    name ||= [nameIn(of, lang), term && nameIn(term, lang)].filter(Boolean).join(' · ')
    const ramadan = { on: is_ramadan, days: days.filter((day) => day.layer === 'ramadan') }
    const own = [
      ...data.flatMap((one) =>
        meetingEvents(one, ramadan, host, {
          summary: `${nameIn(one.course, lang)} · ${inLanguage(meetingType(one.type), lang)}`,
          description: [one.course.code, ...one.instructors.map((person) => nameIn(person, lang))].join('\n'),
          at: (location) => nameIn(location, lang),
        }),
      ),
      ...exams.map((exam) => examEvent(exam, host, lang)),
      ...days.map((day) =>
        spanEvent({ ...day, kind: day.layer === 'exams' ? 'exams' : 'day' }, host, nameIn(day, lang)!),
      ),
      ...stages.map((stage) =>
        spanEvent(
          {
            ...stage,
            kind: 'stage',
            from: dayOf(stage.starts_at),
            // One that closes at midnight was open until the day before.
            to: dayOf(new Date(Date.parse(stage.ends_at) - 1000)),
            start_time: null,
            end_time: null,
          },
          host,
          nameIn(stage, lang)!,
        ),
      ),
      ...(type === 'instructor' && term
        ? office_hours.flatMap((hour) =>
            hourEvents({ ...hour, from: term.start_date, to: term.end_date }, host, {
              summary: inLanguage(['Office hours', 'ساعات مكتبية'], lang),
              location: nameIn(hour.location, lang) ?? nameIn({ name: hour.place, name_local: hour.place_local }, lang),
            }),
          )
        : []),
    ]
    for (const event of own) events.set(`${event.uid} ${event.instead ?? ''}`, event)
  }
  for (const event of more) events.set(event.uid, event)
  const { rows } = await sql<{ zone: string }>`select university_zone() as zone`.execute(ctx.db)
  return writeCalendar({ name, zone: firstRow(rows).zone, stamp: changed, events: [...events.values()] })
}

const HEADERS = {
  // It is a person's own: no proxy keeps it, and nobody lists it.
  'cache-control': 'private, no-cache',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
} as const

async function answer(ctx: Ctx, token: string): Promise<ProtocolAnswer> {
  const rows = TOKEN.test(token)
    ? await query<Feed>(ctx.pool, 'calendar_feed', findStatement(ctx), [hashOf(token)])
    : []
  const [found] = rows
  if (!found) {
    // An address that is none costs; one that is, is free.
    await attempt(ctx.pool, [{ key: `calendar address ${networkOf(ctx.ip)}`, free: 30, longest: 300 }])
    return { status: 404, headers: HEADERS }
  }
  if (tooOften(found.id)) throw refuse(429, 'too_many_requests', { seconds: 60 })
  const more =
    found.student_id === null
      ? { mark: '', events: [] }
      : await moreOfCalendar(ctx, found.student_id, languageOf(found))
  const fingerprint = more.mark ? hashOf(`${found.fingerprint} ${more.mark}`).toString('hex') : found.fingerprint
  const feed: Feed = { ...found, fingerprint }
  let changed = new Date(feed.changed_at)
  if (feed.known !== feed.fingerprint) {
    // A whole second, as headers tell it.
    const [now] = await query<{ changed_at: string }>(
      ctx.pool,
      'calendar_feed_changed',
      `update calendar_feeds set fingerprint = $2, changed_at = date_trunc('second', now()) where id = $1 returning changed_at`,
      [feed.id, feed.fingerprint],
    )
    changed = new Date(now?.changed_at ?? changed)
  }
  const etag = `"${feed.fingerprint}"`
  const headers = { ...HEADERS, etag, 'last-modified': changed.toUTCString() }
  const given = ctx.http?.request.headers
  const match = given?.['if-none-match']
  const same = match
    ? match.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
    : Date.parse(given?.['if-modified-since'] ?? '') >= Math.floor(changed.getTime() / 1000) * 1000
  if (same) return { status: 304, headers }
  const content = await contentOf(ctx, feed, changed, more.events)
  return {
    status: 200,
    headers: { ...headers, 'content-disposition': 'inline; filename="timetable.ics"' },
    body: Buffer.from(content).toString(),
  }
}

/** Calendars of other programs know no session: the address alone says whose it is. */
export const feedProtocol: Protocol = {
  name: 'calendars',
  prefix: '/calendars',
  types: ['text/calendar'],
  reads: 'json',
  maxBody: 1000,
  routes: [
    { method: 'GET', path: '/:token/timetable.ics', handler: (ctx, { params }) => answer(ctx, params.token ?? '') },
  ],
  refused: (refusal) => ({
    status: refusal.status,
    type: 'text/plain',
    headers: HEADERS,
    body: errorBody(refusal).error.en,
  }),
}

export const feedHandlers: readonly Handled[] = [
  handle(feedCalls.showFeed, async (ctx) => {
    const { rows } = await sql<{ created_at: string }>`select created_at from calendar_feeds
      where user_id = ${ctx.actor!.user_id} and revoked_at is null`.execute(ctx.db)
    return { data: rows[0] ?? null }
  }),
  handle(feedCalls.createFeed, (ctx) =>
    ctx.write(async (tx) => {
      const user = ctx.actor!.user_id
      if (!ctx.actor!.student_id && !ctx.actor!.instructor_id) throw refuse(404, 'not_found')
      await sql`select from users where id = ${user} for update`.execute(tx)
      await sql`update calendar_feeds set revoked_at = now() where user_id = ${user} and revoked_at is null`.execute(tx)
      const token = randomBytes(32).toString('base64url')
      const { rows } = await sql<{ created_at: string }>`insert into calendar_feeds (user_id, token_hash)
        values (${user}, ${hashOf(token)}) returning created_at`.execute(tx)
      return {
        data: {
          address: `${ctx.services.config.publicUrl}/api/calendars/${token}/timetable.ics`,
          created_at: firstRow(rows).created_at,
        },
      }
    }),
  ),
  handle(feedCalls.revokeFeed, (ctx) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ id: number }>`update calendar_feeds set revoked_at = now()
        where user_id = ${ctx.actor!.user_id} and revoked_at is null returning id`.execute(tx)
      if (!rows.length) throw refuse(404, 'not_found')
      return firstRow(rows)
    }),
  ),
]
