/** The account of a sponsor: what it took over, was invoiced and paid, by student and as of any day. */
import { reachedStudent } from '#areas/money/ledger/reach.server.ts'
import { plainAmount, shownAmount } from '#areas/money/ledger/statements/statement.rules.ts'
import { daysBetween } from '#kit/contract/day.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { furtherTable, tableFile, type ExportColumn } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import { PAYMENT_WAYS } from '#areas/money/transactions/moves/transaction.contract.ts'
import { paidByShare } from '../billing/paid.server.ts'
import { universityToday } from '../today.server.ts'
import { agingOf } from './account.rules.ts'
import type { SponsorAccount } from './account.contract.ts'

interface Read {
  readonly sponsor: SponsorAccount['sponsor']
  readonly wallet: number
  readonly shares: { share_id: number; student_id: number; taken: number }[]
  readonly students: {
    student: SponsorAccount['students'][number]['student']
    faculty: SponsorAccount['students'][number]['faculty']
  }[]
  readonly invoices: (Omit<SponsorAccount['invoices'][number], 'open'> & { reached: boolean })[]
  readonly payments: SponsorAccount['payments']
}

/** The account as far as who asks reaches the students; invoices and payments as a whole are for who reaches all of them. @throws {Refusal} 404 */
export async function sponsorAccount(ctx: Ctx, id: number, asked: string | null = null): Promise<SponsorAccount> {
  const until = asked ?? (await universityToday(ctx.db))
  const whole = reachesAll(ctx, 'show_sponsor')
  const { rows } = await sql<Read>`
    with mine as materialized (
      select h.id as share_id, s.id as student_id, coalesce((select -sum(l.amount) from invoice_lines l join invoices i on i.id = l.invoice_id
          left join invoice_notes n on n.id = l.note_id where l.share_id = h.id and l.invoice_id = h.invoice_id
          and n.issued_on <= ${until}::date and (i.reversed_at is null or (i.reversed_at at time zone university_zone())::date > ${until}::date)), 0) as taken
      from sponsorships p join sponsor_shares h on h.sponsorship_id = p.id join students s on s.id = p.student_id
      where p.sponsor_id = ${id} and ${reachedStudent(ctx, 'show_sponsor', 's')}
    )
    select json_build_object('id', o.id, 'code', o.code, 'name', o.name, 'name_local', o.name_local, 'currency', o.currency) as sponsor,
      (select coalesce(-sum(g.amount), 0)::float8 from ledger_postings g join ledger_accounts a on a.id = g.account_id and a.role = 'wallet'
        join ledger_entries e on e.id = g.entry_id where g.payer_id = y.id and e.booked_on <= ${until}::date) as wallet,
      (select coalesce(json_agg(json_build_object('share_id', m.share_id, 'student_id', m.student_id, 'taken', m.taken)), '[]') from mine m) as shares,
      (select coalesce(json_agg(json_build_object('student', ${ref('s')}, 'faculty', ${ref('f')}) order by s.code), '[]')
        from students s join faculties f on f.id = s.faculty_id where s.id in (select student_id from mine)) as students,
      (select coalesce(json_agg(x order by x.issued_on desc, x.id desc), '[]') from (
        select i.id, i.number, ${refOrNull('w')} as term, to_char(i.issued_on, 'YYYY-MM-DD') as issued_on,
          (select to_char(min(n.due_date), 'YYYY-MM-DD') from installments n where n.invoice_id = i.id) as due_date,
          (select count(distinct h.sponsorship_id) from invoice_lines l join sponsor_shares h on h.id = l.share_id where l.invoice_id = i.id) as students,
          case when i.reversed_at is null then coalesce((select sum(l.amount) from invoice_lines l left join invoice_notes n on n.id = l.note_id
            where l.invoice_id = i.id and coalesce(n.issued_on, i.issued_on) <= ${until}::date), 0) else 0 end as charged,
          coalesce((select -sum(g.amount) from ledger_postings g join ledger_entries e on e.id = g.entry_id and e.settles
            where g.invoice_id = i.id and e.booked_on <= ${until}::date), 0) as paid, i.reversed_at is not null as reversed,
          exists (select from invoice_lines l join mine m on m.share_id = l.share_id where l.invoice_id = i.id) as reached
        from invoices i left join terms w on w.id = i.term_id where i.payer_id = y.id and i.issued_on <= ${until}::date) x) as invoices,
      (select coalesce(json_agg(json_build_object('id', t.id, 'number', t.number, 'booked_on', to_char(t.booked_on, 'YYYY-MM-DD'), 'way', t.way,
          'amount', case when t.direction = 'out' then -t.amount else t.amount end, 'note', t.note) order by t.booked_on desc, t.id desc), '[]')
        from transactions t where t.payer_id = y.id and t.status = 'paid' and t.way <> 'wallet' and t.booked_on <= ${until}::date) as payments
    from sponsors o join payers y on y.sponsor_id = o.id where o.id = ${id} and o.removed_at is null`.execute(ctx.db)
  const [read] = rows
  if (!read) throw refuse(404, 'not_found')
  const paid = await paidByShare(ctx.db, id, until)
  const by = new Map<number, { taken: number; billed: number; paid: number }>()
  for (const { share_id, student_id, taken } of read.shares) {
    const one = by.get(student_id) ?? { taken: 0, billed: 0, paid: 0 }
    const of = paid.get(share_id) ?? { billed: 0, paid: 0 }
    by.set(student_id, { taken: one.taken + taken, billed: one.billed + of.billed, paid: one.paid + of.paid })
  }
  const students = read.students.map(({ student, faculty }) => {
    const one = by.get(student.id)!
    return { student, faculty, ...one, open: one.billed - one.paid }
  })
  const sum = (of: (one: (typeof students)[number]) => number) => students.reduce((all, one) => all + of(one), 0)
  const invoices = read.invoices
    .filter((one) => whole || one.reached)
    .map(({ reached: _reached, ...one }) => ({
      ...one,
      // Of an invoice with students of others, who does not reach them sees no sums.
      ...(whole ? {} : { charged: 0, paid: 0 }),
      open: whole ? one.charged - one.paid : 0,
    }))
  const billed = sum((one) => one.billed)
  const settled = sum((one) => one.paid)
  const taken = sum((one) => one.taken)
  return {
    sponsor: read.sponsor,
    until,
    whole,
    sums: {
      taken,
      billed,
      unbilled: taken - billed,
      paid: settled,
      open: billed - settled,
      wallet: whole ? read.wallet : 0,
    },
    aging: agingOf(
      invoices.map((one) => ({ open: one.open, late: one.due_date === null ? 0 : daysBetween(one.due_date, until) })),
    ),
    students,
    invoices,
    payments: whole ? read.payments : [],
  }
}

const W = {
  title: ['Statement of account', 'كشف حساب'],
  sponsor: ['Sponsor', 'الجهة الراعية'],
  until: ['As of', 'حتى تاريخ'],
  code: ['Student code', 'كود الطالب'],
  student: ['Student', 'الطالب'],
  faculty: ['Faculty', 'الكلية'],
  taken: ['Taken over', 'المتحمَّل'],
  billed: ['Invoiced', 'المفوتر'],
  paid: ['Paid', 'المدفوع'],
  open: ['Still to pay', 'المتبقي'],
  wallet: ['Paid in advance', 'مدفوع مقدمًا'],
  unbilled: ['Not invoiced yet', 'لم يُفوتر بعد'],
  by_student: ['By student', 'حسب الطالب'],
  invoices: ['Invoices', 'الفواتير'],
  payments: ['Payments', 'المدفوعات'],
  number: ['Number', 'الرقم'],
  term: ['Term', 'الفصل'],
  issued_on: ['Issued', 'تاريخ الإصدار'],
  due_date: ['Due', 'تاريخ الاستحقاق'],
  students: ['Students', 'الطلاب'],
  charged: ['Amount', 'المبلغ'],
  reversed: ['cancelled', 'ملغاة'],
  day: ['Day', 'اليوم'],
  way: ['Way', 'الطريقة'],
  note: ['Note', 'ملاحظة'],
} as const satisfies Record<string, Label>

/** What a sponsor owes, as finance sends it: invoices, payments and what stands against each student. */
export async function sponsorStatement(
  ctx: Ctx,
  id: number,
  { format, lang, until }: { format: 'pdf' | 'xlsx'; lang: PaperLanguage; until: string | null },
): Promise<FileResult> {
  const { sponsor, until: day, whole, sums, students, invoices, payments } = await sponsorAccount(ctx, id, until)
  const say = (word: keyof typeof W) => inLanguage(W[word], lang)
  const named = (of: { name: string; name_local?: string | null | undefined }) =>
    lang === 'ar' ? (of.name_local ?? of.name) : of.name
  const put = (minor: number) => (format === 'pdf' ? shownAmount(minor, 2) : plainAmount(minor, 2))
  const money = (minor: number) => `${shownAmount(minor, 2)} ${sponsor.currency}`
  const text = <Row>(word: keyof typeof W, of: (row: Row) => string): ExportColumn<Row> => ({
    header: say(word),
    type: 'text',
    text: of,
  })
  const amount = <Row>(word: keyof typeof W, of: (row: Row) => number): ExportColumn<Row> => ({
    header: say(word),
    type: 'decimal',
    text: (row) => put(of(row)),
  })
  const table = <Row>(heading: keyof typeof W, rows: readonly Row[], columns: readonly ExportColumn<Row>[]) =>
    furtherTable({ heading: say(heading), rows, columns })
  const byStudent = table('by_student', students, [
    text('code', (one) => one.student.code ?? ''),
    text('student', (one) => named(one.student)),
    text('faculty', (one) => named(one.faculty)),
    amount('taken', (one) => one.taken),
    amount('billed', (one) => one.billed),
    amount('paid', (one) => one.paid),
    amount('open', (one) => one.open),
  ])
  const billed = table(
    'invoices',
    invoices.toSorted((a, b) => (a.issued_on < b.issued_on ? -1 : a.issued_on > b.issued_on ? 1 : a.id - b.id)),
    [
      text('number', (one) => (one.reversed ? `${one.number} (${say('reversed')})` : one.number)),
      text('term', (one) => (one.term ? named(one.term) : '')),
      text('issued_on', (one) => one.issued_on),
      text('due_date', (one) => one.due_date ?? ''),
      text('students', (one) => String(one.students)),
      amount('charged', (one) => one.charged),
      amount('paid', (one) => one.paid),
      amount('open', (one) => one.open),
    ],
  )
  const paid = table('payments', payments.toReversed(), [
    text('number', (one) => one.number),
    text('day', (one) => one.booked_on ?? ''),
    text('way', (one) => wayIn(one.way, lang)),
    text('note', (one) => one.note ?? ''),
    amount('charged', (one) => one.amount),
  ])
  // Who reaches a part of the students is shown no sums of invoices in which others stand.
  const [first, ...more] = whole ? [billed, paid, byStudent] : [byStudent]
  return tableFile(
    ctx,
    {
      title: `${say('title')}: ${named(sponsor)}`,
      name: `Statement ${sponsor.code ?? ''}`,
      lang,
      facts: [
        { label: say('sponsor'), value: `${named(sponsor)} (${sponsor.code ?? ''})` },
        { label: say('until'), value: day },
        ...(['taken', 'unbilled', 'billed', 'paid', 'open', 'wallet'] as const).map((word) => ({
          label: say(word),
          value: money(sums[word]),
        })),
      ],
      ...first,
      more: more.filter(({ rows }) => rows.length > 0),
    },
    format,
  )
}

const wayIn = (way: string, lang: PaperLanguage): string => {
  const known = PAYMENT_WAYS.find(({ value }) => value === way)
  return known ? inLanguage(known.label, lang) : way
}
