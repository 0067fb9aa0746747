/** Invoices and payment orders on paper, in Arabic or English, each with a code that a cashier scans. */
import { firstRow } from '#db/rows.ts'
import { fileURLToPath } from 'node:url'
import type { OtherPayer } from '#areas/money/ledger/payer.contract.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { EXPORT_LIMIT, paperLang, tableFile, demandFew, demandSome } from '#kit/server/resource/transfer.ts'
import { universityHead } from '#kit/server/base/university.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import { INVOICE_TYPES, invoiceCalls, type InvoiceDetail, type InvoiceLine } from './invoice.contract.ts'
import { showInvoice } from './invoice.server.ts'
import { invoicesOf, listInvoices } from './list.server.ts'

registerTemplate('invoice', fileURLToPath(new URL('./invoice.typ', import.meta.url)))

const W = {
  invoice: ['Invoice', 'فاتورة'],
  invoices: ['Invoices', 'الفواتير'],
  order: ['Payment order', 'أمر دفع'],
  scan: ['Shown when paying', 'يُبرز عند الدفع'],
  student: ['Student', 'الطالب'],
  code: ['Student code', 'كود الطالب'],
  applicant: ['Applicant', 'المتقدم'],
  application: ['Application', 'طلب التقديم'],
  staff: ['Member of staff', 'عامل بالجامعة'],
  guest: ['Guest', 'ضيف'],
  payer: ['Payer', 'الدافع'],
  payer_code: ['Code', 'الكود'],
  faculty: ['Faculty', 'الكلية'],
  program: ['Program', 'البرنامج'],
  year: ['Academic year', 'العام الدراسي'],
  term: ['Term', 'الفصل الدراسي'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  due: ['Due on', 'تاريخ الاستحقاق'],
  item: ['Item', 'البند'],
  quantity: ['Quantity', 'الكمية'],
  unit: ['Unit price', 'سعر الوحدة'],
  amount: ['Amount', 'المبلغ'],
  charged: ['Total', 'الإجمالي'],
  settled: ['Paid', 'المدفوع'],
  open: ['To be paid', 'المطلوب سداده'],
  instalments: ['Instalments', 'الأقساط'],
  part: ['Instalment', 'القسط'],
  reversed: ['This invoice was reversed. Nothing is to be paid.', 'عُكست هذه الفاتورة، ولا يُستحق عنها شيء.'],
  account: ['Account', 'الحساب'],
  bank: ['Bank', 'البنك'],
  faculties: ['Invoices by faculty and kind', 'الفواتير حسب الكلية والنوع'],
  count: ['Invoices', 'عدد الفواتير'],
  kind: ['For', 'عن'],
  currency: ['Currency', 'العملة'],
} as const satisfies Record<string, Label>

/** What stands before the name of who pays and is no student. */
const whoPays = (kind: OtherPayer['kind'] | undefined): Label =>
  kind === 'applicant' || kind === 'staff' || kind === 'guest' ? W[kind] : W.payer

const grouped = (minor: number): string =>
  `${minor < 0 ? '−' : ''}${Math.trunc(Math.abs(minor) / 100)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${String(Math.abs(minor) % 100).padStart(2, '0')}`

export interface AccountToPayInto {
  readonly name: string
  readonly name_local: string
  readonly account_number: string
  readonly iban: string | null
  readonly notes: readonly { readonly notes: string; readonly notes_local: string }[]
}
/** Where it may be paid into in a currency, and what payers are told about it. */
export async function accountsToPayInto(ctx: Ctx, currency: string): Promise<AccountToPayInto[]> {
  const { rows } = await sql<AccountToPayInto>`
    select b.name, b.name_local, b.account_number, b.iban,
      coalesce((select json_agg(json_build_object('notes', n.notes, 'notes_local', n.notes_local) order by n.id) from bank_info_notes n
        where (n.bank_id = b.id or n.bank_id is null) and n.is_active and n.removed_at is null), '[]') as notes
    from banks b join currencies c on c.id = b.currency_id
    where c.code = ${currency} and b.is_active and b.removed_at is null order by b.name limit 4`.execute(ctx.db)
  return rows
}

/** One invoice as the template has it; an order tells one instalment and where it is paid into. */
function paperOf(
  one: InvoiceDetail,
  lang: PaperLanguage,
  order: { part: InvoiceDetail['installments'][number] | null; banks: readonly AccountToPayInto[] } | null,
) {
  const say = (label: Label) => inLanguage(label, lang)
  const name = (of: { name: string; name_local?: string | null | undefined } | null) =>
    of ? (lang === 'ar' ? (of.name_local ?? of.name) : of.name) : ''
  const money = (minor: number) => `${grouped(minor)} ${one.currency}`
  const open = one.charged - one.settled
  const asked = order?.part ? order.part.amount - order.part.settled : open
  const row = (line: InvoiceLine): string[] => [
    line.words?.[lang] ?? name(line),
    (line.quantity / 100).toString(),
    grouped(line.unit_amount),
    grouped(line.amount),
  ]
  const notes = order
    ? [
        ...new Set(
          order.banks.flatMap((bank) => bank.notes.map((text) => (lang === 'ar' ? text.notes_local : text.notes))),
        ),
      ]
    : []
  return {
    title: `${say(order ? W.order : W.invoice)} ${one.number}`,
    serial: one.number,
    qr: `${one.id}.svg`,
    caption: say(W.scan),
    facts: [
      [W.student, name(one.student)],
      [W.code, one.student?.code],
      [whoPays(one.payer?.kind), name(one.payer)],
      [one.payer?.kind === 'applicant' ? W.application : W.payer_code, one.payer?.code],
      [W.faculty, name(one.faculty)],
      [W.program, name(one.program)],
      [W.year, name(one.year)],
      [W.term, name(one.term)],
      [W.issued, one.issued_on],
      [W.due, order?.part?.due_date ?? one.due_date],
    ].flatMap(([label, value]) => (value ? [{ label: say(label as Label), value: String(value) }] : [])),
    columns: order
      ? [
          { label: say(W.bank), align: 'start', weight: 4 },
          { label: say(W.account), align: 'start', weight: 3 },
          { label: 'IBAN', align: 'start', weight: 5 },
        ]
      : [
          { label: say(W.item), align: 'start', weight: 8 },
          { label: say(W.quantity), align: 'center', weight: 2 },
          { label: say(W.unit), align: 'end', weight: 3 },
          { label: say(W.amount), align: 'end', weight: 3 },
        ],
    rows: order
      ? order.banks.map((bank) => [name(bank), bank.account_number, bank.iban ?? ''])
      : [
          ...one.lines.map(row),
          ...one.notes.flatMap((note) =>
            note.lines.map((line) => {
              const [first, ...rest] = row(line)
              return [
                `${note.number}: ${first} (${lang === 'ar' ? (note.reason_local ?? note.reason) : note.reason})`,
                ...rest,
              ]
            }),
          ),
        ],
    sums:
      one.state === 'reversed'
        ? []
        : order
          ? [{ label: say(W.open), value: money(asked), strong: true }]
          : [
              { label: say(W.charged), value: money(one.charged), strong: false },
              { label: say(W.settled), value: money(one.settled), strong: false },
              { label: say(W.open), value: money(open), strong: true },
            ],
    parts:
      order || one.installments.length < 2 || one.state === 'reversed'
        ? null
        : {
            title: say(W.instalments),
            columns: [
              { label: say(W.part), align: 'center', weight: 1 },
              { label: say(W.due), align: 'center', weight: 2 },
              { label: say(W.amount), align: 'end', weight: 2 },
              { label: say(W.settled), align: 'end', weight: 2 },
            ],
            rows: one.installments.map((part, i) => [
              String(i + 1),
              part.due_date,
              grouped(part.amount),
              grouped(part.settled),
            ]),
          },
    notes: one.state === 'reversed' ? [say(W.reversed)] : notes,
  }
}

async function fileOf(
  ctx: Ctx,
  papers: readonly { paper: ReturnType<typeof paperOf>; number: string }[],
  lang: PaperLanguage,
  name: string,
): Promise<FileResult> {
  const content = await renderPaper({
    template: 'invoice',
    data: {
      title: papers.length === 1 ? papers[0]!.paper.title : inLanguage(W.invoices, lang),
      lang,
      university: await universityHead(ctx),
      papers: papers.map((one) => one.paper),
    },
    files: Object.fromEntries(papers.map(({ paper, number }) => [paper.qr, qrImage(number)])),
    created: new Date(),
  })
  return { name, type: 'pdf', content }
}

/** At most as many invoices in one file. */
const MOST_PAPERS = 50

export const printHandlers: readonly Handled[] = [
  handle(invoiceCalls.pdf, async (ctx, { params, query }) => {
    const lang = query.lang ?? paperLang(ctx)
    const one = await showInvoice(ctx, params.id)
    return fileOf(ctx, [{ paper: paperOf(one, lang, null), number: one.number }], lang, 'Invoice.pdf')
  }),
  handle(invoiceCalls.ownPdf, async (ctx, { query }) => {
    const lang = query.lang ?? paperLang(ctx)
    const { rows } = await sql<{ id: number }>`
      select t.id from invoices t join payers p on p.id = t.payer_id join students s on s.id = p.student_id
        join invoice_balances b on b.invoice_id = t.id and b.settled < b.charged
      where t.reversed_at is null and s.id = ${ctx.actor?.student_id ?? null} and ${invoicesOf(ctx, 'access_payment')}
      order by t.id limit ${MOST_PAPERS}`.execute(ctx.db)
    demandSome(rows)
    const all: InvoiceDetail[] = []
    for (const { id } of rows) all.push(await showInvoice(ctx, id))
    return fileOf(
      ctx,
      all.map((one) => ({ paper: paperOf(one, lang, null), number: one.number })),
      lang,
      'Invoices.pdf',
    )
  }),
  handle(invoiceCalls.order, async (ctx, { params, body }) => {
    const lang = body.lang ?? paperLang(ctx)
    const one = await showInvoice(ctx, params.id)
    const wanted = body.installment_id ?? null
    const part =
      wanted === null
        ? (one.installments.find((each) => each.settled < each.amount) ?? null)
        : (one.installments.find((each) => each.id === wanted) ?? null)
    if (wanted !== null && !part) throw refuse(404, 'not_found')
    if (one.state === 'reversed' || !part || part.settled >= part.amount) throw refuse(409, 'invoice_settled')
    const banks = await accountsToPayInto(ctx, one.currency)
    return fileOf(
      ctx,
      [{ paper: paperOf(one, lang, { part, banks }), number: one.number }],
      lang,
      fileName('pdf', 'Payment order', one.number),
    )
  }),
  handle(invoiceCalls.report, async (ctx, { body }) => {
    const lang = body.lang ?? paperLang(ctx)
    const say = (label: Label) => inLanguage(label, lang)
    const { data } = await listInvoices(
      ctx,
      { ...(body as ListQuery), page: 1, perPage: EXPORT_LIMIT + 1 },
      'export_payment',
      body.ids,
    )
    demandFew(data)
    demandSome(data)
    const groups = [...Map.groupBy(data, (one) => `${one.faculty?.id ?? 0} ${one.type} ${one.currency}`).values()].map(
      (rows) => ({
        first: firstRow(rows),
        count: rows.length,
        charged: rows.reduce((sum, one) => sum + one.charged, 0),
        settled: rows.reduce((sum, one) => sum + one.settled, 0),
      }),
    )
    const ordered = groups.toSorted(
      (a, b) =>
        (a.first.faculty?.name ?? '').localeCompare(b.first.faculty?.name ?? '') ||
        a.first.type.localeCompare(b.first.type),
    )
    const amount = (label: Label, of: (one: (typeof groups)[number]) => number) => ({
      header: say(label),
      type: 'decimal' as const,
      text: (one: (typeof groups)[number]) => grouped(of(one)),
    })
    return tableFile(
      ctx,
      {
        title: say(W.faculties),
        name: 'Invoices Report',
        lang,
        columns: [
          {
            header: say(W.faculty),
            type: 'text',
            text: ({ first: { faculty } }) =>
              faculty ? (lang === 'ar' ? (faculty.name_local ?? faculty.name) : faculty.name) : '–',
          },
          {
            header: say(W.kind),
            type: 'text',
            text: ({ first }) => say(INVOICE_TYPES.find((invoiceType) => invoiceType.value === first.type)!.label),
          },
          { header: say(W.count), type: 'number', text: (one) => one.count },
          amount(W.charged, (one) => one.charged),
          amount(W.settled, (one) => one.settled),
          amount(W.open, (one) => one.charged - one.settled),
          { header: say(W.currency), type: 'text', text: ({ first }) => first.currency },
        ],
        rows: ordered,
      },
      'pdf',
    )
  }),
]
