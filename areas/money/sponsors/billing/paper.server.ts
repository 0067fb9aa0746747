/** The invoice of a sponsor as it is read, on paper in both languages and as a sheet. */
import { reachedStudent } from '#areas/money/ledger/reach.server.ts'
import { plainAmount, shownAmount } from '#areas/money/ledger/statements/statement.rules.ts'
import { fileURLToPath } from 'node:url'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { paidOfLines, type SponsoredLine, type Spread } from '../shares/share.rules.ts'

// It looks like the invoices of students.
registerTemplate('sponsor-invoice', fileURLToPath(new URL('../../invoices/invoices/invoice.typ', import.meta.url)))

interface Named {
  readonly name: string
  readonly name_local: string
}
export interface SponsorInvoice {
  readonly id: number
  readonly number: string
  readonly currency: string
  readonly digits: number
  readonly issued_on: string
  readonly due_date: string
  readonly reversed: boolean
  readonly charged: number
  readonly settled: number
  readonly spread: Spread
  readonly term: Named | null
  readonly sponsor: Named & {
    readonly id: number
    readonly code: string
    readonly email: string | null
    readonly language: 'ar' | 'en'
    readonly address: string | null
    readonly tax_number: string | null
  }
  readonly banks: readonly (Named & { readonly account_number: string; readonly iban: string | null })[]
  readonly lines: readonly (SponsoredLine & {
    readonly student: Named & { readonly code: string }
    readonly reached: boolean
    readonly reference: string | null
    readonly invoice: string
    readonly items: readonly Named[]
    readonly paid: number
  })[]
}

/** An invoice of a sponsor with a line of each student, as far as who asks reaches them. @throws {Refusal} 404 */
export async function readSponsorInvoice(
  ctx: Ctx,
  id: number,
  key: PermissionKey | null = 'show_sponsor',
): Promise<SponsorInvoice> {
  const { rows } = await sql<
    Omit<SponsorInvoice, 'lines'> & { lines: Omit<SponsorInvoice['lines'][number], 'paid'>[] }
  >`
    select i.id, i.number, i.currency, c.minor_digits as digits, to_char(i.issued_on, 'YYYY-MM-DD') as issued_on,
      (select to_char(min(n.due_date), 'YYYY-MM-DD') from installments n where n.invoice_id = i.id) as due_date, i.reversed_at is not null as reversed,
      coalesce(b.charged, 0)::float8 as charged, coalesce(b.settled, 0)::float8 as settled, o.spread, ${refOrNull('w')} as term,
      json_build_object('id', o.id, 'code', o.code, 'name', o.name, 'name_local', o.name_local, 'email', o.email, 'language', o.language,
        'address', o.address, 'tax_number', o.tax_number) as sponsor,
      (select coalesce(json_agg(json_build_object('name', k.name, 'name_local', k.name_local, 'account_number', k.account_number, 'iban', k.iban) order by k.name), '[]')
        from banks k join currencies d on d.id = k.currency_id where d.code = i.currency and k.is_active and k.removed_at is null) as banks,
      (select coalesce(json_agg(json_build_object('share_id', l.share_id, 'amount', l.amount, 'closed', l.closed, 'reached', l.reached,
          'reference', l.reference, 'invoice', l.number, 'items', l.items,
          'student', json_build_object('code', l.code, 'name', l.name, 'name_local', l.name_local)) order by l.first), '[]') from (
        select l.share_id, sum(l.amount) as amount, min(l.id) as first, h.closed_at is not null as closed, p.reference, j.number, s.code, s.name, s.name_local,
          ${key === null ? sql`true` : reachedStudent(ctx, key, 's')} as reached,
          (select coalesce(json_agg(distinct jsonb_build_object('name', t.name, 'name_local', t.name_local)), '[]') from invoice_lines t
            where t.invoice_id = j.id and t.account not in ('fines', 'sponsored', 'scholarships', 'deposit') and t.amount > 0
              and ((coalesce(cardinality(p.types), 0) = 0 and not exists (select from sponsorship_items x where x.sponsorship_id = p.id))
                or t.account = any(p.types) or exists (select from sponsorship_items x where x.sponsorship_id = p.id
                  and x.fee_item_id = (t.rule ->> 'item_id')::int))) as items
        from invoice_lines l join sponsor_shares h on h.id = l.share_id join sponsorships p on p.id = h.sponsorship_id
          join invoices j on j.id = h.invoice_id join students s on s.id = p.student_id
        where l.invoice_id = i.id group by l.share_id, h.closed_at, p.id, j.id, s.id) l) as lines
    from invoices i join payers y on y.id = i.payer_id join sponsors o on o.id = y.sponsor_id join currencies c on c.code = i.currency
      left join terms w on w.id = i.term_id left join invoice_balances b on b.invoice_id = i.id where i.id = ${id}`.execute(
    ctx.db,
  )
  const [one] = rows
  if (!one || (one.lines.length > 0 && one.lines.every((line) => !line.reached))) throw refuse(404, 'not_found')
  const paid = paidOfLines(one.lines, one.settled, one.spread)
  return { ...one, lines: one.lines.map((line) => ({ ...line, paid: paid.get(line.share_id) ?? 0 })) }
}

const W = {
  invoice: ['Invoice', 'فاتورة'],
  scan: ['Number for the transfer', 'رقم يُذكر في التحويل'],
  sponsor: ['Sponsor', 'الجهة الراعية'],
  address: ['Address', 'العنوان'],
  tax: ['Tax number', 'الرقم الضريبي'],
  term: ['Term', 'الفصل الدراسي'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  due: ['Due on', 'تاريخ الاستحقاق'],
  code: ['Student code', 'كود الطالب'],
  student: ['Student', 'الطالب'],
  reference: ['Letter', 'الخطاب'],
  items: ['Items', 'البنود'],
  share: ['Share', 'الحصة'],
  paid: ['Paid', 'المدفوع'],
  charged: ['Total', 'الإجمالي'],
  open: ['To be paid', 'المطلوب سداده'],
  account: ['Account', 'الحساب'],
  reversed: ['This invoice was reversed. Nothing is to be paid.', 'عُكست هذه الفاتورة، ولا يُستحق عنها شيء.'],
} as const satisfies Record<string, Label>

/** The file of an invoice. A sheet has the shares as numbers; paper tells as well where it is paid into. */
export async function sponsorInvoiceFile(
  ctx: Ctx,
  one: SponsorInvoice,
  format: 'pdf' | 'xlsx',
  lang: PaperLanguage,
): Promise<FileResult> {
  const say = (word: keyof typeof W) => inLanguage(W[word], lang)
  const named = (of: Named) => (lang === 'ar' ? of.name_local : of.name)
  const lines = one.lines.filter((line) => line.reached && line.amount !== 0)
  const whole = lines.length === one.lines.filter((line) => line.amount !== 0).length
  const sum = (by: (line: (typeof lines)[number]) => number) => lines.reduce((all, line) => all + by(line), 0)
  const cells = (line: (typeof lines)[number], amount: (minor: number, digits: number) => string) => [
    line.student.code,
    named(line.student),
    line.items.map(named).join(lang === 'ar' ? '، ' : ', '),
    line.reference ?? '',
    amount(line.amount, one.digits),
    amount(line.paid, one.digits),
  ]
  const heads = ['code', 'student', 'items', 'reference', 'share', 'paid'] as const
  const name = fileName(format, inLanguage(W.invoice, 'en'), one.number)
  if (format === 'xlsx') {
    const content = await writeSheet({
      sheets: [
        {
          name: one.number,
          direction: lang === 'ar' ? 'rtl' : 'ltr',
          columns: heads.map((head, i) => ({ header: say(head), key: String(i), type: i < 4 ? 'text' : 'decimal' })),
          rows: lines.map((line) =>
            Object.fromEntries(cells(line, plainAmount).map((cell, i) => [String(i), cell === '' ? null : cell])),
          ),
        },
      ],
    })
    return { name, type: 'xlsx', content }
  }
  const money = (minor: number) => `${shownAmount(minor, one.digits)} ${one.currency}`
  const charged = whole ? one.charged : sum((line) => line.amount)
  const paid = whole ? one.settled : sum((line) => line.paid)
  const content = await renderPaper({
    template: 'sponsor-invoice',
    data: {
      title: `${say('invoice')} ${one.number}`,
      lang,
      university: await universityHead(ctx),
      papers: [
        {
          title: `${say('invoice')} ${one.number}`,
          serial: one.number,
          qr: `${one.id}.svg`,
          caption: say('scan'),
          facts: (
            [
              ['sponsor', named(one.sponsor)],
              ['address', one.sponsor.address],
              ['tax', one.sponsor.tax_number],
              ['term', one.term ? named(one.term) : null],
              ['issued', one.issued_on],
              ['due', one.due_date],
            ] as const
          ).flatMap(([word, value]) => (value ? [{ label: say(word), value }] : [])),
          columns: heads.map((head, i) => ({
            label: say(head),
            align: i < 4 ? 'start' : 'end',
            weight: [3, 6, 6, 3, 3, 3][i],
          })),
          rows: lines.map((line) => cells(line, shownAmount)),
          sums: one.reversed
            ? []
            : [
                { label: say('charged'), value: money(charged), strong: false },
                { label: say('paid'), value: money(paid), strong: false },
                { label: say('open'), value: money(charged - paid), strong: true },
              ],
          parts: null,
          notes: one.reversed
            ? [say('reversed')]
            : one.banks.map((bank) => `${say('account')}: ${named(bank)}, ${bank.iban ?? bank.account_number}`),
        },
      ],
    },
    files: { [`${one.id}.svg`]: qrImage(one.number) },
    created: new Date(),
  })
  return { name, type: 'pdf', content }
}
