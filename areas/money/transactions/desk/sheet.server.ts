/** The end-of-day sheet of a drawer, in Arabic or English: what went through it, counted, signed. */
import { fileURLToPath } from 'node:url'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { PURPOSES, TRANSACTION_STATES } from '../moves/transaction.contract.ts'
import type { ShiftDetail } from './desk.contract.ts'

registerTemplate('drawer', fileURLToPath(new URL('./drawer.typ', import.meta.url)))

const W = {
  sheet: ['End-of-day sheet', 'كشف نهاية اليوم'],
  cashier: ['Cashier', 'أمين الخزينة'],
  opened: ['Opened', 'فُتحت'],
  closed: ['Closed', 'أُغلقت'],
  why: ['Explanation', 'التفسير'],
  review: ['Review', 'المراجعة'],
  currency: ['Currency', 'العملة'],
  opening: ['To begin with', 'رصيد الافتتاح'],
  taken: ['Taken', 'المستلم'],
  paidOut: ['Paid out', 'المصروف'],
  expected: ['Should be there', 'المفترض وجوده'],
  counted: ['Counted', 'الجرد'],
  difference: ['Difference', 'الفرق'],
  receipt: ['Receipt', 'الإيصال'],
  student: ['Student', 'الطالب'],
  purpose: ['For', 'الغرض'],
  state: ['State', 'الحالة'],
  amount: ['Amount', 'المبلغ'],
  scan: ['Number of the drawer', 'رقم الوردية'],
  signatures: ['Cashier’s signature', 'توقيع أمين الخزينة'],
  head: ['Signature of finance', 'توقيع الشؤون المالية'],
} as const satisfies Record<string, Label>
const grouped = (minor: number): string =>
  `${minor < 0 ? '−' : ''}${Math.trunc(Math.abs(minor) / 100)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${String(Math.abs(minor) % 100).padStart(2, '0')}`

export async function sheetOf(ctx: Ctx, of: ShiftDetail, lang: PaperLanguage): Promise<FileResult> {
  const say = (label: Label) => inLanguage(label, lang)
  const word = (choices: readonly { value: string; label: Label }[], value: string) =>
    say(choices.find((choice) => choice.value === value)!.label)
  const column = (label: Label, weight: number, align = 'start') => ({ label: say(label), weight, align })
  const called = (who: ShiftDetail['receipts'][number]['student']) =>
    who ? (lang === 'ar' ? (who.name_local ?? who.name) : who.name) : ''
  const content = await renderPaper({
    template: 'drawer',
    data: {
      title: `${say(W.sheet)} ${of.number}`,
      lang,
      university: await universityHead(ctx),
      serial: of.number,
      qr: 'qr.svg',
      caption: say(W.scan),
      facts: [
        [W.cashier, lang === 'ar' ? of.cashier.name_local : of.cashier.name],
        [W.opened, dayOf(of.opened_at)],
        [W.closed, of.closed_at && dayOf(of.closed_at)],
        [W.why, of.note],
        [W.review, of.review && `${of.review.by}: ${of.review.note}`],
      ].flatMap(([label, value]) => (value ? [{ label: say(label as Label), value: String(value) }] : [])),
      drawers: {
        columns: [
          column(W.currency, 2),
          ...[W.opening, W.taken, W.paidOut, W.expected, W.counted, W.difference].map((label) =>
            column(label, 3, 'end'),
          ),
        ],
        rows: of.drawers.map((one) => [
          one.currency,
          grouped(one.opening),
          grouped(one.taken),
          grouped(-one.paid_out),
          grouped(one.expected),
          one.counted === null ? '' : grouped(one.counted),
          one.counted === null ? '' : grouped(one.counted - one.expected),
        ]),
      },
      receipts: {
        columns: [
          column(W.receipt, 4),
          column(W.student, 6),
          column(W.purpose, 4),
          column(W.state, 3),
          column(W.amount, 4, 'end'),
        ],
        rows: of.receipts.map((one) => [
          one.receipt ?? '',
          called(one.student ?? one.payer),
          word(PURPOSES, one.purpose),
          word(TRANSACTION_STATES, one.status),
          `${grouped(one.amount)} ${one.currency}`,
        ]),
      },
      foot: [say(W.signatures), say(W.head)],
    },
    files: { 'qr.svg': qrImage(of.number) },
    created: new Date(),
  })
  return { name: fileName('pdf', 'Drawer', of.number), type: 'pdf', content }
}
