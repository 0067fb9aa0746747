/** What was sent, as it is listed and exported; who would be reminded today; and what goes with an invoice that is gone. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { invoiceGone } from '#areas/money/invoices/gone.server.ts'
import type { Tx } from '#db/connect.ts'
import { inLanguage, type ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { hear } from '#kit/server/base/hears.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { takeBackFee } from '#kit/server/workflow/fees.ts'
import { sql } from 'kysely'
import { MOMENTS } from '../steps/step.contract.ts'
import { activeSteps, type StepSet } from '../steps/step.server.ts'
import { openParts } from './facts.server.ts'
import {
  BY_MAIL,
  reminderCalls,
  reminderFields,
  SINCE,
  type PreviewedStep,
  type ReminderPreview,
  type ReminderRow,
} from './reminder.contract.ts'
import { stepsOf, type KeptBack } from './reminder.rules.ts'
import { REMINDER, judge, lookAhead, reminderJob, dayToday } from './remind.server.ts'

/** What became of the part `n` of the invoice `i` since the reminder `t`. */
const SINCE_SQL = `(case when i.reversed_at is not null then 'gone' when coalesce(b.settled >= b.charged, true) then 'paid'
  when n.id is null or n.due_date <> t.due_date then 'gone' when n.until <= b.settled then 'paid' else 'open' end)`
const FROM = sql`reminders t join invoices i on i.id = t.invoice_id join payers p on p.id = i.payer_id
  join students s on s.id = p.student_id join reminder_steps k on k.id = t.step_id left join faculties c on c.id = i.faculty_id
  left join invoice_balances b on b.invoice_id = i.id
  left join lateral (select n.id, n.due_date, (select sum(m.amount) from installments m where m.invoice_id = n.invoice_id
    and m.position <= n.position) as until from installments n where n.id = t.installment_id) n on true`
const SELECT = sql`t.id, ${ref('s')} as student, json_build_object('id', i.id, 'number', i.number) as invoice, ${refOrNull('c')} as faculty,
  ${ref('k')} as step, t.moment, t.days::int as days, t.level::int as level, t.due_date::text as due_date, t.amount::float8 as amount, i.currency,
  t.in_app, t.by_mail, t.holds, t.fee_problem, ${sql.raw(SINCE_SQL)} as since, t.sent_on::text as sent_on,
  (select json_build_object('invoice_id', v.id, 'number', v.number, 'taken_back', f.taken_back_at is not null) from request_fees f
    join invoices v on v.id = f.invoice_id where f.workflow = ${REMINDER} and f.record_id = t.id order by v.id desc limit 1) as fee`
const COLUMNS = {
  student_id: 's.id',
  invoice_id: 't.invoice_id',
  faculty_id: 'i.faculty_id',
  step_id: 't.step_id',
  moment: 't.moment',
  level: 't.level::int',
  due_date: 't.due_date',
  amount: 't.amount',
  currency: 'i.currency',
  in_app: 't.in_app',
  by_mail: 't.by_mail',
  since: SINCE_SQL,
  sent_on: 't.sent_on',
}
const filters = Object.fromEntries(
  columnsOf(reminderFields, COLUMNS).map((column) => [
    column.name,
    (value: unknown) => serverField(column.field).filter(column, value),
  ]),
)
const source = (ctx: Ctx, key: PermissionKey): ListSource => ({
  from: FROM,
  select: SELECT,
  where: [scopeCondition(ctx, key, studentReach(ctx, 's'))],
  search: ['i.search_text', 's.search_text'],
  sort: { ...COLUMNS, student_id: 's.name', faculty_id: 'c.name', step_id: 'k.days', invoice_id: 'i.number' },
  order: ['sent_on', 'desc'],
  filters,
})
const list = (ctx: Ctx, query: ListQuery, key: PermissionKey, ids: readonly number[] = []) => {
  const of = source(ctx, key)
  return pagedList<ReminderRow>(
    ctx,
    ids.length ? { ...of, where: [...of.where, sql`t.id = any(${[...ids]}::int[])`] } : of,
    query,
  )
}

const word = (
  choices: readonly { value: string; label: readonly [string, string] }[],
  value: string,
  lang: 'ar' | 'en',
) => inLanguage(choices.find((one) => one.value === value)?.label ?? [value, value], lang)
async function exported(ctx: Ctx, query: ListQuery & { ids?: number[] | undefined; lang?: 'ar' | 'en' | undefined }) {
  const lang = query.lang ?? paperLang(ctx)
  const { data } = await list(ctx, { ...query, page: 1, perPage: EXPORT_LIMIT + 1 }, 'export_reminder', query.ids)
  const label = (key: keyof typeof reminderFields) => inLanguage(reminderFields[key].label, lang)
  const name = (one: { name: string; name_local?: string | null | undefined } | null) =>
    one ? (lang === 'ar' ? (one.name_local ?? one.name) : one.name) : null
  return tableFile(
    ctx,
    {
      title: inLanguage(['Reminders', 'التذكيرات'], lang),
      name: 'Reminders',
      lang,
      columns: [
        { header: label('sent_on'), type: 'date', text: (one) => one.sent_on },
        {
          header: inLanguage(['Student code', 'كود الطالب'], lang),
          type: 'text',
          text: (one) => one.student.code ?? null,
        },
        { header: label('student_id'), type: 'text', text: (one) => name(one.student) },
        { header: label('faculty_id'), type: 'text', text: (one) => name(one.faculty) },
        { header: label('invoice_id'), type: 'text', text: (one) => one.invoice.number },
        { header: label('due_date'), type: 'date', text: (one) => one.due_date },
        { header: label('amount'), type: 'decimal', text: (one) => (one.amount / 100).toFixed(2) },
        { header: label('currency'), type: 'text', text: (one) => one.currency },
        { header: label('step_id'), type: 'text', text: (one) => name(one.step) },
        { header: label('moment'), type: 'text', text: (one) => word(MOMENTS, one.moment, lang) },
        { header: label('level'), type: 'number', text: (one) => one.level },
        {
          header: label('in_app'),
          type: 'text',
          text: (one) => inLanguage(one.in_app ? ['Yes', 'نعم'] : ['No', 'لا'], lang),
        },
        { header: label('by_mail'), type: 'text', text: (one) => word(BY_MAIL, one.by_mail, lang) },
        { header: label('since'), type: 'text', text: (one) => word(SINCE, one.since, lang) },
      ],
      rows: data,
    },
    'xlsx',
  )
}

/** Records by their ids, as they are named. */
async function named(ctx: Ctx, table: 'faculties' | 'fee_items', ids: readonly (number | string)[]) {
  const by = table === 'faculties' ? sql`t.id = any(${ids}::int[])` : sql`t.code = any(${ids}::text[])`
  const { rows } = await sql<{ id: number; code: string; name: string; name_local: string }>`
    select t.id, t.code, t.name, t.name_local from ${sql.table(table)} t where ${by}`.execute(ctx.db)
  return rows
}
const refOf = ({ id, code, name, name_local }: StepSet) => ({ id, code, name, name_local })

/** Who would be told what if reminders went out now, as far as the reader reaches. */
async function preview(ctx: Ctx): Promise<ReminderPreview> {
  const steps = await activeSteps(ctx.db)
  const day = await dayToday(ctx.db)
  const reach = scopeCondition(ctx, 'access_reminder', studentReach(ctx, 's'))
  const judged = steps.length ? judge(await openParts(ctx.db, reach, lookAhead(steps, day)), steps, day) : []
  const goes = judged.flatMap(({ part, step }) => (step ? [{ part, step }] : []))
  const faculties = await named(
    ctx,
    'faculties',
    steps.flatMap((one) => one.faculty_id ?? []),
  )
  const items = await named(
    ctx,
    'fee_items',
    steps.flatMap((one) => one.fee ?? []),
  )
  const kept = Map.groupBy(
    judged.flatMap((one) => (one.kept ? [one.kept] : [])),
    (why) => why,
  )
  return {
    day,
    set: steps.length > 0,
    abilities: ctx.can('send_reminder') && reachesAll(ctx, 'send_reminder') ? ['send'] : [],
    parts: goes.length,
    people: new Set(goes.map(({ part }) => part.student_id)).size,
    unreached: new Set(goes.flatMap(({ part }) => (part.user_id === null ? [part.student_id] : []))).size,
    steps: [...Map.groupBy(goes, ({ step }) => step.id).values()]
      .map((of): PreviewedStep => {
        const { step } = of[0]!
        return {
          step: refOf(step),
          faculty: faculties.find((one) => one.id === step.faculty_id) ?? null,
          moment: step.moment,
          days: step.days,
          level: step.level,
          parts: of.length,
          people: new Set(of.map(({ part }) => part.student_id)).size,
          amounts: [...Map.groupBy(of, ({ part }) => part.currency)].map(([currency, those]) => ({
            currency,
            amount: those.reduce((sum, { part }) => sum + part.open, 0),
          })),
          costs: items.find((one) => one.code === step.fee) ?? null,
          holds: step.holds,
        }
      })
      .toSorted((a, b) => (a.level ?? 0) - (b.level ?? 0) || b.days - a.days || a.step.id - b.step.id),
    kept: [...kept].map(([why, those]: [KeptBack, readonly KeptBack[]]) => ({ why, parts: those.length })),
  }
}

/** By which steps a student is reminded: those of the faculty. */
async function stepsOfStudent(ctx: Ctx, id: number) {
  const { rows } = await sql<{ faculty_id: number | null }>`select s.faculty_id from students s where s.id = ${id}
    and ${scopeCondition(ctx, 'access_reminder', studentReach(ctx, 's'))}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const steps = stepsOf(await activeSteps(ctx.db), rows[0].faculty_id)
  const items = await named(
    ctx,
    'fee_items',
    steps.flatMap((one) => one.fee ?? []),
  )
  return steps.map(({ moment, days, level, holds, fee }) => ({
    moment,
    days,
    level,
    holds,
    costs: items.find((one) => one.code === fee) ?? null,
  }))
}

/** What being reminded of an invoice cost goes with it; what was paid of that is in the wallet. Its payer is held. */
async function takeBack(ctx: Ctx, tx: Tx, invoice_id: number, reason: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`select r.id from reminders r
    where r.invoice_id = ${invoice_id} and exists (select from request_fees f where f.workflow = ${REMINDER} and f.record_id = r.id
      and f.taken_back_at is null) order by r.id`.execute(tx)
  for (const { id } of rows) await takeBackFee(ctx, tx, { workflow: REMINDER, id }, reason)
}
export const remindersHeard = hear(invoiceGone, takeBack)

export const reminderHandlers: readonly Handled[] = [
  handle(reminderCalls.list, (ctx, { body }) => list(ctx, body, 'access_reminder')),
  handle(reminderCalls.export, (ctx, { body }) => exported(ctx, body)),
  handle(reminderCalls.preview, async (ctx) => ({ data: await preview(ctx) })),
  handle(reminderCalls.send, async (ctx) => {
    if (!reachesAll(ctx, 'send_reminder')) throw refuse(403, 'reminder_send_whole')
    const job_id = await ctx.write((tx) =>
      ctx.services.jobs.send(tx, reminderJob, {}, { actor: ctx.actor, lang: ctx.lang }),
    )
    return { job_id }
  }),
  handle(reminderCalls.steps, async (ctx, { params }) => ({ data: await stepsOfStudent(ctx, params.id) })),
]
