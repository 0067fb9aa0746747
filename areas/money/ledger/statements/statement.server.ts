/** Statements: what a student was asked for, paid and got back, from the postings, as of any day. */
import { fileURLToPath } from 'node:url'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql, type RawBuilder } from 'kysely'
import { workerReach, workplaceText } from '../others.server.ts'
import { reachedStudent, staffCodeText } from '../reach.server.ts'
import {
  statementCalls,
  type STATEMENT_KINDS,
  type LedgerStatement,
  type StatementAsked,
  type LedgerStatementLine,
} from './statement.contract.ts'
import { statementHeadOf, numbersOf, plainAmount, runningPart, shownAmount, type Stood } from './statement.rules.ts'

registerTemplate('statement', fileURLToPath(new URL('./statement.typ', import.meta.url)))

interface Read {
  student: LedgerStatement['student']
  payer: LedgerStatement['payer']
  faculty: LedgerStatement['faculty']
  program: LedgerStatement['program']
  until: string
  openings: { currency: string; minor_digits: number; owed: number; wallet: number; deposit: number; used: boolean }[]
  lines: (Stood & { currency: string })[]
}

/** Whose statement it is. */
type Whose = { readonly kind: 'student' | (typeof STATEMENT_KINDS)[number]; readonly id: number }

/** SQL: who it is and where he or she belongs, as far as the reader reaches; and which payers that are. */
function whoseOf(
  ctx: Ctx,
  { kind, id }: Whose,
): { payers: RawBuilder<unknown>; select: RawBuilder<unknown>; from: RawBuilder<unknown> } {
  const right = kind === 'staff' ? statementCalls.ofPayer.permission : statementCalls.get.permission
  if (kind === 'student')
    return {
      payers: sql`student_id = ${id}`,
      select: sql`${ref('s')} as student, null::json as payer, ${ref('f')} as faculty, ${refOrNull('g')} as program`,
      from: sql`students s join faculties f on f.id = s.faculty_id left join programs g on g.id = s.program_id
        where s.id = ${id} and ${reachedStudent(ctx, right)}`,
    }
  const payer = (code: string) => sql`null::json as student,
    json_build_object('id', s.id, 'code', ${sql.raw(code)}, 'name', s.name, 'name_local', s.name_local, 'kind', ${kind}::text) as payer`
  return kind === 'staff'
    ? {
        payers: sql`user_id = ${id}`,
        select: sql`${payer(staffCodeText('s'))}, ${refOrNull('f')} as faculty, null::json as program`,
        from: sql`users s left join faculties f on f.id = ${sql.raw(workplaceText('s'))}
          where s.id = ${id} and s.type in (1, 2) and ${scopeCondition(ctx, right, workerReach(ctx, 's'))}`,
      }
    : {
        payers: sql`guest_id = ${id}`,
        select: sql`${payer('s.code')}, null::json as faculty, null::json as program`,
        from: sql`guests s where s.id = ${id} and ${scopeCondition(ctx, right, {})}`,
      }
}

/**
 * A statement, of all payers that somebody is (two after a merge): one round trip.
 *
 * @throws {Refusal} 404 for who is not within reach; 422 where the days are in the wrong order
 */
export async function readStatement(ctx: Ctx, whose: Whose, asked: StatementAsked): Promise<LedgerStatement> {
  const { payers, select, from: who } = whoseOf(ctx, whose)
  const { from = null, until = null, currency = null } = asked
  if (from !== null && until !== null && from > until) throw refuse(422, 'statement_days', {}, 'until')
  const { rows } = await sql<Read>`
    with day as (select coalesce(${until}::date, university_today()) as until),
    mine as materialized (select id from payers where ${payers}),
    moved as materialized (
      select e.id, e.kind, e.source, e.currency, e.booked_on, e.reason, e.reversal_of, sum(p.amount) filter (where a.role = 'receivable') as owed,
        -sum(p.amount) filter (where a.role = 'wallet') as wallet,
        (select coalesce(json_agg(json_build_object('id', i.id, 'number', i.number) order by i.id), '[]') from invoices i
          where i.id = any(array_agg(p.invoice_id))) as invoices
      from ledger_postings p join ledger_accounts a on a.id = p.account_id join ledger_entries e on e.id = p.entry_id
      where p.payer_id in (select id from mine) and a.role in ('receivable', 'wallet') and e.booked_on <= (select until from day)
        and (${currency}::text is null or e.currency = ${currency})
      group by e.id
    ), told as (
      select m.*, o.kind as of_kind, coalesce(o.source, m.source) as cause, coalesce(o.id, m.id) as first
      from moved m left join ledger_entries o on o.id = m.reversal_of
      where (${from}::date is null or m.booked_on >= ${from}::date) and (coalesce(m.owed, 0), coalesce(m.wallet, 0)) <> (0, 0)
    )
    select ${select}, (select to_char(until, 'YYYY-MM-DD') from day) as until,
      (select coalesce(json_agg(json_build_object('currency', c.code, 'minor_digits', c.minor_digits, 'owed', x.owed, 'wallet', x.wallet, 'used', x.used,
            'deposit', (select coalesce(-sum(p.amount), 0) from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.role = 'deposit'
              join ledger_entries e on e.id = p.entry_id where p.payer_id in (select id from mine) and e.currency = x.currency
                and e.booked_on <= (select until from day)))
          order by c.id), '[]') from (
        select currency, coalesce(sum(owed) filter (where booked_on < ${from}::date), 0) as owed,
          coalesce(sum(wallet) filter (where booked_on < ${from}::date), 0) as wallet, true as used from moved group by 1) x
        join currencies c on c.code = x.currency) as openings,
      (select coalesce(json_agg(json_build_object('entry_id', t.id, 'booked_on', to_char(t.booked_on, 'YYYY-MM-DD'), 'kind', t.kind, 'of_kind', t.of_kind,
          'currency', t.currency, 'way', b.way, 'invoices', t.invoices,
          'items', (select coalesce(json_agg(json_build_object('name', l.name, 'name_local', l.name_local, 'amount', l.amount) order by l.position), '[]')
            from invoice_lines l where (n.id is null and l.invoice_id = (substring(t.cause from '^invoice:([0-9]+)$'))::integer and l.note_id is null)
              or l.note_id = n.id),
          'note', n.number, 'transaction', b.number, 'receipt', b.receipt, 'reason', coalesce(t.reason, n.reason, b.reason),
          'reason_local', case when t.reason is null or t.reason = n.reason then coalesce(n.reason_local, n.reason, b.reason) else t.reason end, 'owed', coalesce(t.owed, 0), 'wallet', coalesce(t.wallet, 0))
          order by t.booked_on, t.id), '[]')
        from told t left join transactions b on b.entry_id = t.first
          left join invoice_notes n on n.id = (substring(t.cause from '^note:([0-9]+)$'))::integer) as lines
    from ${who}`.execute(ctx.db)
  const [read] = rows
  if (!read) throw refuse(404, 'not_found')
  const { openings, lines, ...head } = read
  return {
    ...head,
    from,
    currencies: openings.map(({ owed, wallet, ...one }) =>
      runningPart(
        { ...one, opening: { owed, wallet } },
        lines.flatMap(({ currency: of, ...line }) => (of === one.currency ? [line] : [])),
      ),
    ),
  }
}

const WORDS = {
  title: ['Statement of account', 'كشف حساب'],
  name: ['Name', 'الاسم'],
  code: ['Student code', 'كود الطالب'],
  number: ['Code', 'الكود'],
  faculty: ['Faculty', 'الكلية'],
  program: ['Program', 'البرنامج'],
  period: ['Period', 'الفترة'],
  printed: ['Printed', 'تاريخ الطباعة'],
  until: ['until {until}', 'حتى {until}'],
  day: ['Day', 'التاريخ'],
  what: ['What', 'البيان'],
  numbers: ['Numbers', 'الأرقام'],
  charged: ['Charged', 'مستحق'],
  settled: ['Paid', 'مسدد'],
  balance: ['Balance', 'الرصيد'],
  wallet: ['Wallet', 'المحفظة'],
  deposit: ['Deposit held', 'تأمين محفوظ'],
  opening: ['Opening balance', 'رصيد أول المدة'],
  owed: ['Still owed', 'المتبقي'],
  total_charged: ['Charged in all', 'إجمالي المستحق'],
  total_settled: ['Paid in all', 'إجمالي المسدد'],
  nothing: ['Nothing was charged or paid.', 'لا توجد مستحقات أو مدفوعات.'],
} as const satisfies Record<string, Label>

/** What a line says on paper: what happened, of what, why. */
function textOf(line: LedgerStatementLine, lang: PaperLanguage): string {
  const because = inLanguage([line.reason ?? '', line.reason_local ?? line.reason ?? ''], lang)
  return [
    statementHeadOf(line)
      .map((label) => inLanguage(label, lang))
      .join(': '),
    ...(line.items.length
      ? [line.items.map((one) => inLanguage([one.name, one.name_local], lang)).join(lang === 'ar' ? '، ' : ', ')]
      : []),
    ...(because ? [because] : []),
  ].join(' – ')
}

async function statementFile(
  ctx: Ctx,
  whose: Whose,
  lang: PaperLanguage,
  { format, ...asked }: StatementAsked & { format: 'pdf' | 'xlsx' },
): Promise<FileResult> {
  const { student, payer, faculty, program, from, until, currencies } = await readStatement(ctx, whose, asked)
  const person = student ?? payer
  if (!person) throw refuse(404, 'not_found')
  const say = (word: keyof typeof WORDS): string => inLanguage(WORDS[word], lang)
  const named = (one: { name: string; name_local?: string | null | undefined }): string =>
    inLanguage([one.name, one.name_local ?? one.name], lang)
  const columns = [
    { label: say('day'), align: 'start', type: 'date', weight: 11 },
    { label: say('what'), align: 'start', type: 'text', weight: 34 },
    { label: say('numbers'), align: 'start', type: 'text', weight: 20 },
    { label: say('charged'), align: 'end', type: 'decimal', weight: 13 },
    { label: say('settled'), align: 'end', type: 'decimal', weight: 13 },
    { label: say('balance'), align: 'end', type: 'decimal', weight: 13 },
  ] as const
  const tables = currencies.map((part) => {
    const cells = (amount: (minor: number, digits: number) => string): string[][] => {
      const put = (minor: number) => (minor > 0 ? amount(minor, part.minor_digits) : '')
      return [
        ...(from === null ? [] : [[from, say('opening'), '', '', '', amount(part.opening, part.minor_digits)]]),
        ...part.lines.map((line) => [
          line.booked_on,
          textOf(line, lang),
          numbersOf(line).join(' · '),
          put(line.owed - line.wallet),
          put(line.wallet - line.owed),
          amount(line.balance, part.minor_digits),
        ]),
      ]
    }
    return { part, cells }
  })
  const name = fileName(format, say('title'), named(person), until)
  if (format === 'xlsx') {
    const content = await writeSheet({
      sheets: (tables.length ? tables : [{ part: null, cells: () => [] }]).map(({ part, cells }) => ({
        name: part?.currency ?? say('title'),
        direction: lang === 'ar' ? ('rtl' as const) : ('ltr' as const),
        columns: columns.map(({ label, type }, i) => ({ header: label, key: String(i), type })),
        rows: cells(plainAmount).map((row) =>
          Object.fromEntries(row.map((cell, i) => [String(i), cell === '' ? null : cell])),
        ),
      })),
    })
    return { name, type: 'xlsx', content }
  }
  const content = await renderPaper({
    template: 'statement',
    created: new Date(),
    data: {
      lang,
      title: say('title'),
      university: {
        ...(await universityHead(ctx)),
        ...(faculty && { unit: faculty.name, unit_local: faculty.name_local ?? faculty.name }),
      },
      facts: [
        { label: say('name'), value: named(person) },
        ...(person.code ? [{ label: say(student ? 'code' : 'number'), value: person.code }] : []),
        ...(faculty ? [{ label: say('faculty'), value: named(faculty) }] : []),
        ...(program ? [{ label: say('program'), value: named(program) }] : []),
        { label: say('period'), value: from === null ? say('until').replace('{until}', until) : `${from} – ${until}` },
        { label: say('printed'), value: dayOf() },
      ],
      empty: say('nothing'),
      parts: tables.map(({ part, cells }) => ({
        title: part.currency,
        columns: columns.map(({ label, align, weight }) => ({ label, align, weight })),
        rows: cells(shownAmount),
        summary: (
          [
            ['total_charged', part.charged],
            ['total_settled', part.settled],
            ['balance', part.balance],
            ['owed', part.owed],
            ['wallet', part.wallet],
            ...(part.deposit === 0 ? [] : [['deposit', part.deposit] as const]),
          ] as const
        ).map(([word, value]) => ({
          label: say(word),
          value: `${shownAmount(value, part.minor_digits)} ${part.currency}`,
        })),
      })),
    },
  })
  return { name, type: 'pdf', content }
}

export const statementHandlers: readonly Handled[] = [
  handle(statementCalls.get, async (ctx, { params, query }) => ({
    data: await readStatement(ctx, { kind: 'student', id: params.student_id }, query),
  })),
  handle(statementCalls.file, (ctx, { params, body }) =>
    statementFile(ctx, { kind: 'student', id: params.student_id }, params.lang, body),
  ),
  handle(statementCalls.ofPayer, async (ctx, { params: { kind, id }, query }) => ({
    data: await readStatement(ctx, { kind, id }, query),
  })),
  handle(statementCalls.fileOfPayer, (ctx, { params: { kind, id, lang }, body }) =>
    statementFile(ctx, { kind, id }, lang, body),
  ),
]
