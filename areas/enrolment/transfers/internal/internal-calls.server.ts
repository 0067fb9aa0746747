import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull, refPairs, refText } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { decideEquivalence } from '../equivalence/equivalence.server.ts'
import { equivalencesOf, proposeAgain } from '../equivalence/proposal.server.ts'
import { equivalenceHandlers } from '../equivalence/handlers.server.ts'
import { gradesOf, targetOf } from '../equivalence/target.server.ts'
import type { Transfer } from '../equivalence/target.server.ts'
import { sheetRows, transferSheet } from '../equivalence/sheets.server.ts'
import { LEAVER, lockLeaver, TRANSFER_TERM } from '../leaver.server.ts'
import { internalCalls, internalCourseCalls, internalFields } from './internal.contract.ts'
import type { InternalDetail, InternalRow } from './internal.contract.ts'
import { checkExecution, checkLeaver, checkMove } from './internal.rules.ts'
import type { LeaverFacts, MoveFacts } from './internal.rules.ts'
import {
  executionFacts,
  followInternal,
  internalReach,
  joinedReach,
  moveFacts,
  mostMoves,
  servedInternal,
} from './internal.server.ts'

const ASKED = sql.raw(maskOf(['RegisterRequest', 'AddRequest']))
const RUNS = sql.raw(maskOf(['Registered']))

type Stored = Omit<InternalRow, 'abilities' | 'refused'> & { __steps: Parameters<typeof servedInternal.open>[2] }

const FROM = sql`internal_transfers t join students s on s.id = t.student_id join programs p on p.id = t.program_id
  join programs fp on fp.id = t.from_program_id join terms w on w.id = t.term_id`
const rowColumns = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`t.id, t.version, ${ref('s')} as student, ${ref('fp')} as from_program,
  ${ref('p')} as program, ${ref('w')} as term, t.why, t.status, t.created_at, t.executed_at, ${servedInternal.column(ctx)} as __steps`
const opened = (ctx: Ctx, { __steps, ...row }: Stored): InternalRow => ({
  ...row,
  ...servedInternal.open(ctx, row.status, __steps),
})

const columns = columnsOf(internalFields, {})
const filters = Object.fromEntries(
  columns.map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const seen = (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'access_transfer', internalReach(ctx))
const source = (ctx: Ctx, query: Pick<ListQuery, 'filters'>): ListSource => ({
  from: FROM,
  select: rowColumns(ctx),
  // What was deleted is listed to who asks for it.
  where: [seen(ctx), ...(query.filters.status ? [] : [sql`t.status <> 'deleted'`])],
  search: ['s.search_text'],
  sort: {
    student_id: 's.name',
    program_id: 'p.name',
    from_program_id: 'fp.name',
    created_at: 't.created_at',
    executed_at: 't.executed_at',
    status: `array_position(array['added', 'agreed', 'executed', 'rejected', 'cancelled', 'deleted'], t.status)`,
  },
  order: ['created_at', 'desc'],
  filters,
})

/** One row that the reader sees. @throws {Refusal} 404 */
async function readRow(ctx: Ctx, id: number): Promise<InternalRow> {
  const { rows } =
    await sql<Stored>`select ${rowColumns(ctx)} from ${FROM} where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return opened(ctx, rows[0])
}

/** A transfer that the reader sees, as far as its courses are concerned. @throws {Refusal} 404 */
async function transferOf(ctx: Ctx, id: number): Promise<Transfer & { student_id: number }> {
  const { rows } = await sql<{ student_id: number; program_id: number }>`
    select t.student_id, t.program_id from internal_transfers t where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { id, kind: 'internal', ...rows[0] }
}

/** What executing does to requests, to courses that run and to the advisor. */
async function executingOf(ctx: Ctx, id: number): Promise<NonNullable<InternalDetail['executing']>> {
  const mine = sql`from registrations r join courses c on c.id = r.course_id where r.student_id = s.id and r.letter is null`
  const { rows } = await sql<NonNullable<InternalDetail['executing']>>`
    select coalesce((select json_agg(${ref('c')} order by c.code) ${mine} and r.status & ${ASKED} <> 0), '[]') as requests,
      coalesce((select json_agg(json_build_object(${sql.raw(refPairs('c'))}, 'counts', exists (select from program_courses q
          where q.program_id = t.program_id and q.course_id = c.id)) order by c.code)
        ${mine} and r.status & ${RUNS} <> 0 and exists (select from terms w where w.id = r.term_id and w.end_date >= university_today())), '[]') as running,
      ${refOrNull('i')} as advisor
    from internal_transfers t join students s on s.id = t.student_id left join instructors i on i.id = s.advisor_id
    where t.id = ${id}`.execute(ctx.db)
  return firstRow(rows)
}

async function readDetail(ctx: Ctx, id: number): Promise<InternalDetail> {
  const { rows } = await sql<
    Stored &
      Omit<InternalDetail, keyof InternalRow | 'against' | 'equivalences' | 'scale' | 'by_marks' | 'executing'> & {
        student: InternalDetail['student']
      }
  >`
    select ${rowColumns(ctx)}, json_build_object(${sql.raw(refPairs('s'))}, 'level', s.level, 'status', s.status) as student,
      ${ref('ff')} as from_faculty, ${ref('f')} as faculty, ${ref('b')} as bylaw, t.decided_reason,
      coalesce((select json_agg(json_build_object('id', o.id, 'program', ${sql.raw(refText('op'))}, 'term', ${sql.raw(refText('ow'))}, 'status', o.status,
          'created_at', o.created_at) order by o.id desc)
        from internal_transfers o join programs op on op.id = o.program_id join terms ow on ow.id = o.term_id
        where o.student_id = t.student_id and o.id <> t.id and o.status <> 'deleted'), '[]') as others
    from ${FROM} join faculties f on f.id = p.faculty_id join faculties ff on ff.id = t.from_faculty_id join bylaws b on b.id = p.bylaw_id
    where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { __steps, ...transfer } = row
  const waits = transfer.status === 'added' || transfer.status === 'agreed'
  const facts = waits ? (await executionFacts(ctx, [id])).get(id) : undefined
  return {
    ...transfer,
    executing: waits ? await executingOf(ctx, id) : null,
    ...servedInternal.open(ctx, transfer.status, __steps, facts),
    against: facts ? checkExecution(facts).map((reason) => toProblem(reason)) : [],
    equivalences: await equivalencesOf(ctx.db, { kind: 'internal', id }),
    ...gradesOf(
      await targetOf(ctx.db, { kind: 'internal', student_id: transfer.student.id, program_id: transfer.program.id }),
    ),
  }
}

/** Locks a request that waits, for who holds the key where it leads to; nobody decides on the own. @throws {Refusal} 404; 403; 409 */
async function lockWaiting(
  ctx: Ctx,
  tx: Tx,
  id: number,
  key: PermissionKey,
  { version, first = false }: { version?: number | undefined; first?: boolean },
): Promise<{ student_id: number; program_id: number }> {
  const reach = key === 'edit_equivalence' ? joinedReach(ctx) : internalReach(ctx)
  const { rows } = await sql<{
    student_id: number
    program_id: number
    status: string
    version: number
    may: boolean
    steps: { own: boolean }
  }>`
    select t.student_id, t.program_id, t.status, t.version, ${scopeCondition(ctx, key, reach)} as may,
      ${servedInternal.column(ctx)} as steps
    from internal_transfers t where t.id = ${id} and (${seen(ctx)} or ${scopeCondition(ctx, key, reach)}) for update`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!row.may) throw refuse(403, 'not_allowed')
  if (key === 'edit_equivalence' && row.steps.own) throw refuse(403, 'step_own')
  if (row.status !== 'added' && (first || row.status !== 'agreed')) throw refuse(409, 'transfer_decided')
  if (version !== undefined && version !== row.version) throw refuse(409, 'changed_meanwhile', { version: row.version })
  return row
}
/** The transfer changed with its courses. @returns its version */
async function touched(tx: Tx, id: number): Promise<number> {
  const { rows } = await sql<{
    version: number
  }>`update internal_transfers set updated_at = now() where id = ${id} returning version`.execute(tx)
  return firstRow(rows).version
}

/** Why the student cannot move to the program, with the student's own. @throws {Refusal} 404 outside what the asker reaches */
async function judgeWish(ctx: Ctx, tx: Tx, student_id: number, program_id: number, besides: number | null = null) {
  await lockLeaver(ctx, tx, student_id)
  const { rows } = await sql<{
    program_id: number
    faculty_id: number
    term_id: number | null
    waiting: boolean
    facts: Omit<MoveFacts, 'most_moves'> | null
  }>`
    select s.program_id, s.faculty_id, ${TRANSFER_TERM} as term_id,
      exists (select from internal_transfers o where o.student_id = s.id and o.id is distinct from ${besides}::int
        and o.status in ('added', 'agreed')) as waiting,
      (select json_build_object(${moveFacts(TRANSFER_TERM)}) from programs p where p.id = ${program_id}) as facts
    from students s where s.id = ${student_id} and s.removed_at is null and ${scopeCondition(ctx, 'ask_transfer', studentReach(ctx, 's'))}
`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!row.facts) throw refuse(422, 'reference_missing', undefined, 'program_id')
  if (row.term_id === null) throw refuse(409, 'transfer_no_term')
  const reasons = [
    ...(row.waiting ? [{ code: 'internal_transfer_pending' }] : []),
    ...checkMove({ ...row.facts, most_moves: await mostMoves(ctx) }),
  ]
  if (reasons.length) throw new Refusal(409, reasons)
  return { ...row, term_id: row.term_id }
}

async function lookups(ctx: Ctx, student_id: number | null) {
  const keys = ['ask_transfer', 'access_transfer'] as const
  const { rows } = await sql<{
    student: { id: number; name: string; name_local: string; code: string; program: InternalRow['program'] } | null
    facts: (LeaverFacts & { out_pending: boolean; waiting: boolean }) | null
    term: InternalRow['term'] | null
    programs: {
      id: number
      name: string
      name_local: string
      code: string
      faculty: InternalRow['program']
      places: number | null
      places_left: number | null
    }[]
  }>`
    select case when s.id is not null then json_build_object(${sql.raw(refPairs('s'))}, 'program', ${sql.raw(refText('sp'))}) end as student,
      case when s.id is not null then json_build_object(${LEAVER},
        'out_pending', exists (select from transfers_out o where o.student_id = s.id and o.status = 'requested'),
        'waiting', exists (select from internal_transfers o where o.student_id = s.id and o.status in ('added', 'agreed'))) end as facts,
      (select ${ref('w')} from terms w where w.id = ${TRANSFER_TERM}) as term,
      coalesce((select json_agg(json_build_object(${sql.raw(refPairs('p'))}, 'faculty', ${sql.raw(refText('f'))}, 'places', p.transfer_places, 'places_left',
          greatest(p.transfer_places - (select count(*) from internal_transfers x where x.program_id = p.id and x.term_id = ${TRANSFER_TERM}
            and x.status = 'executed'), 0)) order by f.name, p.name)
        from programs p join faculties f on f.id = p.faculty_id
        where p.removed_at is null and f.removed_at is null and p.id is distinct from s.program_id), '[]') as programs
    from (select) as one left join students s on s.id = ${student_id}::int and s.removed_at is null
        and ${scopeCondition(ctx, keys, studentReach(ctx, 's'))}
      left join programs sp on sp.id = s.program_id`.execute(ctx.db)
  const { facts, ...found } = firstRow(rows)
  if (student_id !== null && !found.student) throw refuse(404, 'not_found')
  const reasons = facts
    ? [
        ...checkLeaver(facts),
        ...(facts.out_pending ? [{ code: 'transfer_while_out' }] : []),
        ...(facts.waiting ? [{ code: 'internal_transfer_pending' }] : []),
      ]
    : []
  return { data: { ...found, against: reasons.map((reason) => toProblem(reason)) } }
}

/** Handlers of internal transfers. */
export const internalHandlers: readonly Handled[] = [
  ...servedInternal.handlers,
  ...equivalenceHandlers(internalCourseCalls, {
    kind: 'internal',
    transferOf,
    source,
    named: ({ source: { course_id } }) => course_id,
    paper: async (ctx, id) => {
      const { student, from_program, from_faculty, program, faculty, bylaw, term, executed_at, equivalences } =
        await readDetail(ctx, id)
      return {
        student,
        bylaw,
        term,
        executed_at,
        from: [from_program, from_faculty],
        to: [program, faculty],
        lines: equivalences,
      }
    },
  }),
  handle(internalCalls.internalTransfers, async (ctx, { body }) => {
    const { data, meta } = await pagedList<Stored>(ctx, source(ctx, body), body)
    return { data: data.map((row) => opened(ctx, row)), meta }
  }),
  handle(internalCalls.internalTransfer, async (ctx, { params: { id } }) => ({ data: await readRow(ctx, id) })),
  handle(internalCalls.internalDetails, async (ctx, { params: { transfer_id } }) => ({
    data: await readDetail(ctx, transfer_id),
  })),
  handle(internalCalls.addInternal, (ctx, { params: { student_id }, body: { program_id, why } }) =>
    ctx.write(async (tx) => {
      const found = await judgeWish(ctx, tx, student_id, program_id)
      const { rows } = await sql<{ id: number; version: number }>`
        insert into internal_transfers (student_id, program_id, term_id, from_program_id, from_faculty_id, why)
        values (${student_id}, ${program_id}, ${found.term_id}, ${found.program_id}, ${found.faculty_id}, ${why}) returning id, version`.execute(
        tx,
      )
      const { id } = firstRow(rows)
      await servedInternal.begin(ctx, tx, id, 'added')
      await followInternal(tx, { id, student_id, program_id })
      return { data: firstRow(rows) }
    }),
  ),
  handle(internalCalls.editInternal, (ctx, { params: { transfer_id }, body: { program_id, why, version } }) =>
    ctx.write(async (tx) => {
      const { student_id, program_id: before } = await lockWaiting(ctx, tx, transfer_id, 'ask_transfer', {
        version,
        first: true,
      })
      if (program_id !== before) {
        await judgeWish(ctx, tx, student_id, program_id, transfer_id)
        await sql`delete from equivalences where internal_transfer_id = ${transfer_id}`.execute(tx)
      }
      await sql`update internal_transfers set program_id = ${program_id}, why = ${why} where id = ${transfer_id}`.execute(
        tx,
      )
      if (program_id !== before) await followInternal(tx, { id: transfer_id, student_id, program_id })
      return { data: { id: transfer_id, version: await touched(tx, transfer_id) } }
    }),
  ),
  handle(internalCalls.internalLookupOf, (ctx, { params: { student_id } }) => lookups(ctx, student_id)),
  handle(internalCalls.transferLookups, (ctx) => lookups(ctx, null)),
  handle(internalCalls.decideInternal, async (ctx, { params: { id }, body }) => {
    await ctx.write(async (tx) => {
      const found = await lockWaiting(ctx, tx, id, 'edit_equivalence', { version: body.version })
      await followInternal(tx, { id, ...found })
      await decideEquivalence(tx, { id, kind: 'internal', ...found }, body)
      await proposeAgain(tx, { id, kind: 'internal', ...found })
      await touched(tx, id)
    })
    return { data: await readDetail(ctx, id) }
  }),
  handle(internalCalls.exportInternal, async (ctx, { body }) => {
    const rows = await sheetRows<InternalRow>(ctx, source, body)
    return transferSheet(ctx, columns, rows, body, ['Internal Transfers', 'التحويلات الداخلية'])
  }),
]

/** The list where those stand that wait. */
const WAITING = `/students/transfer?filters=${encodeURIComponent(JSON.stringify({ status: ['added', 'agreed'] }))}`

/** Requests that wait for the faculty that is left, and for the one that is joined. */
export const internalWork: WorkSource = {
  permissions: ['agree_transfer', 'execute_transfer'],
  waiting: (ctx) => sql`
    select 'transfers.work_internal', jsonb_build_object('count', count(*)), ${WAITING}::text, min(t.created_at), null::timestamptz
    from internal_transfers t where (t.status = 'added' and ${scopeCondition(ctx, 'agree_transfer', { ...internalReach(ctx), faculty: sql`t.from_faculty_id` })}
      or t.status = 'agreed' and ${scopeCondition(ctx, 'execute_transfer', joinedReach(ctx))})
    having count(*) > 0`,
}
