/** Papers of exams: into the hall, and back. Who was present is counted from seats and absences. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { ListQuery, Ref } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql, type RawBuilder } from 'kysely'
import { inExam } from '../reach.server.ts'
import { examDays } from '../sitting.server.ts'
import { deliveryCalls, deliveryFields, type DeliveryRow } from './delivery.contract.ts'
import { checkDeliver, checkPapersReturn, checkTakeBack, type DeliveredPapers } from './delivery.rules.ts'

type Stored = Omit<DeliveryRow, 'abilities'> & { __papers: DeliveredPapers; __may: boolean }
const FROM = sql`exam_papers t join exam_schedules s on s.id = t.exam_schedule_id join exams e on e.id = t.exam_id
  join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id join locations p on p.id = t.location_id
  left join exam_papers_types y on y.id = t.paper_type_id`
const select = (ctx: Ctx) => sql`t.id, t.version, ${ref('e')} as exam, ${ref('c')} as course, ${ref('p')} as hall,
  to_char(lower(s.during), 'YYYY-MM-DD') as date, to_char(lower(s.during), 'HH24:MI') as "from", ${refOrNull('y')} as paper_type,
  t.seated, t.present, t.delivered, t.returned, t.explanation, t.state,
  json_build_object('course', c.code, 'hall', p.code, 'present', t.present, 'delivered', t.delivered, 'returned', t.returned,
    'begins', to_char(lower(s.during), 'YYYY-MM-DD HH24:MI'), 'begun', lower(s.during) <= now() at time zone university_zone(),
    'approved', o.control_status in ('Approved', 'Published', 'Frozen')) as __papers,
  ${scopeCondition(ctx, 'edit_examDelivery', inExam(ctx))} as __may`

const opened = ({ __papers: papers, __may: may, ...row }: Stored): DeliveryRow => ({
  ...row,
  abilities: may
    ? [
        ...(checkDeliver(papers).length ? [] : (['deliver'] as const)),
        ...(checkPapersReturn({ ...papers, returned: papers.present }, '-').length ? [] : (['return'] as const)),
        ...(checkTakeBack(papers).length ? [] : (['take_back'] as const)),
      ]
    : [],
})

async function rowsOf(
  ctx: Ctx,
  db: Db | Tx,
  condition: RawBuilder<unknown>,
  key: PermissionKey = 'access_examDelivery',
): Promise<Stored[]> {
  const { rows } = await sql<Stored>`select ${select(ctx)} from ${FROM}
    where ${condition} and ${scopeCondition(ctx, key, inExam(ctx))} order by s.during, p.code, c.code`.execute(db)
  return rows
}

const filters = Object.fromEntries(
  columnsOf(deliveryFields, {
    exam_id: 't.exam_id',
    course_id: 'c.id',
    location_id: 't.location_id',
    term_id: 'e.term_id',
    date: 's.on_date',
  }).map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (ctx: Ctx, exam_id: number | null): ListSource => ({
  from: FROM,
  select: select(ctx),
  where: [
    scopeCondition(ctx, 'access_examDelivery', inExam(ctx)),
    ...(exam_id === null ? [] : [sql`t.exam_id = ${exam_id}`]),
  ],
  search: ['c.search_text', 'p.search_text'],
  sort: {
    date: 's.during',
    course_id: 'c.code',
    location_id: 'p.code',
    state: `array_position(array['differs', 'waiting', 'delivered', 'explained', 'returned', 'nobody_seated'], t.state)`,
  },
  order: ['date', 'asc'],
  filters,
})
const list = async (ctx: Ctx, query: ListQuery, exam_id: number | null) => {
  const { data, meta } = await pagedList<Stored>(ctx, source(ctx, exam_id), query)
  return { data: data.map(opened), meta }
}

interface Put {
  readonly count?: number | undefined
  readonly paper_type_id?: number | null | undefined
  readonly reason?: string | undefined
  readonly version?: number | undefined
}
/** Counts papers in or back, or takes the last count back. A difference needs its reason. */
const put = (ctx: Ctx, type: 'delivered' | 'returned' | 'back', id: number, body: Put): Promise<DeliveryRow> =>
  ctx.write(
    async (tx) => {
      // Seats and absences of the exam are what is counted against: they wait, and so does control.
      const { rows: hall } = await sql<{ exam_schedule_id: number; location_id: number }>`
        select l.exam_schedule_id, l.location_id from exam_schedule_locations l join exam_schedules s on s.id = l.exam_schedule_id
          join offerings o on o.id = s.offering_id
        where l.id = ${id} and ${scopeCondition(ctx, 'edit_examDelivery', inExam(ctx))} for update of l for key share of o`.execute(
        tx,
      )
      const [row] = hall.length ? await rowsOf(ctx, tx, sql`t.id = ${id}`, 'edit_examDelivery') : []
      if (!row || !hall[0]) throw refuse(404, 'not_found')
      const { __papers: papers, version } = row
      if (body.version !== undefined && body.version !== version) throw refuse(409, 'changed_meanwhile', { version })
      if (type !== 'back' && body.count === undefined) throw refuse(422, 'required', undefined, 'count')
      const count = body.count ?? 0
      const reason = body.reason?.trim() ?? null
      const reasons =
        type === 'delivered'
          ? checkDeliver(papers)
          : type === 'returned'
            ? checkPapersReturn({ ...papers, returned: count }, reason)
            : checkTakeBack(papers)
      if (reasons.length)
        throw new Refusal(
          reasons.every((one) => one.code === 'papers_differ' || one.code === 'papers_more_than_out') ? 422 : 409,
          reasons,
        )
      const { exam_schedule_id, location_id } = hall[0]
      const who = ctx.actor?.user_id ?? null
      const at = sql`exam_schedule_id = ${exam_schedule_id} and location_id = ${location_id}`
      if (type === 'delivered')
        await sql`insert into exam_deliveries (exam_schedule_id, location_id, paper_type_id, delivered, delivered_by)
          values (${exam_schedule_id}, ${location_id}, ${body.paper_type_id ?? null}, ${count}, ${who})
          on conflict (exam_schedule_id, location_id) do update set delivered = excluded.delivered, delivered_by = excluded.delivered_by,
            delivered_at = now(), paper_type_id = coalesce(excluded.paper_type_id, exam_deliveries.paper_type_id),
            version = exam_deliveries.version + 1`.execute(tx)
      else if (type === 'returned')
        await sql`update exam_deliveries set returned = ${count}, returned_by = ${who}, returned_at = now(), explanation = ${reason},
          version = version + 1 where ${at}`.execute(tx)
      else if (papers.returned !== null)
        await sql`update exam_deliveries set returned = null, returned_by = null, returned_at = null, explanation = null,
          version = version + 1 where ${at}`.execute(tx)
      else await sql`delete from exam_deliveries where ${at}`.execute(tx)
      return opened((await rowsOf(ctx, tx, sql`t.id = ${id}`, 'edit_examDelivery'))[0]!)
    },
    body.reason ? { reason: body.reason } : {},
  )

async function lookups(ctx: Ctx, exam_id: number | null) {
  const { rows } = await sql<{ list: Ref[] }>`select coalesce(json_agg(${ref('y')} order by y.code), '[]') as list
    from exam_papers_types y where y.removed_at is null`.execute(ctx.db)
  return {
    data: { ...(await examDays(ctx, 'access_examDelivery', exam_id)), statuses: [], paper_types: firstRow(rows).list },
  }
}

export const deliveryHandlers: readonly Handled[] = [
  handle(deliveryCalls.list, (ctx, { body }) => list(ctx, body, null)),
  handle(deliveryCalls.listOf, (ctx, { params, body }) => list(ctx, body, params.id)),
  handle(deliveryCalls.lookups, (ctx) => lookups(ctx, null)),
  handle(deliveryCalls.lookupsOf, (ctx, { params }) => lookups(ctx, params.id)),
  handle(deliveryCalls.get, async (ctx, { params }) => {
    const [row] = await rowsOf(ctx, ctx.db, sql`t.id = ${params.id}`)
    if (!row) throw refuse(404, 'not_found')
    return { data: opened(row) }
  }),
  handle(deliveryCalls.of, async (ctx, { params: { id, type } }) => {
    const rows = await rowsOf(ctx, ctx.db, type === 'exam' ? sql`t.exam_id = ${id}` : sql`t.exam_schedule_id = ${id}`)
    const sum = (of: (row: Stored) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0)
    return {
      data: rows.map(opened),
      totals: {
        delivered: sum((row) => row.delivered),
        present: sum((row) => row.present),
        returned: sum((row) => row.returned),
        open: rows.filter((row) => ['waiting', 'delivered', 'differs'].includes(row.state)).length,
      },
    }
  }),
  handle(deliveryCalls.put, async (ctx, { params, body }) => ({ data: await put(ctx, params.type, params.id, body) })),
]

/** Papers of exams that are over and did not come back, or differ. */
export const deliveryWork: WorkSource = {
  permissions: ['edit_examDelivery'],
  waiting: (ctx) => sql`
    select 'exam-days.work_papers', jsonb_build_object('count', count(*)), '/exams_delivery',
      min(upper(s.during)) at time zone university_zone(), null::timestamptz
    from exam_papers t join exam_schedules s on s.id = t.exam_schedule_id join offerings o on o.id = t.offering_id
    where t.state in ('delivered', 'differs') and upper(s.during) < now() at time zone university_zone()
      and ${scopeCondition(ctx, 'edit_examDelivery', inExam(ctx))} having count(*) > 0`,
}
