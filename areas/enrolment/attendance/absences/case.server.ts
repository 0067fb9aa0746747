/** Warnings and bans by absence: listed, and decided through the one function of the registration's state. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { changeRegistrations } from '#areas/enrolment/registration/changes/change.server.ts'
import { decides } from '#areas/enrolment/registration/changes/owners.server.ts'
import type { Tx } from '#db/connect.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList, wholeList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { BanFacts } from './absence.rules.ts'
import { readStandings } from './shares.server.ts'
import { absenceCaseCalls, absenceCaseFields, absenceCaseFlow, absenceCaseSteps } from './case.contract.ts'
import type { AbsenceCaseRow } from './case.contract.ts'

/** As a student `s` and an offering `o` are reached: who teaches sees the own offerings only. */
export const absenceReach = (ctx: Ctx): ScopeParts => ({
  ...studentReach(ctx, 's'),
  taught: taughtBy(ctx.actor?.instructor_id ?? null, 'o'),
})
const TABLES = sql.raw(
  `registrations r join students s on s.id = r.student_id join offerings o on o.id = r.offering_id`,
)
/** The same of a case `t`. */
const reach = (ctx: Ctx): ScopeParts =>
  Object.fromEntries(
    Object.entries(absenceReach(ctx)).map(([kind, part]) => [
      kind,
      ['own', 'advised', 'taught'].includes(kind)
        ? sql`exists (select from ${TABLES} where r.id = t.registration_id and ${part as RawBuilder<unknown>})`
        : sql`(select ${part as RawBuilder<unknown>} from ${TABLES} where r.id = t.registration_id)`,
    ]),
  )

const FACTS =
  sql.raw(`json_build_object('course', c.code, 'state', case when r.status & ${flag.Registered} <> 0 then 'Registered'
  when r.status & ${flag.Banned}::bigint <> 0 then 'Banned' else 'other' end)`)

const served = serveWorkflow(absenceCaseFlow, absenceCaseSteps, {
  table: 'absence_cases',
  scope: reach,
  seen: ['access_attendance'],
  nameOf: `(select s.code || ' · ' || c.code from registrations r join students s on s.id = r.student_id join courses c on c.id = r.course_id
    where r.id = t.registration_id)`,
  own: (people) => sql`exists (select from ${TABLES} where r.id = t.registration_id and s.user_id = any(${people}))`,
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<{ id: number; facts: BanFacts }>`select t.id, ${FACTS} as facts from absence_cases t
      join registrations r on r.id = t.registration_id join courses c on c.id = r.course_id
      where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map((row) => [row.id, row.facts]))
  },
  effect: async (ctx, tx, moved) => {
    const { rows } = await sql<{ id: number; registration_id: number; facts: BanFacts; share: string }>`
      update absence_cases t set decided_reason = x.reason
      from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as x (id int, reason text), registrations r, courses c
      where t.id = x.id and r.id = t.registration_id and c.id = r.course_id
      returning t.id, t.registration_id, ${FACTS} as facts, t.share`.execute(tx)
    const of = new Map(rows.map((row) => [row.id, row]))
    for (const { id, from, to, reason } of moved) {
      const { registration_id, facts, share } = of.get(id)!
      const because = reason ?? `Absent from ${Number(share)} % of the meetings`
      // What another door has done already is not done again.
      if (to === 'banned' && facts.state !== 'Banned')
        await changeRegistrations(ctx, [registration_id], { action: 'ban' }, { reason: because, by: 'Banned' })
      if (from === 'banned' && facts.state === 'Banned')
        await changeRegistrations(ctx, [registration_id], { action: 'undo' }, { reason: because, by: 'Banned' })
    }
  },
  tells: {
    student: '(select r.student_id from registrations r where r.id = t.registration_id)',
    users: `array(select s.user_id from registrations r join students s on s.id = r.student_id where r.id = t.registration_id and s.user_id is not null)`,
    data: `(select json_build_object('course', c.name, 'course_local', c.name_local) from registrations r join courses c on c.id = r.course_id
      where r.id = t.registration_id)`,
    link: () => '/my_attendance',
  },
})

/** The case of a registration in a state, when it is there. */
async function caseOf(tx: Tx, registration_id: number, status: AbsenceCaseRow['status']): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from absence_cases
    where registration_id = ${registration_id} and status = ${status} and removed_at is null`.execute(tx)
  return rows[0]?.id
}
/**
 * Bans of a student whose absences no longer reach the limit, because they were excused, are taken back; counting says
 * what is left of the case.
 */
export async function liftExcusedBans(
  ctx: Ctx,
  tx: Tx,
  student_id: number,
  offering_ids: readonly number[],
  reason: string,
): Promise<void> {
  const standings = await readStandings(
    tx,
    sql`r.student_id = ${student_id} and r.offering_id = any(${[...offering_ids]}::int[])
      and r.status & ${flag.Banned.toString()}::bigint <> 0`,
  )
  const system = asSystem(ctx.services, reason, ctx.lang)
  for (const one of standings) {
    const id = one.level === 'ban' ? undefined : await caseOf(tx, one.registration_id, 'banned')
    if (id !== undefined) await served.take(system, id, 'undo', { reason })
  }
}

/** Whoever bans by the status of the registration decides on the case, where it stands. */
export const bannedDecided = decides('Banned', {
  lead: async (ctx, tx, registration_id, { reason }) => {
    const id = await caseOf(tx, registration_id, 'proposed')
    return id !== undefined && Boolean(await served.take(ctx, id, 'ban', { reason }))
  },
  takeBack: async (ctx, tx, registration_id, { reason }) => {
    const id = await caseOf(tx, registration_id, 'banned')
    return id !== undefined && Boolean(await served.take(ctx, id, 'undo', { reason }))
  },
})

type Stored = Omit<AbsenceCaseRow, 'abilities' | 'refused'> & {
  __steps: Parameters<typeof served.open>[2]
  facts: BanFacts
}
const FROM = sql`absence_cases t join registrations r on r.id = t.registration_id join students s on s.id = r.student_id
  join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id join terms w on w.id = r.term_id`
const filterOf = Object.fromEntries(
  columnsOf(absenceCaseFields, {
    student_id: 'r.student_id',
    course_id: 'r.course_id',
    offering_id: 'r.offering_id',
    term_id: 'r.term_id',
  }).map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (ctx: Ctx): ListSource => ({
  from: FROM,
  select: sql`t.id, t.version, ${ref('s')} as student, ${ref('c')} as course, ${ref('w')} as term,
    json_build_object('id', o.id, 'name', c.name, 'name_local', c.name_local, 'code', c.code || ' (' || o.code || ')') as offering,
    t.absences::float8 as absences, t.planned, t.share::float8 as share, t.status, t.decided_reason, t.warned_at,
    ${served.column(ctx)} as __steps, ${FACTS} as facts`,
  where: [scopeCondition(ctx, 'access_attendance', absenceReach(ctx)), sql`t.removed_at is null`],
  search: ['s.search_text', 'c.search_text'],
  sort: {
    student_id: 's.name',
    course_id: 'c.code',
    share: 't.share',
    absences: 't.absences',
    warned_at: 't.warned_at',
    status: `array_position(array['proposed', 'warned', 'banned', 'waived', 'closed'], t.status)`,
  },
  order: ['status', 'asc'],
  filters: filterOf,
})
const opened = (ctx: Ctx, { __steps, facts, ...row }: Stored): AbsenceCaseRow => ({
  ...row,
  ...served.open(ctx, row.status, __steps, facts),
})
const list = async (ctx: Ctx, query: ListQuery) => {
  const { data, meta } = await pagedList<Stored>(ctx, source(ctx), query)
  return { data: data.map((row) => opened(ctx, row)), meta }
}

/** Handlers of what absences led to. */
export const absenceCaseHandlers: readonly Handled[] = [
  ...served.handlers,
  handle(absenceCaseCalls.listCases, (ctx, { body }) => list(ctx, body)),
  handle(absenceCaseCalls.exportCases, async (ctx, { body }) => {
    const base = source(ctx)
    const narrowed = body.ids ? { ...base, where: [...base.where, sql`t.id = any(${body.ids}::int[])`] } : base
    const rows = await wholeList<Stored>(ctx, narrowed, body, EXPORT_LIMIT + 1)
    const lang = body.lang ?? paperLang(ctx)
    const shown = columnsOf(absenceCaseFields).filter(
      ({ name }) => !body.columns?.length || body.columns.includes(name),
    )
    return tableFile(
      ctx,
      {
        title: inLanguage(['Absences', 'الغياب'], lang),
        name: 'Absences.xlsx',
        lang,
        columns: shown.map((column) => ({
          header: inLanguage(column.field.label, lang),
          type: serverField(column.field).sheet ?? 'text',
          text: (row: Stored) => serverField(column.field).text(row, column, lang),
        })),
        rows: [...rows],
      },
      'xlsx',
    )
  }),
]

/** Those of every term: a ban of the last one may still have to be decided. */
const PROPOSED = `/absences?filters=${encodeURIComponent(JSON.stringify({ status: ['proposed'], term_id: 0 }))}`

/** Bans that wait for who decides them. */
export const absenceCaseWork: WorkSource = {
  permissions: ['update_registration_status'],
  waiting: (ctx) => sql`
    select 'attendance.work_bans', jsonb_build_object('count', count(*)), ${PROPOSED}::text, min(t.proposed_at), null::timestamptz
    from absence_cases t where t.status = 'proposed' and ${scopeCondition(ctx, 'update_registration_status', reach(ctx))} having count(*) > 0`,
}
