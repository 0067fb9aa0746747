/** Promises to pay: noted by staff, kept or broken by themselves. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { invoiceGone } from '#areas/money/invoices/gone.server.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { holdPayers, payersOf } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { inLanguage, type ListQuery } from '#kit/contract/index.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { hear } from '#kit/server/base/hears.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { moneyText } from '#kit/contract/money.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { UNDER_WAY } from '../reminders/facts.server.ts'
import { dayToday } from '../reminders/remind.server.ts'
import { promiseCalls, promiseFields, PROMISE_STATES, type PromiseRow } from './promise.contract.ts'
import { checkPromise, promiseOutcome } from './promise.rules.ts'

/** SQL: what is settled, and what is open, of what the promise `t` is for; the payer is `p`. */
const STANDS = sql`lateral (select coalesce(sum(b.settled), 0)::float8 as settled, coalesce(sum(b.charged - b.settled), 0)::float8 as open
  from payers q join invoices v on v.payer_id = q.id and v.currency = t.currency and v.reversed_at is null
    join invoice_balances b on b.invoice_id = v.id
  where (q.id = p.id or q.student_id = p.student_id) and (t.invoice_id is null or v.id = t.invoice_id))`
const FROM = sql`payment_promises t join payers p on p.id = t.payer_id join students s on s.id = p.student_id
  left join invoices i on i.id = t.invoice_id left join faculties c on c.id = s.faculty_id
  left join users n on n.id = t.noted_by left join users e on e.id = t.ended_by`
const person = (alias: 'n' | 'e') =>
  sql.raw(`case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local,
    'code', null) end`)
const select = (ctx: Ctx) => sql`t.id, t.version, ${ref('s')} as student, ${refOrNull('c')} as faculty,
  case when i.id is not null then json_build_object('id', i.id, 'number', i.number) end as invoice, t.amount::float8 as amount,
  (select least(t.amount, greatest(0, x.settled - t.settled_before))::float8 from ${STANDS} x) as came, t.currency,
  t.promised_on::text as promised_on, t.note, t.state, ${person('n')} as noted_by, (t.created_at at time zone university_zone())::date::text as noted_on,
  ${person('e')} as ended_by, t.ended_reason, (t.ended_at at time zone university_zone())::date::text as ended_on,
  case when t.state = 'standing' and ${scopeCondition(ctx, 'note_promise', studentReach(ctx, 's'))}
    and not coalesce(s.user_id = any(${peopleOf(ctx)}::int[]), false) then array['withdraw'] else '{}'::text[] end as abilities`
const COLUMNS = {
  student_id: 's.id',
  invoice_id: 't.invoice_id',
  faculty_id: 's.faculty_id',
  state: 't.state',
  amount: 't.amount',
  currency: 't.currency',
  promised_on: 't.promised_on',
  noted_on: '(t.created_at at time zone university_zone())::date',
}
const filters = Object.fromEntries(
  columnsOf(promiseFields, COLUMNS).map((column) => [
    column.name,
    (value: unknown) => serverField(column.field).filter(column, value),
  ]),
)
const source = (ctx: Ctx, key: PermissionKey, ids: readonly number[] = []): ListSource => ({
  from: FROM,
  select: select(ctx),
  where: [
    scopeCondition(ctx, key, studentReach(ctx, 's')),
    ...(ids.length ? [sql`t.id = any(${[...ids]}::int[])`] : []),
  ],
  search: ['s.search_text', "coalesce(i.search_text, '')"],
  sort: { ...COLUMNS, student_id: 's.name', faculty_id: 'c.name', invoice_id: 'i.number' },
  order: ['promised_on', 'desc'],
  filters,
})
async function shown(ctx: Ctx, db: Db | Tx, id: number): Promise<{ data: PromiseRow }> {
  const { rows } = await sql<PromiseRow>`select ${select(ctx)} from ${FROM} where t.id = ${id}`.execute(db)
  return { data: firstRow(rows) }
}

interface Asked {
  readonly invoice_id?: number | null | undefined
  readonly student_id?: number | null | undefined
  readonly currency?: string | null | undefined
  readonly amount: number
  readonly promised_on: string
  readonly note?: string | null | undefined
}
/** What it is for, within reach: its payer, and its currency. */
async function meant(ctx: Ctx, tx: Tx, asked: Asked): Promise<{ payer_id: number; currency: string }> {
  const reach = scopeCondition(ctx, 'note_promise', studentReach(ctx, 's'))
  if (asked.invoice_id) {
    const { rows } = await sql<{ payer_id: number; currency: string; reversed: boolean }>`
      select i.payer_id, i.currency, i.reversed_at is not null as reversed from invoices i join payers p on p.id = i.payer_id
        join students s on s.id = p.student_id where i.id = ${asked.invoice_id} and ${reach}`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    if (rows[0].reversed) throw refuse(409, 'invoice_is_reversed')
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
  return { payer_id, currency: asked.currency }
}

/** Notes a promise. The payer is held: what is open is what is promised of. */
const note = (ctx: Ctx, asked: Asked) =>
  ctx.write(async (tx) => {
    const { payer_id, currency } = await meant(ctx, tx, asked)
    await refuseOwn(ctx, tx, sql`select ${payer_id}::int`)
    await holdPayers(tx, sql`select ${payer_id}::int`)
    const invoice_id = asked.invoice_id ?? null
    const { rows } = await sql<{ settled: number; open: number; standing: boolean }>`
      select x.settled, x.open, exists (select from payment_promises o where o.payer_id = t.payer_id and o.currency = t.currency
        and o.invoice_id is not distinct from t.invoice_id and o.state = 'standing') as standing
      from (values (${payer_id}::int, ${currency}::text, ${invoice_id}::int)) t (payer_id, currency, invoice_id)
        join payers p on p.id = t.payer_id cross join ${STANDS} x`.execute(tx)
    const { settled, open, standing } = firstRow(rows)
    if (standing) throw refuse(409, 'promise_standing')
    const reasons = checkPromise({ ...asked, currency, open, today: await dayToday(tx) })
    if (reasons.length) throw new Refusal(reasons.some((one) => one.field) ? 422 : 409, reasons)
    const { rows: made } = await sql<{ id: number }>`
      insert into payment_promises (payer_id, invoice_id, currency, amount, promised_on, note, settled_before, noted_by)
      values (${payer_id}, ${invoice_id}, ${currency}, ${asked.amount}, ${asked.promised_on}, ${asked.note ?? null}, ${settled},
        ${ctx.actor?.user_id ?? null}) returning id`.execute(tx)
    return shown(ctx, tx, made[0]!.id)
  })

/** Takes one back that stands. */
const withdraw = (ctx: Ctx, id: number, { reason, version }: { reason: string; version?: number | undefined }) =>
  ctx.write(
    async (tx) => {
      const { rows } = await sql<{ payer_id: number; state: string; version: number }>`
        select t.payer_id, t.state, t.version from payment_promises t join payers p on p.id = t.payer_id join students s on s.id = p.student_id
        where t.id = ${id} and ${scopeCondition(ctx, 'note_promise', studentReach(ctx, 's'))} for no key update of t`.execute(
        tx,
      )
      if (!rows[0]) throw refuse(404, 'not_found')
      await refuseOwn(ctx, tx, sql`select ${rows[0].payer_id}::int`)
      if (version !== undefined && version !== rows[0].version)
        throw refuse(409, 'changed_meanwhile', { version: rows[0].version })
      if (rows[0].state !== 'standing') throw refuse(409, 'promise_over')
      await end(tx, [{ id, state: 'withdrawn' }], reason, ctx.actor?.user_id ?? null)
      return shown(ctx, tx, id)
    },
    { reason },
  )

/** The only way in which promises end. */
const end = (
  tx: Tx,
  of: readonly { readonly id: number; readonly state: 'kept' | 'broken' | 'withdrawn' }[],
  reason: string | null,
  by: number | null,
) =>
  sql`update payment_promises t set state = x.state, ended_at = now(), ended_by = ${by}, ended_reason = ${reason}, version = t.version + 1
    from jsonb_to_recordset(${JSON.stringify(of)}::jsonb) x (id int, state text) where t.id = x.id and t.state = 'standing'`.execute(
    tx,
  )

/** What stood on an invoice that is gone is not asked for any more. */
export const promisesHeard = hear(invoiceGone, async (_ctx: Ctx, tx: Tx, invoice_id: number, reason: string) => {
  const { rows } = await sql<{
    id: number
  }>`select id from payment_promises where invoice_id = ${invoice_id} and state = 'standing'
    for no key update`.execute(tx)
  if (rows.length)
    await end(
      tx,
      rows.map(({ id }) => ({ id, state: 'withdrawn' as const })),
      reason,
      null,
    )
})

interface Standing {
  readonly id: number
  readonly amount: number
  readonly currency: string
  readonly promised_on: string
  readonly settled_before: number
  readonly settled: number
  readonly open: number
  readonly under_way: boolean
  readonly noted_by: number | null
  readonly student: string
  readonly link: string
}
/** Keeps and breaks promises: in one step, of those that stand. Whoever noted one that is broken is told. */
export async function judgePromises(ctx: Ctx): Promise<{ kept: number; broken: number }> {
  return ctx.write(
    async (tx) => {
      const today = await dayToday(tx)
      const { rows } = await sql<Standing>`
        select t.id, t.amount::float8 as amount, t.currency, t.promised_on::text as promised_on, t.settled_before::float8 as settled_before,
          x.settled, x.open, t.noted_by, s.name as student, case when t.invoice_id is null then '/credit/' || s.id else '/payments/' || t.invoice_id end as link,
          exists (select from payers q join invoices i on i.payer_id = q.id and i.currency = t.currency and i.reversed_at is null
              join installments n on n.invoice_id = i.id
            where (q.id = p.id or q.student_id = p.student_id) and (t.invoice_id is null or i.id = t.invoice_id) and ${UNDER_WAY} is not null) as under_way
        from payment_promises t join payers p on p.id = t.payer_id join students s on s.id = p.student_id cross join ${STANDS} x
        where t.state = 'standing' order by t.id for no key update of t`.execute(tx)
      const over = rows.flatMap((one) => {
        const state = promiseOutcome({ ...one, today })
        return state ? [{ ...one, state }] : []
      })
      if (over.length)
        await end(
          tx,
          over.map(({ id, state }) => ({ id, state })),
          null,
          null,
        )
      const broken = over.filter(({ state }) => state === 'broken')
      await notifyEach(
        tx,
        broken.map(({ noted_by, student, amount, currency, promised_on, link }) => ({
          user_id: noted_by,
          key: 'collecting.notice_promise_broken',
          data: { student, amount: moneyText(amount, currency), day: promised_on },
          link,
        })),
      )
      return { kept: over.length - broken.length, broken: broken.length }
    },
    { patience: 60_000 },
  )
}
/** Every morning, before reminders. */
export const promiseJob = defineJob<Record<string, never>, { kept: number; broken: number }>({
  name: 'promises',
  cron: '0 5 * * *',
  retries: 2,
  run: ({ services }) => judgePromises(asSystem(services, 'Promises to pay')),
})

async function exported(ctx: Ctx, query: ListQuery & { ids?: number[] | undefined; lang?: 'ar' | 'en' | undefined }) {
  const lang = query.lang ?? paperLang(ctx)
  const { data } = await pagedList<PromiseRow>(ctx, source(ctx, 'export_reminder', query.ids), {
    ...query,
    page: 1,
    perPage: EXPORT_LIMIT + 1,
  })
  const label = (key: keyof typeof promiseFields) => inLanguage(promiseFields[key].label, lang)
  const name = (one: { name: string; name_local?: string | null | undefined } | null) =>
    one ? (lang === 'ar' ? (one.name_local ?? one.name) : one.name) : null
  return tableFile(
    ctx,
    {
      title: inLanguage(['Promises to pay', 'وعود السداد'], lang),
      name: 'Promises',
      lang,
      columns: [
        {
          header: inLanguage(['Student code', 'كود الطالب'], lang),
          type: 'text',
          text: (one) => one.student.code ?? null,
        },
        { header: label('student_id'), type: 'text', text: (one) => name(one.student) },
        { header: label('faculty_id'), type: 'text', text: (one) => name(one.faculty) },
        { header: label('invoice_id'), type: 'text', text: (one) => one.invoice?.number ?? null },
        { header: label('amount'), type: 'decimal', text: (one) => (one.amount / 100).toFixed(2) },
        { header: label('currency'), type: 'text', text: (one) => one.currency },
        { header: label('promised_on'), type: 'date', text: (one) => one.promised_on },
        {
          header: label('state'),
          type: 'text',
          text: (one) => inLanguage(PROMISE_STATES.find(({ value }) => value === one.state)!.label, lang),
        },
        { header: inLanguage(['Note', 'ملاحظة'], lang), type: 'text', text: (one) => one.note },
        { header: label('noted_on'), type: 'date', text: (one) => one.noted_on },
      ],
      rows: data,
    },
    'xlsx',
  )
}

export const promiseHandlers: readonly Handled[] = [
  handle(promiseCalls.list, (ctx, { body }) => pagedList<PromiseRow>(ctx, source(ctx, 'access_promise'), body)),
  handle(promiseCalls.note, (ctx, { body }) => note(ctx, body)),
  handle(promiseCalls.withdraw, (ctx, { params, body }) => withdraw(ctx, params.id, body)),
  handle(promiseCalls.export, (ctx, { body }) => exported(ctx, body)),
]
