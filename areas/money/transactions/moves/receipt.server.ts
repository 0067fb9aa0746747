/** Receipts on paper, in Arabic or English. */
import { fileURLToPath } from 'node:url'
import type { OtherPayer } from '#areas/money/ledger/payer.contract.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { taxReceiptOf } from '../tax-receipts/tax-receipt.server.ts'
import { showTransaction } from './move.server.ts'
import { PURPOSES, PAYMENT_WAYS, transactionCalls } from './transaction.contract.ts'

registerTemplate('receipt', fileURLToPath(new URL('./receipt.typ', import.meta.url)))

const W = {
  receipt: ['Receipt', 'إيصال'],
  cancelled: ['Cancelled receipt', 'إيصال ملغى'],
  scan: ['Number of the receipt', 'رقم الإيصال'],
  student: ['Student', 'الطالب'],
  code: ['Student code', 'كود الطالب'],
  applicant: ['Applicant', 'المتقدم'],
  application: ['Application', 'طلب التقديم'],
  staff: ['Member of staff', 'عامل بالجامعة'],
  guest: ['Guest', 'ضيف'],
  payer: ['Payer', 'الدافع'],
  payer_code: ['Code', 'الكود'],
  date: ['Date', 'التاريخ'],
  way: ['Way', 'الطريقة'],
  purpose: ['For', 'الغرض'],
  by: ['Taken by', 'المستلم'],
  tax: ['Tax receipt', 'الإيصال الضريبي'],
  tax_scan: ['Receipt at the tax authority', 'الإيصال لدى مصلحة الضرائب'],
  amount: ['Amount', 'المبلغ'],
  invoice: ['Invoice', 'الفاتورة'],
  wallet: ['Into the wallet', 'إلى المحفظة'],
  signature: ['Signature', 'التوقيع'],
  stamp: ['Stamp', 'الختم'],
} as const satisfies Record<string, Label>

/** What stands before the name of who pays and is no student. */
const whoPays = (kind: OtherPayer['kind'] | undefined): Label =>
  kind === 'applicant' || kind === 'staff' || kind === 'guest' ? W[kind] : W.payer

const grouped = (minor: number): string =>
  `${Math.trunc(Math.abs(minor) / 100)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${String(Math.abs(minor) % 100).padStart(2, '0')}`

/**
 * The receipt of a payment that the reader reaches.
 * @throws {Refusal} 404, 409 `receipt_not_booked`
 */
export async function receiptOf(ctx: Ctx, id: number, lang: PaperLanguage): Promise<FileResult> {
  const say = (label: Label) => inLanguage(label, lang)
  const of = await showTransaction(ctx, id)
  if (of.booked_on === null) throw refuse(409, 'receipt_not_booked')
  const word = (choices: readonly { value: string; label: Label }[], value: string) =>
    say(choices.find((choice) => choice.value === value)!.label)
  const serial = of.receipt ?? of.number
  const tax = await taxReceiptOf(ctx.db, ctx.services, of.id)
  const rest = Math.abs(of.amount) - of.allocations.reduce((sum, one) => sum + Math.abs(one.amount), 0)
  const content = await renderPaper({
    template: 'receipt',
    data: {
      title: say(of.status === 'cancelled' ? W.cancelled : W.receipt),
      lang,
      university: await universityHead(ctx),
      serial,
      qr: 'qr.svg',
      caption: say(tax ? W.tax_scan : W.scan),
      facts: [
        [W.student, of.student ? (lang === 'ar' ? of.student.name_local : of.student.name) : null],
        [W.code, of.student?.code],
        [whoPays(of.payer?.kind), of.payer && (lang === 'ar' ? of.payer.name_local : of.payer.name)],
        [of.payer?.kind === 'applicant' ? W.application : W.payer_code, of.payer?.code],
        [W.date, of.booked_on],
        [W.way, word(PAYMENT_WAYS, of.way)],
        [W.purpose, word(PURPOSES, of.purpose)],
        [W.tax, tax?.number],
        [W.by, of.by && (lang === 'ar' ? (of.by.name_local ?? of.by.name) : of.by.name)],
      ].flatMap(([label, value]) => (value ? [{ label: say(label as Label), value: String(value) }] : [])),
      columns: [
        { label: say(W.invoice), align: 'start', weight: 3 },
        { label: say(W.amount), align: 'end', weight: 2 },
      ],
      rows: [
        ...of.allocations.map((allocation) => [allocation.number, grouped(allocation.amount)]),
        ...(of.direction === 'in' && of.way !== 'wallet' && rest > 0 ? [[say(W.wallet), grouped(rest)]] : []),
      ],
      amount: { label: say(W.amount), value: `${grouped(of.amount)} ${of.currency}` },
      foot: [say(W.signature), say(W.stamp)],
    },
    files: { 'qr.svg': qrImage(tax?.link ?? serial) },
    created: new Date(),
  })
  return { name: fileName('pdf', 'Receipt', serial), type: 'pdf', content }
}

export const receiptHandlers: readonly Handled[] = [
  handle(transactionCalls.receipt, (ctx, { params, query }) => receiptOf(ctx, params.id, query.lang ?? paperLang(ctx))),
]
