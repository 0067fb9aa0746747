/** A slip on paper: what the bank's clerk needs, twice: one part stays there, one goes back with the stamp. */
import { fileURLToPath } from 'node:url'
import { INVOICE_TYPES } from '#areas/money/invoices/invoices/invoice.contract.ts'
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { sql } from 'kysely'
import { slipCalls } from './slip.contract.ts'
import { showSlip } from './slip.server.ts'

registerTemplate('slip', fileURLToPath(new URL('./slip.typ', import.meta.url)))

const W = {
  slip: ['Payment slip', 'إيصال سداد'],
  scan: ['Number of the slip, to be written on the transfer', 'رقم الإيصال، ويُكتب في التحويل'],
  student: ['Student', 'الطالب'],
  code: ['Student code', 'كود الطالب'],
  faculty: ['Faculty', 'الكلية'],
  invoice: ['Invoice', 'الفاتورة'],
  purpose: ['For', 'عن'],
  part: ['Instalment', 'القسط'],
  bank: ['Bank', 'البنك'],
  account: ['Account', 'الحساب'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  until: ['Pay until', 'السداد حتى'],
  amount: ['To be paid', 'المطلوب سداده'],
  forBank: ['For the bank', 'نسخة البنك'],
  forPayer: ['For the payer: upload it with the bank’s stamp', 'نسخة الدافع: تُرفع بعد ختم البنك'],
  stamp: ['Stamp of the bank', 'ختم البنك'],
  reference: ['Reference of the bank', 'الرقم المرجعي للبنك'],
  date: ['Date', 'التاريخ'],
} as const satisfies Record<string, Label>

const grouped = (minor: number): string =>
  `${Math.trunc(minor / 100)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${String(minor % 100).padStart(2, '0')}`

export const slipPaperHandlers: readonly Handled[] = [
  handle(slipCalls.pdf, async (ctx, { params, body }) => {
    const lang = body.lang ?? paperLang(ctx)
    const say = (label: Label) => inLanguage(label, lang)
    const name = (of: { name: string; name_local?: string | null | undefined } | null) =>
      of ? (lang === 'ar' ? (of.name_local ?? of.name) : of.name) : null
    const of = await showSlip(ctx, params.id)
    // With a slip whose time is over, or that was decided on, nobody goes to the bank.
    if (of.status !== 'issued' && of.status !== 'rejected') throw refuse(409, 'slip_decided')
    const { rows: notes } = await sql<{
      notes: string
      notes_local: string
    }>`select notes, notes_local from bank_info_notes
      where (bank_id = ${of.bank.id} or bank_id is null) and is_active and removed_at is null order by id`.execute(
      ctx.db,
    )
    const content = await renderPaper({
      template: 'slip',
      data: {
        title: say(W.slip),
        lang,
        university: await universityHead(ctx),
        serial: of.number,
        qr: 'qr.svg',
        caption: say(W.scan),
        facts: [
          [W.student, name(of.student)],
          [W.code, of.student?.code],
          [W.faculty, name(of.faculty)],
          [W.invoice, of.invoice.number],
          [W.purpose, say(INVOICE_TYPES.find((invoiceType) => invoiceType.value === of.invoice.type)!.label)],
          [W.part, of.part],
          [W.bank, name(of.bank)],
          [W.account, of.account_number],
          ['IBAN', of.iban],
          [W.issued, of.issued_on],
          [W.until, of.expires_on],
        ].flatMap(([label, value]) =>
          value ? [{ label: typeof label === 'string' ? label : say(label as Label), value: String(value) }] : [],
        ),
        amount: { label: say(W.amount), value: `${grouped(of.amount)} ${of.currency}` },
        copies: [say(W.forBank), say(W.forPayer)],
        notes: notes.map((note) => (lang === 'ar' ? note.notes_local : note.notes)),
        foot: [say(W.date), say(W.reference), say(W.stamp)],
      },
      files: { 'qr.svg': qrImage(of.number) },
      created: new Date(),
    })
    return { name: 'Cash_Instructions.pdf', type: 'pdf', content }
  }),
]
