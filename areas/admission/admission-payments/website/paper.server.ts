/** How an applicant pays what is due: by a reference number, at the cashier, or into an account of the university. */
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { accountsToPayInto } from '#areas/money/invoices/invoices/print.server.ts'
import { limitKeys } from '#areas/admission/applicants/apply/key.server.ts'
import { applicantPaymentCalls as calls } from './payment.contract.ts'
import { requirePaperTicket } from './ticket.server.ts'

registerTemplate('cash-instructions', fileURLToPath(new URL('./cash-instructions.typ', import.meta.url)))

const W = {
  title: ['How to pay', 'تعليمات السداد'],
  scan: ['Shown when paying', 'يُبرز عند الدفع'],
  name: ['Applicant', 'المتقدم'],
  code: ['Application', 'طلب التقديم'],
  admission: ['Admission', 'فترة القبول'],
  fee: ['Fee', 'الرسوم'],
  invoice: ['Invoice', 'الفاتورة'],
  until: ['Pay until', 'السداد حتى'],
  amount: ['Amount', 'المبلغ'],
  number: ['Reference number', 'الرقم المرجعي'],
  number_text: [
    'Name this number at any shop or in any app that takes Fawry payments. It is good until {until}.',
    'اذكر هذا الرقم في أي منفذ أو تطبيق يقبل الدفع عبر فوري. الرقم صالح حتى {until}.',
  ],
  desk: [
    'At the cashier of the university: show this paper or name the number of the application.',
    'في خزينة الجامعة: أبرز هذه الورقة أو اذكر رقم طلب التقديم.',
  ],
  bank: ['Bank', 'البنك'],
  account: ['Account', 'الحساب'],
  bank_text: [
    'By transfer to one of these accounts: write the number of the application, {code}, into the purpose.',
    'بالتحويل إلى أحد هذه الحسابات: اكتب رقم طلب التقديم {code} في غرض التحويل.',
  ],
} as const satisfies Record<string, Label>

const grouped = (minor: number): string =>
  `${Math.trunc(minor / 100)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${String(minor % 100).padStart(2, '0')}`

interface Asked {
  readonly code: string
  readonly name: string | null
  readonly name_local: string | null
  readonly language: string
  readonly admission: { readonly name: string; readonly name_local: string }
  readonly fees: readonly {
    readonly id: number
    readonly number: string
    readonly name: string
    readonly name_local: string
    readonly currency: string
    readonly open: number
    readonly due_date: string
    readonly pay_number: string | null
    readonly pay_until: string | null
  }[]
}
/** What of the fees of an application was charged and is still to be paid. */
async function askedOf(ctx: Ctx, id: number, invoice: number | null): Promise<Asked> {
  const { rows } =
    await sql<Asked>`select t.code, t.name, t.name_local, t.language, json_build_object('name', a.name, 'name_local', a.name_local) as admission,
      coalesce((select json_agg(json_build_object('id', i.id, 'number', i.number, 'name', l.name, 'name_local', l.name_local, 'currency', i.currency,
          'open', b.charged - b.settled, 'due_date', n.due_date, 'pay_number', c.number,
          'pay_until', to_char(c.expires_at at time zone university_zone(), 'YYYY-MM-DD HH24:MI')) order by i.id)
        from applicant_fees f join invoices i on i.id = f.invoice_id join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
          join invoice_lines l on l.invoice_id = i.id and l.position = 1 and l.note_id is null
          join installments n on n.invoice_id = i.id and n.position = 1
          left join lateral (select c.number, c.expires_at from transactions x join provider_charges c on c.transaction_id = x.id
            where x.invoice_id = i.id and x.way = 'mobile' and x.status = 'pending' and x.amount = b.charged - b.settled and c.number is not null
              and c.expires_at > now() order by c.id desc limit 1) c on true
        where f.applicant_id = t.id and f.taken_back_at is null and (${invoice}::int is null or i.id = ${invoice}::int)), '[]') as fees
    from applicants t join admissions a on a.id = t.admission_id where t.id = ${id} and t.removed_at is null`.execute(
      ctx.db,
    )
  const [asked] = rows
  if (!asked) throw refuse(404, 'application_unknown')
  if (!asked.fees.length) throw invoice === null ? refuse(409, 'admission_fee_not_charged') : refuse(404, 'not_found')
  return asked
}

async function paper(ctx: Ctx, id: number, invoice: number | null, ticket: string | undefined): Promise<FileResult> {
  const right = await limitKeys(ctx)
  await requirePaperTicket(ctx, id, ticket)
  await right()
  const of = await askedOf(ctx, id, invoice)
  const lang = of.language === 'ar' ? 'ar' : 'en'
  const say = (label: Label, data: Readonly<Record<string, string>> = {}) =>
    inLanguage(label, lang).replaceAll(/\{(\w+)\}/g, (_, name: string) => data[name] ?? '')
  const named = (one: { readonly name: string | null; readonly name_local: string | null }) =>
    (lang === 'ar' ? (one.name_local ?? one.name) : (one.name ?? one.name_local)) ?? ''
  const banks = await Promise.all(
    [...new Set(of.fees.map((fee) => fee.currency))].map((one) => accountsToPayInto(ctx, one)),
  )
  const rows = banks.flat()
  const content = await renderPaper({
    template: 'cash-instructions',
    data: {
      title: say(W.title),
      lang,
      university: await universityHead(ctx),
      serial: of.code,
      qr: 'qr.svg',
      caption: say(W.scan),
      facts: [
        { label: say(W.name), value: named(of) },
        { label: say(W.code), value: of.code },
        { label: say(W.admission), value: named(of.admission) },
      ].filter(({ value }) => value !== ''),
      fees: {
        columns: [
          { label: say(W.fee), align: 'start', weight: 6 },
          { label: say(W.invoice), align: 'start', weight: 4 },
          { label: say(W.until), align: 'center', weight: 3 },
          { label: say(W.amount), align: 'end', weight: 4 },
        ],
        rows: of.fees.map((fee) => [named(fee), fee.number, fee.due_date, `${grouped(fee.open)} ${fee.currency}`]),
      },
      numbers: of.fees.flatMap((fee) =>
        fee.pay_number === null
          ? []
          : [
              {
                label: say(W.number),
                value: fee.pay_number,
                amount: `${grouped(fee.open)} ${fee.currency}`,
                text: say(W.number_text, { until: fee.pay_until ?? '' }),
              },
            ],
      ),
      desk: say(W.desk),
      banks: rows.length
        ? {
            text: say(W.bank_text, { code: of.code }),
            columns: [
              { label: say(W.bank), align: 'start', weight: 4 },
              { label: say(W.account), align: 'start', weight: 3 },
              { label: 'IBAN', align: 'start', weight: 5 },
            ],
            rows: rows.map((bank) => [named(bank), bank.account_number, bank.iban ?? '']),
          }
        : null,
      notes: [
        ...new Set(rows.flatMap((bank) => bank.notes.map((one) => (lang === 'ar' ? one.notes_local : one.notes)))),
      ],
    },
    files: { 'qr.svg': qrImage(of.code) },
    created: new Date(),
  })
  return { name: 'Cash_Instructions.pdf', type: 'pdf', content }
}

export const applicantPaperHandlers: readonly Handled[] = [
  handle(calls.paper, (ctx, { params, query }) => paper(ctx, params.id, null, query.ticket)),
  handle(calls.paperOf, (ctx, { params, query }) => paper(ctx, params.id, params.installment_id, query.ticket)),
]
