/** Attendance of a meeting on a date: read, recorded, cancelled and restored. */
import { sql } from 'kysely'
import { COUNTED_STATE } from '#areas/common/academics/attendance-state.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { frequencyKey, notTooOften } from '#kit/server/identity/attempts.ts'
import type { Frequency } from '#kit/server/identity/attempts.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { ref } from '#kit/server/base/sql.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import type { AttendanceConflict, AttendancePage, AttendanceSheet } from '../attendance.calls.contract.ts'
import { holdCounting, readStandings, settleAbsences, absenceShareOf } from '../absences/shares.server.ts'
import type { AttendanceState } from '../states.contract.ts'
import {
  comes,
  heldAt,
  holdOccurrence,
  joinedOn,
  meetingColumns,
  meetingScope,
  offeringHead,
  readMeeting,
} from './meeting.server.ts'
import type { MeetingFacts } from './meeting.server.ts'
import { checkCancelling, checkRecording, checkRestoring } from './occurrences.rules.ts'
import type { OccurrenceFacts } from './occurrences.rules.ts'

const SEES = ['access_attendance', 'take_attendance'] as const
const NONE = { present: 0, late: 0, absent: 0, excused: 0 }

/** Refuses what the rule does not permit, with every reason. */
export const demand = (rule: (facts: OccurrenceFacts) => { code: string }[], facts: OccurrenceFacts): void => {
  const reasons = rule(facts)
  if (reasons.length) throw new Refusal(409, reasons)
}

/** The meetings of an offering (of the one it is linked to) with their dates, and what is recorded of each. */
async function page(ctx: Ctx, id: number): Promise<AttendancePage> {
  const count = (state: string) => sql.raw(`'${state}', count(*) filter (where ${COUNTED_STATE} = '${state}')`)
  type Meeting = Omit<AttendancePage['meetings'][number], 'dates'> & {
    recorded: AttendancePage['meetings'][number]['dates']
    planned: string[]
  }
  const { rows } = await sql<{
    offering: AttendancePage['offering'] & { root: number }
    today: string
    may_take: boolean
    meetings: Meeting[]
  }>`
    select ${offeringHead()}::jsonb || jsonb_build_object('root', coalesce(o.linked_offering_id, o.id)) as offering,
      university_today()::text as today, ${meetingScope(ctx, ['take_attendance'])} as may_take,
      coalesce((select json_agg(w.meeting::jsonb || jsonb_build_object('recorded', w.recorded, 'planned', w.planned) order by w.number, w.type, w.id) from (
        select m.id, g.number, m.type, ${meetingColumns()} as meeting,
          array(select on_date::text from teaching_dates(m.id)) as planned,
          coalesce((select json_agg(json_build_object('date', x.date, 'cancelled', x.cancelled_at is not null, 'reason', x.cancelled_reason,
              'taken', n.taken, 'counts', n.counts,
              'makes_up', (select k.date from meeting_occurrences k where k.id = x.makes_up_id), 'at', ${heldAt('x')},
              'made_up', (select ${heldAt('k')} from meeting_occurrences k where k.makes_up_id = x.id and k.cancelled_at is null)) order by x.date)
            from meeting_occurrences x cross join lateral (select count(*) > 0 as taken,
              json_build_object(${count('present')}, ${count('late')}, ${count('absent')}, ${count('excused')}) as counts
              from attendance a where a.occurrence_id = x.id) n
            where x.offering_slot_id = m.id), '[]') as recorded
        from offering_slots m join offering_groups g on g.id = m.group_id left join slots p on p.id = m.slot_id
          left join locations l on l.id = m.location_id left join ramadan_status rs on rs.kind = 'slots'
        where m.offering_id = coalesce(o.linked_offering_id, o.id)) w), '[]') as meetings
    from offerings o join courses c on c.id = o.course_id join terms t on t.id = o.term_id
    where o.id = ${id} and o.removed_at is null and ${meetingScope(ctx, SEES)}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { offering, today, meetings, may_take } = found
  return {
    offering,
    today,
    meetings: meetings.map(({ recorded, planned: all, ...meeting }) => {
      const known = new Set(recorded.map((one) => one.date))
      const planned = all.filter((date) => !known.has(date))
      const dates = [
        ...recorded,
        ...planned.map((date) => ({
          date,
          makes_up: null,
          at: null,
          made_up: null,
          cancelled: false,
          reason: null,
          taken: false,
          counts: NONE,
        })),
      ].toSorted((a, b) => (a.date < b.date ? -1 : 1))
      return { ...meeting, dates }
    }),
    abilities: may_take && !offering.submitted ? ['take'] : [],
  }
}

/** Where and when a cancelled meeting is held instead. */
async function heldInstead(ctx: Ctx, { occurrence_id }: MeetingFacts): Promise<AttendanceSheet['made_up']> {
  const { rows } = await sql<{ at: AttendanceSheet['made_up'] }>`select ${heldAt('k')} as at from meeting_occurrences k
    where k.makes_up_id = ${occurrence_id} and k.cancelled_at is null`.execute(ctx.db)
  return rows[0]?.at ?? null
}

/** Everybody who comes to a meeting on a date, and of whom something is recorded there. */
async function students(
  ctx: Ctx,
  { meeting, date, occurrence_id }: MeetingFacts,
): Promise<AttendanceSheet['students']> {
  const { rows } = await sql<{
    student: AttendanceSheet['students'][number]['student']
    registration_id: number | null
    state: AttendanceState | null
    by_scan: boolean
    by_excuse: boolean
    photo: { id: number; name: string } | null
  }>`
    select ${ref('s')} as student, y.id as registration_id, y.state, coalesce(y.by_scan, false) as by_scan,
      coalesce(y.by_excuse, false) as by_excuse,
      (select json_build_object('id', f.id, 'name', f.name) from users u join files f on f.id = u.photo_file_id where u.id = s.user_id) as photo
    from (
      select z.student_id, max(z.id) as id, max(z.state) as state, bool_or(z.by_scan) as by_scan, bool_or(z.by_excuse) as by_excuse from (
        select r.student_id, r.id, null::text as state, false as by_scan, false as by_excuse
        from registration_slots rs join registrations r on r.id = rs.registration_id
        where rs.offering_slot_id = ${meeting.id} and ${comes('r')} and ${joinedOn('r')} <= ${date}::date
        union all
        select a.student_id, r.id, ${sql.raw(COUNTED_STATE)}, a.by_scan, a.state <> ${sql.raw(COUNTED_STATE)}
        from attendance a join meeting_occurrences x on x.id = a.occurrence_id
          left join offerings o on o.id = x.offering_id or o.linked_offering_id = x.offering_id
          join registrations r on r.student_id = a.student_id and r.offering_id = o.id
        where a.occurrence_id = ${occurrence_id}) z group by z.student_id) y
    join students s on s.id = y.student_id order by s.name_local collate "und-x-icu", s.code`.execute(ctx.db)
  const ids = rows.flatMap((row) => row.registration_id ?? [])
  const standings = new Map(
    (ids.length ? await readStandings(ctx.db, sql`r.id = any(${ids}::int[])`) : []).map((one) => [
      one.registration_id,
      one,
    ]),
  )
  const reader = { user_id: ctx.actor?.user_id ?? 0 }
  return rows.flatMap(({ registration_id, photo, ...row }) => {
    const standing = standings.get(registration_id ?? 0)
    return standing
      ? [
          {
            ...row,
            photo: photo && ctx.services.files.link(photo, reader),
            share: absenceShareOf(standing),
            case: standing.case,
          },
        ]
      : []
  })
}

/** Writes attendance of an occurrence, and settles what follows from it. */
export async function record(
  ctx: Ctx,
  tx: Tx,
  occurrence_id: number,
  marks: readonly { student_id: number; state: AttendanceState | null }[],
): Promise<number> {
  const given = JSON.stringify(marks)
  const { rows } = await sql<{ student_id: number }>`
    with x as materialized (select * from jsonb_to_recordset(${given}::jsonb) as x (student_id int, state text)),
    gone as (delete from attendance a using x where a.occurrence_id = ${occurrence_id} and a.student_id = x.student_id and x.state is null
      returning a.student_id),
    written as (
      insert into attendance as a (occurrence_id, student_id, state, recorded_by)
      select ${occurrence_id}, x.student_id, x.state, ${ctx.actor?.user_id ?? null}::int from x where x.state is not null order by x.student_id
      on conflict (occurrence_id, student_id) do update set state = excluded.state, by_scan = false,
        recorded_by = excluded.recorded_by, recorded_at = now()
      where a.state <> excluded.state returning a.student_id)
    select student_id from gone union all select student_id from written`.execute(tx)
  return rows.length
}

/** Students who come to a meeting on a date. */
async function comingTo(tx: Tx, slot_id: number, date: string): Promise<Set<number>> {
  const { rows } = await sql<{ student_id: number }>`
    select r.student_id from registration_slots rs join registrations r on r.id = rs.registration_id
    where rs.offering_slot_id = ${slot_id} and ${comes('r')} and ${joinedOn('r')} <= ${date}::date`.execute(tx)
  return new Set(rows.map((row) => row.student_id))
}

/** Marks whose student has another state by now than their author saw. The occurrence is held, so that it stays so. */
async function changedSince(
  tx: Tx,
  occurrence_id: number,
  marks: readonly { student_id: number; state: AttendanceState | null; seen?: AttendanceState | null }[],
): Promise<AttendanceConflict[]> {
  const seen = marks.filter((mark) => mark.seen !== undefined)
  if (!seen.length) return []
  const { rows } = await sql<{
    student_id: number
    raw: AttendanceState
    counted: AttendanceState
    at: string
    by: AttendanceConflict['by']
  }>`
    select a.student_id, a.state as raw, ${sql.raw(COUNTED_STATE)} as counted, a.recorded_at as at,
      case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as by
    from attendance a join meeting_occurrences x on x.id = a.occurrence_id left join users u on u.id = a.recorded_by
    where a.occurrence_id = ${occurrence_id} and a.student_id = any(${seen.map((mark) => mark.student_id)}::int[])`.execute(
    tx,
  )
  const now = new Map(rows.map((row) => [row.student_id, row]))
  return seen.flatMap(({ student_id, state, seen: before }) => {
    const row = now.get(student_id)
    const same = [row?.raw ?? null, row?.counted ?? null]
    if (same.includes(before ?? null) || same.includes(state)) return []
    return [{ student_id, yours: state, theirs: row?.counted ?? null, by: row?.by ?? null, at: row?.at ?? null }]
  })
}

/**
 * Records marks of a meeting on a date.
 * @throws {Refusal} 409 when nothing is recorded of that date now; 422 for who does not come to the meeting
 */
export async function takeAttendance(
  ctx: Ctx,
  tx: Tx,
  facts: MeetingFacts,
  marks: readonly {
    student_id: number
    state: AttendanceState | null
    seen?: AttendanceState | null | undefined
    field?: string
  }[],
  others: { rest?: AttendanceState | undefined; all?: AttendanceState | undefined } = {},
): Promise<{ saved: number; conflicts: AttendanceConflict[] }> {
  demand(checkRecording, facts)
  await holdCounting(tx, facts.offering.id)
  const occurrence = await holdOccurrence(tx, facts.meeting.id, facts.date)
  const coming = await comingTo(tx, facts.meeting.id, facts.date)
  const { rows } = await sql<{ student_id: number }>`
    select student_id from attendance where occurrence_id = ${occurrence}`.execute(tx)
  const recorded = new Set(rows.map((row) => row.student_id))
  const wrong = marks.flatMap(({ student_id, field }, i) =>
    coming.has(student_id) || recorded.has(student_id)
      ? []
      : [{ field: field ?? `marks.${i}.student_id`, code: 'attendance_not_in_meeting' }],
  )
  if (wrong.length) throw new Refusal(422, wrong)
  const conflicts = await changedSince(tx, occurrence, marks)
  const left = new Set(conflicts.map((one) => one.student_id))
  const states = new Map(
    marks.filter((mark) => !left.has(mark.student_id)).map((mark) => [mark.student_id, mark.state]),
  )
  for (const student of coming) {
    if (states.has(student) || left.has(student)) continue
    if (others.all) states.set(student, others.all)
    else if (others.rest && !recorded.has(student)) states.set(student, others.rest)
  }
  const saved = await record(
    ctx,
    tx,
    occurrence,
    [...states].map(([student_id, state]) => ({ student_id, state })),
  )
  await settleAbsences(ctx, tx, facts.offering.id, [...states.keys()])
  return { saved, conflicts }
}

/** Accounts of everybody who comes to a meeting, and of who teaches it. */
export async function concerned(
  tx: Db | Tx,
  id: number,
): Promise<{ user_id: number | null; student_id: number | null }[]> {
  const { rows } = await sql<{ user_id: number | null; student_id: number | null }>`
    select s.user_id, s.id as student_id from registration_slots rs join registrations r on r.id = rs.registration_id
      join students s on s.id = r.student_id where rs.offering_slot_id = ${id} and ${comes('r')}
    union all
    select i.user_id, null from offering_slot_instructors si join instructors i on i.id = si.instructor_id where si.offering_slot_id = ${id}`.execute(
    tx,
  )
  return rows
}

/** Cancels or restores a meeting on a date; whoever comes to it is told, and so is who teaches it. */
async function setCancelled(ctx: Ctx, id: number, date: string, reason: string | null): Promise<number> {
  return ctx.write(
    async (tx) => {
      // Held before it is judged: of two at one moment one finds what the other did.
      const planned = await readMeeting(ctx, tx, id, date, ['take_attendance'])
      if (planned.occurrence_id === null) demand(reason === null ? checkRestoring : checkCancelling, planned)
      await holdCounting(tx, planned.offering.id)
      const occurrence = await holdOccurrence(tx, id, date)
      const facts = await readMeeting(ctx, tx, id, date, ['take_attendance'])
      demand(reason === null ? checkRestoring : checkCancelling, facts)
      await sql`update meeting_occurrences set cancelled_reason = ${reason}::text,
        cancelled_at = case when ${reason}::text is not null then now() end where id = ${occurrence}`.execute(tx)
      if (reason !== null) await sql`delete from attendance_codes where occurrence_id = ${occurrence}`.execute(tx)
      const rows = await concerned(tx, id)
      const users = rows.map((row) => row.user_id).filter((user) => user !== null && user !== ctx.actor?.user_id)
      await notify(tx, users, {
        key: reason === null ? 'attendance.notice_restored' : 'attendance.notice_cancelled',
        data: {
          course: facts.offering.course.name,
          course_local: facts.offering.course.name_local,
          date,
          time: facts.meeting.start ?? '',
          reason,
        },
        link: '/offerings/my_schedule',
        records: rows.flatMap((row) => row.student_id ?? []),
      })
      await settleAbsences(
        ctx,
        tx,
        facts.offering.id,
        rows.flatMap((row) => row.student_id ?? []),
      )
      return users.length
    },
    reason === null ? {} : { reason },
  )
}

/** Twice the same words are a slip of the finger; more than so many messages a day nobody reads. */
const classLimits = (id: number, text: string): readonly Frequency[] => [
  { key: frequencyKey('class words', id, text), most: 1, seconds: 60, code: 'class_told_twice' },
  { key: frequencyKey('class messages', id), most: 10, seconds: 86_400, code: 'class_told_often' },
]

/** Tells everybody who comes to a meeting, and who teaches it with the writer; answers how many. */
async function tell(ctx: Ctx, id: number, date: string, text: string): Promise<number> {
  return ctx.write(async (tx) => {
    const { offering, known, dates } = await readMeeting(ctx, tx, id, date, ['take_attendance'])
    if (!known && !dates.includes(date)) throw refuse(404, 'occurrence_none', { date })
    await notTooOften(tx, classLimits(id, text))
    const rows = await concerned(tx, id)
    const users = rows.map((row) => row.user_id).filter((user) => user !== null && user !== ctx.actor?.user_id)
    await notify(tx, users, {
      key: 'attendance.notice_class',
      data: { course: offering.course.name, course_local: offering.course.name_local, text },
      link: '/offerings/my_schedule',
      records: rows.flatMap((row) => row.student_id ?? []),
    })
    return users.length
  })
}

/** Handlers of meetings on their dates. */
export const attendanceSheetHandlers: readonly Handled[] = [
  handle(calls.page, async (ctx, { params }) => ({ data: await page(ctx, params.id) })),
  handle(calls.sheet, async (ctx, { params }) => {
    const facts = await readMeeting(ctx, ctx.db, params.id, params.date, SEES)
    if (!facts.known && !facts.dates.includes(params.date)) throw refuse(404, 'occurrence_none', { date: params.date })
    const open = facts.may_take && !facts.submitted
    return {
      data: {
        offering: facts.offering,
        meeting: facts.meeting,
        date: params.date,
        today: facts.today,
        cancelled: facts.cancelled,
        makes_up: facts.makes_up,
        made_up: await heldInstead(ctx, facts),
        students: await students(ctx, facts),
        abilities: [
          ...(open && checkRecording(facts).length === 0 ? ['take'] : []),
          ...(open && facts.cancelled === null && facts.date === facts.today ? ['code'] : []),
          ...(open && facts.cancelled === null ? ['cancel'] : []),
          ...(open && checkRestoring(facts).length === 0 ? ['restore'] : []),
          ...(open && facts.cancelled !== null && facts.made_up === null && facts.makes_up === null ? ['make_up'] : []),
        ],
      },
    }
  }),
  handle(calls.save, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const facts = await readMeeting(ctx, tx, params.id, params.date, ['take_attendance'])
      return { data: await takeAttendance(ctx, tx, facts, body.marks, body) }
    }),
  ),
  handle(calls.cancel, async (ctx, { params, body }) => ({
    data: { told: await setCancelled(ctx, params.id, params.date, body.reason) },
  })),
  handle(calls.tell, async (ctx, { params, body }) => ({
    data: { told: await tell(ctx, params.id, params.date, body.text) },
  })),
  handle(calls.restore, async (ctx, { params }) => ({
    data: { told: await setCancelled(ctx, params.id, params.date, null) },
  })),
]
