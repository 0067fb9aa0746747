/** Shares of absences, and what follows from them: a warning, and the proposal of a ban. */
import { sql } from 'kysely'
import { COUNTED_STATE } from '#areas/common/academics/attendance-state.server.ts'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import type { AttendanceShare } from '../attendance.calls.contract.ts'
import { comes } from '../meetings/meeting.server.ts'
import { judgeAbsence, nextCase } from './absence.rules.ts'
import type { Absence, AbsenceRule, CaseState, AbsenceCounts } from './absence.rules.ts'

/** A registration and what its absences come to. */
interface Standing extends Absence {
  readonly registration_id: number
  readonly student_id: number
  readonly offering_id: number
  readonly counts: AbsenceCounts & { readonly present: number }
  readonly rule: AbsenceRule
  readonly case: CaseState | null
  /** Nothing is decided of it any more: control has it, or the student has left the course. */
  readonly settled: boolean
  readonly course: { code: string; name: string; name_local: string }
  readonly user_id: number | null
}

interface Row {
  registration_id: number
  student_id: number
  offering_id: number
  slots: number[]
  present: number
  absent: number
  excused: number
  late: number
  recorded: number
  warn: string | null
  ban: string | null
  excused_counts: boolean
  lates: number
  case: CaseState | null
  settled: boolean
  course: Standing['course']
  user_id: number | null
}

/** Registrations `r` of a condition, with what their absences come to. One round trip, and one for the dates of their meetings. */
export async function readStandings(db: Db | Tx, which: RawBuilder<unknown>): Promise<Standing[]> {
  const count = (state: string) => sql.raw(`count(*) filter (where ${COUNTED_STATE} = '${state}')::int as ${state}`)
  const { rows } = await sql<Row>`
    select r.id as registration_id, r.student_id, r.offering_id,
      array(select rs.offering_slot_id from registration_slots rs where rs.registration_id = r.id) as slots,
      n.*, b.absence_warn_share::text as warn, b.absence_ban_share::text as ban, b.excused_absence_counts as excused_counts,
      b.lates_per_absence as lates, k.status as "case", (o.control_status <> 'Draft' or not ${comes('r')}) as settled,
      json_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local) as course, s.user_id
    from registrations r join offerings o on o.id = r.offering_id join students s on s.id = r.student_id
      join bylaws b on b.id = s.bylaw_id join courses c on c.id = r.course_id left join absence_cases k on k.registration_id = r.id
      cross join lateral (
        select ${count('present')}, ${count('absent')}, ${count('excused')}, ${count('late')}, count(*)::int as recorded
        from meeting_occurrences x join attendance a on a.occurrence_id = x.id and a.student_id = r.student_id
        where x.offering_id = coalesce(o.linked_offering_id, o.id) and x.cancelled_at is null) n
    where ${which}`.execute(db)
  const planned = await plannedOf(db, rows)
  return rows.map((row) => {
    const rule: AbsenceRule = {
      warn: row.warn === null ? null : parseHundredths(row.warn),
      ban: row.ban === null ? null : parseHundredths(row.ban),
      excused_counts: row.excused_counts,
      lates: row.lates,
    }
    const { present, absent, excused, late } = row
    // Meetings of a group that was left were held as well.
    const counts = { present, absent, excused, late, planned: Math.max(planned(row), row.recorded) }
    return { ...row, counts, rule, ...judgeAbsence(counts, rule) }
  })
}

/** How many meetings the term has for a registration: those of its groups that take place, on every day on which they do. */
async function plannedOf(db: Db | Tx, rows: readonly Row[]): Promise<(row: Row) => number> {
  const slots = [...new Set(rows.flatMap((row) => row.slots))]
  if (!slots.length) return () => 0
  const { rows: counted } = await sql<{ slot: number; planned: number }>`
    select m.slot, (select count(*)::int from (
        select on_date from teaching_dates(m.slot) union select x.date from meeting_occurrences x where x.offering_slot_id = m.slot
        except select x.date from meeting_occurrences x where x.offering_slot_id = m.slot and x.cancelled_at is not null) d) as planned
    from unnest(${slots}::int[]) as m (slot)`.execute(db)
  const planned = new Map(counted.map((one) => [one.slot, one.planned]))
  return (row) => row.slots.reduce((sum, slot) => sum + (planned.get(slot) ?? 0), 0)
}

const percent = (hundredths: number | null): number | null => (hundredths === null ? null : hundredths / 100)
/** What is shown of a standing. */
export const absenceShareOf = ({ absences, counts, share, level, rule }: Standing): AttendanceShare => ({
  absences,
  planned: counts.planned,
  share: share / 100,
  level,
  warn: percent(rule.warn),
  ban: percent(rule.ban),
})

/** Until this unit of work ends, nobody else counts the absences of the meetings of an offering: two who record do not miss each other. */
export const holdCounting = (tx: Tx, offering_id: number): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('attendance', ${offering_id}))`.execute(tx)

const NOTICES: Partial<Record<CaseState, string>> = {
  warned: 'attendance.notice_warned',
  proposed: 'attendance.notice_proposed',
}

/**
 * Brings warnings and proposals of students of an offering (and of those linked to it) up to date with what is recorded.
 * Students are told. What somebody decided stays, and where control has the marks nothing changes any more.
 */
export async function settleAbsences(
  ctx: Ctx,
  tx: Tx,
  offering_id: number,
  students: readonly number[],
): Promise<void> {
  if (!students.length) return
  const standings = await readStandings(
    tx,
    sql`r.student_id = any(${[...students]}::int[]) and r.offering_id in (
      select id from offerings where id = ${offering_id} or linked_offering_id = ${offering_id})`,
  )
  const changes = standings.flatMap((standing) => {
    const to = standing.settled ? null : nextCase(standing.case, standing.level)
    return to === null
      ? []
      : [
          {
            registration_id: standing.registration_id,
            from: standing.case,
            to,
            absences: standing.absences,
            planned: standing.counts.planned,
            share: (standing.share / 100).toFixed(2),
          },
        ]
  })
  if (!changes.length) return
  await sql`
    with x as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as x (registration_id int, "from" text, "to" text, absences numeric, planned int, share numeric)
    ), written as (
      insert into absence_cases as k (registration_id, status, absences, planned, share, proposed_at)
      select registration_id, "to", absences, planned, share, case when "to" = 'proposed' then now() end from x
      on conflict (registration_id) do update set status = excluded.status, absences = excluded.absences, planned = excluded.planned,
        share = excluded.share, proposed_at = coalesce(excluded.proposed_at, k.proposed_at),
        warned_at = case when k.status = 'closed' then now() else k.warned_at end
      where k.status in ('warned', 'proposed', 'closed') returning k.id, k.registration_id
    )
    insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
    select 'absence_case', w.id, null, null, 'count', x."from", x."to", null from written w join x using (registration_id)`.execute(
    tx,
  )
  const told = new Map(standings.map((standing) => [standing.registration_id, standing]))
  await notifyEach(
    tx,
    changes.flatMap(({ registration_id, to }) => {
      const key = NOTICES[to]
      const one = told.get(registration_id)!
      return key
        ? [
            {
              user_id: one.user_id,
              records: [one.student_id],
              key,
              data: {
                course: one.course.name,
                course_local: one.course.name_local,
                share: one.share / 100,
                limit: (one.rule.ban ?? one.rule.warn ?? 0) / 100,
              },
              link: '/my_attendance',
            },
          ]
        : []
    }),
  )
}
