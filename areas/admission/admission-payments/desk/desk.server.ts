/** What applicants owe and paid, as finance and the admission office see it. */
import { sql } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { inLanguage, type ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { columnsOf, nameIn, serverField } from '#kit/server/base/fields.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { ADMISSION_FEES } from '#areas/admission/admissions/words.contract.ts'
import { reachedPayer } from '#areas/money/ledger/reach.server.ts'
import {
  ADMISSION_PAYMENT_STATES,
  admissionPaymentCalls as calls,
  admissionPaymentFields as F,
  type AdmissionPayment,
  type AdmissionPaymentRow,
} from './desk.contract.ts'

const DUE = '(select min(n.due_date) from installments n where n.invoice_id = i.id)'
const STATE = `case when t.unsettled_at is not null then 'unsettled' when t.taken_back_at is not null then 'taken_back'
  when coalesce(b.settled, 0) >= coalesce(b.charged, 0) then 'paid' when ${DUE} < university_today() then 'overdue'
  when b.settled > 0 then 'partially_paid' else 'unpaid' end`
const APPLICANT = `json_build_object('id', q.id, 'code', q.code, 'name', coalesce(q.name, q.name_local, q.code), 'name_local', coalesce(q.name_local, q.name, q.code))`
/** What was asked for when it was issued stays readable after it was taken back. */
const AMOUNT = `case when i.reversed_at is null then coalesce(b.charged, 0) else (select coalesce(sum(l.amount), 0) from invoice_lines l where l.invoice_id = i.id) end`

const FROM = sql`applicant_fees t join invoices i on i.id = t.invoice_id join payers p on p.id = i.payer_id join applicants q on q.id = t.applicant_id
  join admissions a on a.id = q.admission_id left join invoice_balances b on b.invoice_id = i.id left join students s on s.id = p.student_id`
const SELECT = sql`i.id, i.number, ${sql.raw(APPLICANT)} as applicant, ${ref('a')} as admission, t.fee, t.attempt::int as attempt, i.currency,
  (${sql.raw(AMOUNT)})::float8 as amount, coalesce(b.settled, 0)::float8 as settled, ${sql.raw(STATE)} as state,
  to_char(${sql.raw(DUE)}, 'YYYY-MM-DD') as due_date, to_char(i.issued_on, 'YYYY-MM-DD') as issued_on`
const COLUMNS = {
  applicant: 'q.code',
  admission_id: 'a.id',
  fee: 't.fee',
  state: `(${STATE})`,
  currency: 'i.currency',
  amount: `(${AMOUNT})`,
  settled: 'coalesce(b.settled, 0)',
  due_date: DUE,
  issued_on: 'i.issued_on',
}
const source = (ctx: Ctx, key: PermissionKey): ListSource => ({
  from: FROM,
  select: SELECT,
  where: [sql`q.removed_at is null`, reachedPayer(ctx, key)],
  search: ['q.search_text', 'i.search_text'],
  sort: { ...COLUMNS, admission_id: 'a.name' },
  order: ['issued_on', 'desc'],
  key: 'i.id',
  filters: Object.fromEntries(
    columnsOf(F, COLUMNS).map((column) => [
      column.name,
      (value: unknown) => serverField(column.field).filter(column, value),
    ]),
  ),
})

async function show(ctx: Ctx, id: number): Promise<AdmissionPayment> {
  const { rows } = await sql<AdmissionPayment>`
    select ${SELECT}, q.status, q.email, q.phone, t.unsettled_at,
      ${refOrNull('c')} as faculty, ${refOrNull('g')} as program,
      (select ${ref('h')} from scholarships h where h.id = q.full_scholarship_id) as full_scholarship,
      coalesce((select json_agg(json_build_object('currency', w.currency, 'amount', w.wallet) order by w.currency)
        from payer_balances w where w.payer_id = p.id and w.wallet > 0), '[]') as wallets,
      coalesce((select json_agg(json_build_object('id', x.id, 'number', coalesce(x.receipt, x.number), 'way', x.way, 'status', x.status,
          'amount', case when x.direction = 'out' then -x.amount else x.amount end, 'at', coalesce(x.paid_at, x.created_at),
          'reference', coalesce(x.provider_reference, (select k.number from provider_charges k where k.transaction_id = x.id and k.number is not null
            order by k.id desc limit 1), x.reference)) order by x.id)
        from transactions x where x.invoice_id = i.id or exists (select from transaction_allocations o where o.transaction_id = x.id
          and o.invoice_id = i.id)), '[]') as transactions
    from ${FROM} left join programs g on g.id = i.program_id left join faculties c on c.id = i.faculty_id
    where i.id = ${id} and q.removed_at is null and ${reachedPayer(ctx, 'access_admission_payment')}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

async function exported(ctx: Ctx, query: ListQuery & { ids?: number[] | undefined; lang?: 'ar' | 'en' | undefined }) {
  const lang = query.lang ?? paperLang(ctx)
  const of = source(ctx, 'export_admission_payment')
  const { data } = await pagedList<AdmissionPaymentRow>(
    ctx,
    query.ids?.length ? { ...of, where: [...of.where, sql`i.id = any(${query.ids}::int[])`] } : of,
    { ...query, page: 1, perPage: EXPORT_LIMIT + 1 },
  )
  const label = (key: keyof typeof F) => inLanguage(F[key].label, lang)
  const word = (choices: readonly { value: string; label: readonly [string, string] }[], value: string) =>
    inLanguage(choices.find((one) => one.value === value)?.label ?? [value, value], lang)
  return tableFile(
    ctx,
    {
      title: inLanguage(['Payments of applicants', 'مدفوعات المتقدمين'], lang),
      name: 'AdmissionPayments',
      lang,
      columns: [
        { header: inLanguage(['Invoice', 'الفاتورة'], lang), type: 'text', text: (one) => one.number },
        {
          header: inLanguage(['Application', 'طلب التقديم'], lang),
          type: 'text',
          text: (one) => one.applicant.code ?? null,
        },
        { header: label('applicant'), type: 'text', text: (one) => nameIn(one.applicant, lang) },
        { header: label('admission_id'), type: 'text', text: (one) => nameIn(one.admission, lang) },
        { header: label('fee'), type: 'text', text: (one) => word(ADMISSION_FEES, one.fee) },
        { header: label('amount'), type: 'decimal', text: (one) => (one.amount / 100).toFixed(2) },
        { header: label('settled'), type: 'decimal', text: (one) => (one.settled / 100).toFixed(2) },
        { header: label('currency'), type: 'text', text: (one) => one.currency },
        { header: label('state'), type: 'text', text: (one) => word(ADMISSION_PAYMENT_STATES, one.state) },
        { header: label('due_date'), type: 'date', text: (one) => one.due_date },
        { header: label('issued_on'), type: 'date', text: (one) => one.issued_on },
      ],
      rows: data,
    },
    'xlsx',
  )
}

export const admissionPaymentHandlers: readonly Handled[] = [
  handle(calls.list, (ctx, { body }) =>
    pagedList<AdmissionPaymentRow>(ctx, source(ctx, 'access_admission_payment'), body),
  ),
  handle(calls.show, async (ctx, { params }) => ({ data: await show(ctx, params.id) })),
  handle(calls.export, (ctx, { body }) => exported(ctx, body)),
]
