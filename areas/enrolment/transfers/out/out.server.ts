/** Students who leave for another university. */
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sheetRows, transferSheet } from '../equivalence/sheets.server.ts'
import { endWithStatus, LEAVER, lockLeaver, TRANSFER_TERM } from '../leaver.server.ts'
import { outCalls, outFields, outFlow, outSteps } from './out.contract.ts'
import type { OutRow } from './out.contract.ts'
import { checkOut } from './out.rules.ts'
import type { OutFacts } from './out.rules.ts'

const of = (name: string) => `(select s.${name} from students s where s.id = t.student_id)`
/** As the student is reached. */
const reach = (ctx: Ctx): ScopeParts => ({
  faculty: sql.raw(of('faculty_id')),
  department: sql`(select p.department_id from students s join programs p on p.id = s.program_id where s.id = t.student_id)`,
  bylaw: sql.raw(of('bylaw_id')),
  program: sql.raw(of('program_id')),
  own: isId(sql`t.student_id`, ctx.actor?.student_id),
  advised: sql`exists (select from students s where s.id = t.student_id and s.advisor_id = ${ctx.actor?.instructor_id ?? null})`,
})
const FACTS = sql`json_build_object(${LEAVER}, 'internal_pending', exists (select from internal_transfers i
  where i.student_id = s.id and i.status in ('added', 'agreed')))`

const servedOut = serveWorkflow(outFlow, outSteps, {
  table: 'transfers_out',
  scope: reach,
  seen: ['access_transfer'],
  nameOf: `(select s.code || ' · ' || s.name from students s where s.id = t.student_id)`,
  own: (people) => sql`exists (select from students s where s.id = t.student_id and s.user_id = any(${people}))`,
  facts: async (_ctx, tx, ids, action) => {
    if (action !== 'approve') return new Map()
    await sql`select from students where id in (select student_id from transfers_out where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
    const { rows } = await sql<{ id: number; facts: OutFacts }>`select t.id, ${FACTS} as facts
      from transfers_out t join students s on s.id = t.student_id where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map((row) => [row.id, row.facts]))
  },
  effect: async (ctx, tx, moved) => {
    await sql`update transfers_out t set decided_reason = x.reason
      from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as x (id int, reason text) where t.id = x.id`.execute(tx)
    for (const { id } of moved.filter((one) => one.action === 'approve')) {
      const { rows } = await sql<{ student_id: number; decision: string }>`
        select student_id, left('Transfer: ' || destination, 400) as decision from transfers_out where id = ${id}`.execute(
        tx,
      )
      const { student_id, decision } = firstRow(rows)
      await decideStatus(ctx, tx, [student_id], { to: 'transferred', decision, source: 'transfer_out', source_id: id })
    }
  },
  tells: {
    users: 'array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null)',
    student: 't.student_id',
    data: `json_build_object('destination', t.destination)`,
    link: () => '/students/transfer_out',
  },
})

export const outLeavers = endWithStatus('transfers_out', `'requested'`, (ctx, id, reason) =>
  servedOut.take(ctx, id, 'reject', { reason }),
)

type Stored = Omit<OutRow, 'abilities' | 'refused'> & { __steps: Parameters<typeof servedOut.open>[2]; facts: OutFacts }
const FROM = sql`transfers_out t join students s on s.id = t.student_id join programs p on p.id = s.program_id
  join faculties f on f.id = s.faculty_id join terms w on w.id = t.term_id`
const opened = (ctx: Ctx, { __steps, facts, ...row }: Stored): OutRow => ({
  ...row,
  ...servedOut.open(ctx, row.status, __steps, facts),
})
const seen = (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'access_transfer', reach(ctx))
const columns = columnsOf(outFields, { program_id: 's.program_id' })
const filters = Object.fromEntries(
  columns
    .filter(({ name }) => name !== 'destination')
    .map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (ctx: Ctx, query: Pick<ListQuery, 'filters'>): ListSource => ({
  from: FROM,
  select: sql`t.id, t.version, ${ref('s')} as student, ${ref('p')} as program, ${ref('f')} as faculty, ${ref('w')} as term, t.destination,
    t.why, t.status, t.decided_reason, t.created_at, ${servedOut.column(ctx)} as __steps, ${FACTS} as facts`,
  where: [seen(ctx), ...(query.filters.status ? [] : [sql`t.status <> 'deleted'`])],
  search: ['s.search_text'],
  sort: {
    student_id: 's.name',
    program_id: 'p.name',
    destination: 't.destination',
    created_at: 't.created_at',
    status: `array_position(array['requested', 'approved', 'rejected', 'deleted'], t.status)`,
  },
  order: ['created_at', 'desc'],
  filters,
})
const list = async (ctx: Ctx, query: ListQuery) => {
  const { data, meta } = await pagedList<Stored>(ctx, source(ctx, query), query)
  return { data: data.map((row) => opened(ctx, row)), meta }
}

/** Handlers of transfers out. */
export const outHandlers: readonly Handled[] = [
  ...servedOut.handlers,
  handle(outCalls.transfersOut, (ctx, { query: { status, ...query } }) =>
    list(ctx, { ...query, order_direction: 'asc', removed: false, filters: status ? { status: [status] } : {} }),
  ),
  handle(outCalls.listOut, (ctx, { body }) => list(ctx, body)),
  handle(outCalls.requestOut, (ctx, { body: { student_id, destination, why } }) =>
    ctx.write(async (tx) => {
      await lockLeaver(ctx, tx, student_id)
      const { rows } = await sql<{ facts: OutFacts; waiting: boolean; term_id: number | null }>`
        select ${FACTS} as facts, ${TRANSFER_TERM} as term_id,
          exists (select from transfers_out o where o.student_id = s.id and o.status = 'requested') as waiting
        from students s where s.id = ${student_id} and s.removed_at is null
          and ${scopeCondition(ctx, 'ask_transfer', studentReach(ctx, 's'))}`.execute(tx)
      const [row] = rows
      if (!row) throw refuse(404, 'not_found')
      if (row.term_id === null) throw refuse(409, 'transfer_no_term')
      const reasons = [...(row.waiting ? [{ code: 'transfer_out_pending' }] : []), ...checkOut(row.facts)]
      if (reasons.length) throw new Refusal(409, reasons)
      const { rows: made } = await sql<{
        id: number
        version: number
      }>`insert into transfers_out (student_id, term_id, destination, why)
        values (${student_id}, ${row.term_id}, ${destination}, ${why}) returning id, version`.execute(tx)
      await servedOut.begin(ctx, tx, made[0]!.id, 'requested')
      return { data: made[0]! }
    }),
  ),
  handle(outCalls.exportOut, async (ctx, { body }) => {
    const rows = await sheetRows<OutRow>(ctx, source, body)
    return transferSheet(ctx, columns, rows, body, ['Transfers out', 'التحويلات إلى خارج الجامعة'])
  }),
]

/** Requests to leave that wait for who approves them. */
export const outWork: WorkSource = {
  permissions: ['approve_transfer_out'],
  waiting: (ctx) => sql`
    select 'transfers.work_out', jsonb_build_object('count', count(*)), '/students/transfer_out'::text, min(t.created_at), null::timestamptz
    from transfers_out t where t.status = 'requested' and ${scopeCondition(ctx, 'approve_transfer_out', reach(ctx))} having count(*) > 0`,
}
