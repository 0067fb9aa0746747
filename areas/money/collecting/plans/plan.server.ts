/** Payment plans: asked for by students, decided by finance. Payers are held first, then the plan. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { holdPayers, payersOf } from '#areas/money/ledger/post.server.ts'
import type { Instalment } from '#areas/money/invoices/invoice.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { inLanguage, type ListQuery } from '#kit/contract/index.ts'
import { moneyText } from '#kit/contract/money.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { dayToday } from '../reminders/remind.server.ts'
import { COVERS, planSettings, coveredBy, type Covered } from './facts.server.ts'
import { applyPlan, leavePlan, tellPlan } from './judge.server.ts'
import { planCalls, planFields, PLAN_STATES, type PlanDetail, type PlanOffer, type PlanRow } from './plan.contract.ts'
import { checkAsked, checkParts, oldestOpen, spreadPlan, standingParts } from './plan.rules.ts'

const FROM = sql`payment_plans t join payers p on p.id = t.payer_id join students s on s.id = p.student_id
  left join invoices v on v.id = t.invoice_id left join faculties c on c.id = s.faculty_id
  left join users a on a.id = t.asked_by left join users d on d.id = t.decided_by`
const person = (alias: 'a' | 'd') =>
  sql.raw(`case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local,
    'code', null) end`)
const day = (column: string) => sql.raw(`(t.${column} at time zone university_zone())::date::text`)
const select = (ctx: Ctx) => sql`t.id, t.version, ${ref('s')} as student, ${refOrNull('c')} as faculty,
  case when v.id is not null then json_build_object('id', v.id, 'number', v.number) end as invoice, t.currency, t.parts_asked,
  t.first_day::text as first_day, t.why, t.state, t.parts as agreed, ${COVERS} as covers,
  (select count(*)::int from payment_plans o join payers op on op.id = o.payer_id where op.student_id = s.id and o.state = 'broken' and o.id <> t.id) as broken_before,
  ${person('a')} as asked_by, ${day('created_at')} as asked_on, ${person('d')} as decided_by, ${day('decided_at')} as decided_on,
  ${day('ended_at')} as ended_on, t.reason,
  ${scopeCondition(ctx, 'decide_plan', studentReach(ctx, 's'))} and not coalesce(s.user_id = any(${peopleOf(ctx)}::int[]), false) as decides,
  array[t.asked_by, t.really_asked_by] && ${peopleOf(ctx)}::int[] as asked_own,
  ${scopeCondition(ctx, 'ask_plan', studentReach(ctx, 's'))} and coalesce(s.user_id = any(${peopleOf(ctx)}::int[]), false) as theirs`
const COLUMNS = {
  student_id: 's.id',
  invoice_id: 't.invoice_id',
  faculty_id: 's.faculty_id',
  state: 't.state',
  currency: 't.currency',
  parts_asked: 't.parts_asked::int',
  first_day: 't.first_day',
  asked_on: '(t.created_at at time zone university_zone())::date',
}
const filters = Object.fromEntries(
  columnsOf(planFields, COLUMNS).map((column) => [
    column.name,
    (value: unknown) => serverField(column.field).filter(column, value),
  ]),
)
/** Of an invoice: plans that were asked for it, and those that cover it among others. */
const ofInvoice = (value: unknown) => {
  const ids = [value].flat().map(Number).filter(Number.isInteger)
  return sql`(t.invoice_id = any(${ids}::int[]) or exists (select from payment_plan_invoices k where k.plan_id = t.id and k.invoice_id = any(${ids}::int[])))`
}
const source = (ctx: Ctx, key: PermissionKey, ids: readonly number[] = []): ListSource => ({
  from: FROM,
  select: select(ctx),
  where: [
    scopeCondition(ctx, key, studentReach(ctx, 's')),
    ...(ids.length ? [sql`t.id = any(${[...ids]}::int[])`] : []),
  ],
  search: ['s.search_text', "coalesce(v.search_text, '')"],
  sort: { ...COLUMNS, student_id: 's.name', faculty_id: 'c.name', invoice_id: 'v.number' },
  order: ['asked_on', 'desc'],
  filters: { ...filters, invoice_id: ofInvoice },
})

type Stored = Omit<PlanRow, 'open' | 'next_day' | 'parts' | 'abilities'> & {
  readonly agreed: Instalment[] | null
  readonly covers: readonly Covered[]
  readonly decides: boolean
  readonly asked_own: boolean | null
  readonly theirs: boolean
}
/** What stands open of it, its parts as they are now, and what the reader may do with it. */
function shownOf({ agreed, covers, decides, asked_own, theirs, ...one }: Stored): PlanRow {
  const open = covers.reduce((sum, invoice) => sum + invoice.open, 0)
  const running = one.state === 'running'
  const days = running ? covers.flatMap((invoice) => oldestOpen(invoice) ?? []) : []
  const parts = running
    ? standingParts(covers)
    : (agreed ?? (one.state === 'asked' && open > 0 ? spreadPlan(open, one.parts_asked, one.first_day) : [])).map(
        (part) => ({ ...part, paid: one.state === 'kept' ? part.amount : 0 }),
      )
  return {
    ...one,
    open: running || one.state === 'asked' ? open : 0,
    next_day: days.toSorted()[0] ?? null,
    parts,
    abilities: [
      ...(one.state === 'asked' && decides && !asked_own ? (['accept', 'refuse'] as const) : []),
      ...(one.state === 'asked' && (asked_own || theirs) ? (['withdraw'] as const) : []),
      ...(running && decides ? (['end'] as const) : []),
    ],
  }
}
async function listed(ctx: Ctx, key: PermissionKey, query: ListQuery, ids: readonly number[] = []) {
  const { data, meta } = await pagedList<Stored>(ctx, source(ctx, key, ids), query)
  return { data: data.map(shownOf), meta }
}
async function shown(ctx: Ctx, db: Db | Tx, id: number): Promise<{ data: PlanRow }> {
  const { rows } = await sql<Stored>`select ${select(ctx)} from ${FROM} where t.id = ${id}`.execute(db)
  return { data: shownOf(firstRow(rows)) }
}
async function detail(ctx: Ctx, id: number): Promise<PlanDetail> {
  const { rows } = await sql<Stored>`select ${select(ctx)} from ${FROM}
    where t.id = ${id} and ${scopeCondition(ctx, 'access_plan', studentReach(ctx, 's'))}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return {
    ...shownOf(rows[0]),
    today: await dayToday(ctx.db),
    invoices: rows[0].covers.map(({ id: invoice_id, number, open, parts, settled, before }) => {
      let left = settled
      return {
        id: invoice_id,
        number,
        open,
        now: parts.map((part) => {
          const paid = Math.min(part.amount, left)
          left -= paid
          return { ...part, settled: paid }
        }),
        before: [...before],
      }
    }),
  }
}

interface OwedInvoice {
  readonly id: number
  readonly number: string
  readonly currency: string
  readonly open: number
  readonly due_date: string
  readonly taken: 'asked' | 'running' | null
}
/** What of a student is open, and which of it is in a plan or waits for one. */
async function owedOf(db: Db | Tx, student: number): Promise<OwedInvoice[]> {
  const { rows } = await sql<OwedInvoice>`
    select i.id, i.number, i.currency, (b.charged - b.settled)::float8 as open,
      coalesce((select min(n.due_date) from (select n.due_date, sum(n.amount) over (order by n.position) as until from installments n
        where n.invoice_id = i.id) n where n.until > b.settled), i.issued_on)::text as due_date,
      case when i.plan_id is not null then 'running' when exists (select from payment_plans o join payers op on op.id = o.payer_id
        where op.student_id = p.student_id and o.state = 'asked' and o.currency = i.currency and (o.invoice_id is null or o.invoice_id = i.id)) then 'asked' end as taken
    from payers p join invoices i on i.payer_id = p.id and i.reversed_at is null
      join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
    where p.student_id = ${student} order by i.id`.execute(db)
  return rows
}
/** Whether a plan of everything owed in a currency can be asked for. */
const takenOf = (invoices: readonly OwedInvoice[]): 'asked' | 'running' | null =>
  invoices.some((one) => one.taken === 'asked')
    ? 'asked'
    : invoices.length > 0 && invoices.every((one) => one.taken === 'running')
      ? 'running'
      : null

async function offer(ctx: Ctx, student: number): Promise<PlanOffer> {
  const { rows } = await sql`select from students s where s.id = ${student}
    and ${scopeCondition(ctx, 'ask_plan', studentReach(ctx, 's'))}`.execute(ctx.db)
  if (!rows.length) throw refuse(404, 'not_found')
  const invoices = await owedOf(ctx.db, student)
  const { most_parts, first_days } = await planSettings(ctx)
  return {
    today: await dayToday(ctx.db),
    limits: { most_parts, first_days },
    owed: [...Map.groupBy(invoices, (one) => one.currency)].map(([currency, those]) => ({
      currency,
      open: those.reduce((sum, one) => sum + (one.taken === null ? one.open : 0), 0),
      taken: takenOf(those),
      invoices: those.map(({ currency: _currency, ...one }) => one),
    })),
  }
}

interface Asked {
  readonly invoice_id?: number | null | undefined
  readonly student_id?: number | null | undefined
  readonly currency?: string | null | undefined
  readonly parts: number
  readonly first_day: string
  readonly why: string
}
interface Meant {
  readonly payer_id: number
  readonly student_id: number
  readonly currency: string
  readonly reversed: boolean
}
/** What it is for, within reach: its payer, and its currency. */
async function meant(ctx: Ctx, tx: Tx, asked: Asked): Promise<Meant> {
  const reach = scopeCondition(ctx, 'ask_plan', studentReach(ctx, 's'))
  if (asked.invoice_id) {
    const { rows } = await sql<Meant>`
      select i.payer_id, p.student_id, i.currency, i.reversed_at is not null as reversed from invoices i join payers p on p.id = i.payer_id
        join students s on s.id = p.student_id where i.id = ${asked.invoice_id} and ${reach}`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    return rows[0]
  }
  if (!asked.student_id || !asked.currency)
    throw new Refusal(422, [
      ...(asked.student_id ? [] : [{ field: 'student_id', code: 'required' }]),
      ...(asked.currency ? [] : [{ field: 'currency', code: 'required' }]),
    ])
  const { rows } = await sql`select from students s where s.id = ${asked.student_id} and ${reach}`.execute(tx)
  const payer_id = (await payersOf(tx, [asked.student_id])).get(asked.student_id)
  if (!rows.length || payer_id === undefined) throw refuse(404, 'not_found')
  return { payer_id, student_id: asked.student_id, currency: asked.currency, reversed: false }
}

/** Asks for a plan. The payer is held: of two clicks one asks. */
const ask = (ctx: Ctx, asked: Asked) =>
  ctx.write(async (tx) => {
    const { payer_id, student_id, currency, reversed } = await meant(ctx, tx, asked)
    await holdPayers(tx, sql`select ${payer_id}::int`)
    const invoices = (await owedOf(tx, student_id)).filter(
      (one) => one.currency === currency && (!asked.invoice_id || one.id === asked.invoice_id),
    )
    const taken = takenOf(invoices)
    const reasons = checkAsked({
      parts: asked.parts,
      first_day: asked.first_day,
      today: await dayToday(tx),
      limits: await planSettings({ db: tx }),
      open: invoices.reduce((sum, one) => sum + (one.taken === 'running' ? 0 : one.open), 0),
      reversed,
      asked: taken === 'asked',
      running: taken === 'running',
    })
    if (reasons.length) throw new Refusal(reasons.some((one) => one.field) ? 422 : 409, reasons)
    const { rows } = await sql<{ id: number }>`
      insert into payment_plans (payer_id, invoice_id, currency, parts_asked, first_day, why, asked_by, really_asked_by)
      values (${payer_id}, ${asked.invoice_id ?? null}, ${currency}, ${asked.parts}, ${asked.first_day}, ${asked.why},
        ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}) returning id`.execute(tx)
    return shown(ctx, tx, firstRow(rows).id)
  })

interface Held {
  readonly id: number
  readonly payer_id: number
  readonly student_id: number
  readonly user_id: number | null
  readonly currency: string
  readonly parts_asked: number
  readonly first_day: string
  readonly why: string
  readonly state: string
  readonly decided_by: number | null
  readonly asked_by: number | null
  readonly really_asked_by: number | null
  readonly version: number
}
/** A plan within reach of a right, held after its payers. */
async function holdPlan(ctx: Ctx, tx: Tx, id: number, key: PermissionKey, version: number | undefined): Promise<Held> {
  const { rows: found } = await sql<{ payer_id: number }>`select t.payer_id from ${FROM}
    where t.id = ${id} and ${scopeCondition(ctx, key, studentReach(ctx, 's'))}`.execute(tx)
  if (!found[0]) throw refuse(404, 'not_found')
  await holdPayers(tx, sql`select ${found[0].payer_id}::int`)
  const { rows } = await sql<Held>`
    select t.id, t.payer_id, p.student_id, s.user_id, t.currency, t.parts_asked, t.first_day::text as first_day, t.why, t.state, t.decided_by,
      t.asked_by, t.really_asked_by, t.version
    from payment_plans t join payers p on p.id = t.payer_id join students s on s.id = p.student_id where t.id = ${id} for no key update of t`.execute(
    tx,
  )
  const held = firstRow(rows)
  if (version !== undefined && version !== held.version)
    throw refuse(409, 'changed_meanwhile', { version: held.version })
  return held
}
/** Who decides is neither who asked nor whose money it is. */
async function heldToDecide(ctx: Ctx, tx: Tx, id: number, version: number | undefined): Promise<Held> {
  const plan = await holdPlan(ctx, tx, id, 'decide_plan', version)
  await refuseOwn(ctx, tx, sql`select ${plan.payer_id}::int`)
  if (plan.state !== 'asked') throw refuse(409, 'plan_decided')
  const people = peopleOf(ctx)
  if (people.some((one) => one === plan.asked_by || one === plan.really_asked_by)) throw refuse(403, 'plan_own_request')
  return plan
}

/** Agrees: as it was asked for, from what is open now, or on other parts. */
const accept = (ctx: Ctx, id: number, body: { parts?: Instalment[] | undefined; version?: number | undefined }) =>
  ctx.write(async (tx) => {
    const plan = await heldToDecide(ctx, tx, id, body.version)
    const covers = await coveredBy(tx, id)
    const open = covers.reduce((sum, one) => sum + one.open, 0)
    const today = await dayToday(tx)
    // Asked for by a day that is over now: it begins today.
    const first = plan.first_day < today ? today : plan.first_day
    const parts = body.parts ?? spreadPlan(open, plan.parts_asked, first)
    const reasons = checkParts(parts, { open, currency: plan.currency, today })
    if (reasons.length) throw new Refusal(body.parts ? 422 : 409, reasons)
    await applyPlan(ctx, tx, plan, covers, parts)
    await tellPlan(tx, plan, 'notice_plan_agreed', {
      parts: parts.length,
      amount: moneyText(parts[0]!.amount, plan.currency),
      day: parts[0]!.due_date,
    })
    return shown(ctx, tx, id)
  })

const refusePlan = (ctx: Ctx, id: number, { reason, version }: { reason: string; version?: number | undefined }) =>
  ctx.write(
    async (tx) => {
      const plan = await heldToDecide(ctx, tx, id, version)
      await sql`update payment_plans set state = 'refused', reason = ${reason}, decided_by = ${ctx.actor?.user_id ?? null}, decided_at = now(),
        ended_at = now(), version = version + 1 where id = ${id}`.execute(tx)
      await tellPlan(tx, plan, 'notice_plan_refused', { reason })
      return shown(ctx, tx, id)
    },
    { reason },
  )

const withdraw = (ctx: Ctx, id: number, { version }: { version?: number | undefined }) =>
  ctx.write(async (tx) => {
    const plan = await holdPlan(ctx, tx, id, 'ask_plan', version)
    if (plan.state !== 'asked') throw refuse(409, 'plan_decided')
    const theirs = [plan.asked_by, plan.really_asked_by, plan.user_id]
    if (!peopleOf(ctx).some((one) => theirs.includes(one))) throw refuse(403, 'plan_not_own_request')
    await sql`update payment_plans set state = 'withdrawn', ended_at = now(), version = version + 1 where id = ${id}`.execute(
      tx,
    )
    return shown(ctx, tx, id)
  })

const endPlan = (ctx: Ctx, id: number, { reason, version }: { reason: string; version?: number | undefined }) =>
  ctx.write(
    async (tx) => {
      const plan = await holdPlan(ctx, tx, id, 'decide_plan', version)
      await refuseOwn(ctx, tx, sql`select ${plan.payer_id}::int`)
      if (plan.state !== 'running') throw refuse(409, 'plan_not_running')
      await leavePlan(ctx, tx, plan, reason)
      return shown(ctx, tx, id)
    },
    { reason },
  )

async function exported(ctx: Ctx, query: ListQuery & { ids?: number[] | undefined; lang?: 'ar' | 'en' | undefined }) {
  const lang = query.lang ?? paperLang(ctx)
  const { data } = await listed(ctx, 'export_reminder', { ...query, page: 1, perPage: EXPORT_LIMIT + 1 }, query.ids)
  const label = (key: keyof typeof planFields) => inLanguage(planFields[key].label, lang)
  const name = (one: { name: string; name_local?: string | null | undefined } | null) =>
    one ? (lang === 'ar' ? (one.name_local ?? one.name) : one.name) : null
  return tableFile(
    ctx,
    {
      title: inLanguage(['Payment plans', 'خطط السداد'], lang),
      name: 'Payment plans',
      lang,
      columns: [
        {
          header: inLanguage(['Student code', 'كود الطالب'], lang),
          type: 'text',
          text: (one: PlanRow) => one.student.code ?? null,
        },
        { header: label('student_id'), type: 'text', text: (one) => name(one.student) },
        { header: label('faculty_id'), type: 'text', text: (one) => name(one.faculty) },
        { header: label('invoice_id'), type: 'text', text: (one) => one.invoice?.number ?? null },
        {
          header: inLanguage(['Still to pay', 'المتبقي'], lang),
          type: 'decimal',
          text: (one) => (one.open / 100).toFixed(2),
        },
        { header: label('currency'), type: 'text', text: (one) => one.currency },
        { header: label('parts_asked'), type: 'number', text: (one) => one.parts_asked },
        { header: label('first_day'), type: 'date', text: (one) => one.first_day },
        { header: label('why'), type: 'text', text: (one) => one.why },
        {
          header: label('state'),
          type: 'text',
          text: (one) => inLanguage(PLAN_STATES.find(({ value }) => value === one.state)!.label, lang),
        },
        { header: label('reason'), type: 'text', text: (one) => one.reason },
        { header: label('asked_on'), type: 'date', text: (one) => one.asked_on },
      ],
      rows: data,
    },
    'xlsx',
  )
}

export const paymentPlanHandlers: readonly Handled[] = [
  handle(planCalls.list, (ctx, { body }) => listed(ctx, 'access_plan', body)),
  handle(planCalls.show, async (ctx, { params }) => ({ data: await detail(ctx, params.id) })),
  handle(planCalls.offer, async (ctx, { params }) => ({ data: await offer(ctx, params.id) })),
  handle(planCalls.ask, (ctx, { body }) => ask(ctx, body)),
  handle(planCalls.accept, (ctx, { params, body }) => accept(ctx, params.id, body)),
  handle(planCalls.refuse, (ctx, { params, body }) => refusePlan(ctx, params.id, body)),
  handle(planCalls.withdraw, (ctx, { params, body }) => withdraw(ctx, params.id, body)),
  handle(planCalls.end, (ctx, { params, body }) => endPlan(ctx, params.id, body)),
  handle(planCalls.export, (ctx, { body }) => exported(ctx, body)),
]

export const planWork: WorkSource = {
  permissions: ['decide_plan'],
  waiting: (ctx) => sql`
    select 'collecting.work_plans', jsonb_build_object('count', count(*)), '/payment-plans', min(t.created_at), null::timestamptz
    from ${FROM} where t.state = 'asked' and not coalesce(array[t.asked_by, t.really_asked_by, s.user_id] && ${peopleOf(ctx)}::int[], false)
      and ${scopeCondition(ctx, 'decide_plan', studentReach(ctx, 's'))} having count(*) > 0`,
}
