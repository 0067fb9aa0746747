/** Invoices as they are listed, shown, corrected and split. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { offeredItems, type AskedItem } from '#areas/money/fees/pricing.rules.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { payersOf } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { inLanguage, type ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { addDays } from '#kit/contract/day.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import {
  checkDueDays,
  checkInstalments,
  settledOf,
  type DraftLine,
  type Instalment,
  type LineAccount,
} from '../invoice.rules.ts'
import { editPart, removePart, splitPart, type PartsStanding, type PartsChanged } from '../parts.rules.ts'
import {
  holdInvoice,
  issueInvoices,
  reverseInvoice,
  setInstalments,
  writeNote,
  type HeldInvoice,
  type PartsKind,
} from '../issue.server.ts'
import { followDebts, tellAccounts } from '../holds.server.ts'
import { LEAST_DAYS } from '../next/draft.rules.ts'
import { askedDraft, priceAsked } from '../requests/asked.server.ts'
import {
  invoiceCalls,
  invoiceFields,
  INVOICE_STATES,
  INVOICE_TYPES,
  type ExtraBody,
  type InvoiceDetail,
  type InvoiceLine,
  type InvoiceRow,
} from './invoice.contract.ts'
import { FROM, SELECT, invoicesOf, listInvoices } from './list.server.ts'

/** A person by the name that the reader reads. */
const personIn = (ctx: Ctx) => (ctx.lang === 'ar' ? sql`coalesce(u.name_local, u.name)` : sql`u.name`)
const LINE = (
  alias: string,
) => `json_build_object('id', ${alias}.id, 'item', ${alias}.item, 'name', ${alias}.name, 'name_local', ${alias}.name_local,
  'quantity', (${alias}.quantity * 100)::float8, 'unit_amount', ${alias}.unit_amount, 'amount', ${alias}.amount, 'words', ${alias}.rule -> 'words',
  'account', ${alias}.account)`
type Stored = Omit<InvoiceDetail, 'abilities' | 'installments'> & {
  installments: { id: number; version: number; amount: number; due_date: string; late: boolean }[]
}
/** All of an invoice, in one statement. */
export async function showInvoice(ctx: Ctx, id: number, key: PermissionKey = 'access_payment'): Promise<InvoiceDetail> {
  const { rows } = await sql<Stored>`
    select ${SELECT}, ${refOrNull('g')} as program, t.level, t.note, t.reversed_at, t.reversed_reason, t.setting_version_id,
      coalesce((select json_agg(${sql.raw(LINE('l'))} order by l.position) from invoice_lines l where l.invoice_id = t.id and l.note_id is null), '[]') as lines,
      coalesce((select json_agg(json_build_object('id', n.id, 'number', n.number, 'kind', n.kind,
          'amount', (select sum(l.amount) from invoice_lines l where l.note_id = n.id), 'reason', n.reason, 'reason_local', n.reason_local,
          'issued_on', n.issued_on, 'by', ${personIn(ctx)},
          'lines', (select json_agg(${sql.raw(LINE('l'))} order by l.position) from invoice_lines l where l.note_id = n.id)) order by n.id)
        from invoice_notes n left join users u on u.id = n.created_by where n.invoice_id = t.id), '[]') as notes,
      coalesce((select json_agg(json_build_object('id', n.id, 'version', n.version, 'amount', n.amount, 'due_date', n.due_date,
          'late', t.plan_id is null and n.due_date < university_today()) order by n.position) from installments n where n.invoice_id = t.id), '[]') as installments,
      coalesce((select json_agg(json_build_object('id', x.id, 'number', x.number, 'receipt', x.receipt, 'way', x.way, 'amount', a.amount,
          'booked_on', x.booked_on) order by x.id) from transaction_allocations a join transactions x on x.id = a.transaction_id and x.status = 'paid'
        where a.invoice_id = t.id), '[]') as transactions
    from ${FROM} left join programs g on g.id = t.program_id where t.id = ${id} and ${invoicesOf(ctx, key)}`.execute(
    ctx.db,
  )
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const settled = settledOf(found.installments, found.settled)
  const open = found.state !== 'reversed'
  return {
    ...found,
    installments: found.installments.map(({ late, ...one }, i) => ({
      ...one,
      settled: settled[i]!,
      overdue: open && late && settled[i]! < one.amount,
    })),
    abilities: [
      ...(open && ctx.can('edit_invoice')
        ? ['edit', ...(found.in_plan ? [] : ['due_date', ...(found.charged > 0 ? ['split'] : [])])]
        : []),
      ...(open &&
      found.student &&
      found.term &&
      ['tuition', 'hours', 'summer'].includes(found.type) &&
      found.setting_version_id !== null &&
      ctx.can('grant_scholarship')
        ? ['scholarship']
        : []),
      ...(open && ctx.can('reverse_invoice') ? ['reverse'] : []),
    ],
  }
}

/** An invoice, held, that somebody reaches by a right. */
export async function heldWithin(ctx: Ctx, tx: Tx, id: number, key: PermissionKey): Promise<HeldInvoice> {
  const { rows } = await sql`select from ${FROM} where t.id = ${id} and ${invoicesOf(ctx, key)}`.execute(tx)
  if (!rows.length) throw refuse(404, 'not_found')
  await refuseOwn(ctx, tx, sql`select payer_id from invoices where id = ${id}`)
  return holdInvoice(tx, id)
}

/** Where a student stands, for an invoice that is issued now. */
export async function studentStandingOf(
  ctx: Ctx,
  tx: Db | Tx,
  student: number,
  key: PermissionKey,
): Promise<{ payer_id: number; faculty_id: number; program_id: number; level: number }> {
  const { rows } = await sql<{ faculty_id: number; program_id: number; level: number }>`
    select s.faculty_id, s.program_id, s.level from students s where s.id = ${student} and s.removed_at is null
      and ${scopeCondition(ctx, key, studentReach(ctx, 's'))}`.execute(tx)
  const payer_id = (await payersOf(tx, [student])).get(student)
  if (!rows[0] || payer_id === undefined) throw refuse(404, 'not_found')
  return { ...rows[0], payer_id }
}

/** Lines of an invoice with what they charge now: the line itself, and what notes changed of it. */
interface CurrentLine {
  readonly id: number
  readonly invoice_id: number
  readonly account: LineAccount
  readonly item: string
  readonly name: string
  readonly name_local: string
  readonly now: number
  readonly registration_id: number | null
}
async function currentLines(tx: Tx, invoice: number): Promise<CurrentLine[]> {
  const { rows } = await sql<CurrentLine>`
    select l.id, l.invoice_id, l.account, l.item, l.name, l.name_local, l.registration_id,
      (l.amount + coalesce((select sum(c.amount) from invoice_lines c where c.invoice_id = l.invoice_id and (c.rule ->> 'corrects')::int = l.id), 0))::float8 as now
    from invoice_lines l where l.invoice_id = ${invoice} and not l.rule ? 'corrects' and l.account not in ('sponsored', 'deposit') order by l.note_id nulls first, l.position`.execute(
    tx,
  )
  return rows
}
interface Edit {
  readonly lines: readonly {
    readonly id: number
    readonly amount: number
    readonly name?: string | undefined
    readonly name_local?: string | undefined
  }[]
  readonly added: readonly { account: LineAccount; name: string; name_local: string; amount: number }[]
  readonly reason: string
  readonly reason_local?: string | null | undefined
  readonly version?: number | undefined
}
/** Corrects an invoice: what lines charge from now on, and what is added. What was issued stays; a note tells the difference. */
const edit = (ctx: Ctx, id: number, { lines, added, reason, reason_local, version }: Edit) =>
  ctx.write(
    async (tx) => {
      const invoice = await heldWithin(ctx, tx, id, 'edit_invoice')
      if (version !== undefined && version !== invoice.version)
        throw refuse(409, 'changed_meanwhile', { version: invoice.version })
      const known = new Map((await currentLines(tx, id)).map((one) => [one.id, one]))
      const unknown = lines.flatMap((one, i) =>
        known.has(one.id) ? [] : [{ code: 'invoice_line_other', field: `lines.${i}.id` }],
      )
      if (unknown.length) throw new Refusal(422, unknown)
      const changes: DraftLine[] = lines.flatMap((one) => {
        const line = known.get(one.id)!
        // Of what is taken off, the amount is told without its sign.
        const wanted = line.now < 0 ? -one.amount : one.amount
        const amount = wanted - line.now
        return amount === 0
          ? []
          : [
              {
                account: line.account,
                item: line.item,
                name: one.name ?? line.name,
                name_local: one.name_local ?? line.name_local,
                rule: { corrects: line.id, from: line.now, to: wanted },
                unit_amount: amount,
                amount,
                registration_id: line.registration_id,
              },
            ]
      })
      const note = await writeNote(
        ctx,
        tx,
        invoice,
        [...changes, ...added.map((one) => ({ ...one, item: 'extra', unit_amount: one.amount }))],
        { reason, reason_local: reason_local ?? null },
      )
      return { data: { id, note: note.number, released: note.released } }
    },
    { reason },
  )

/** The day of the university. */
export const todayIn = async (tx: Tx): Promise<string> =>
  firstRow((await sql<{ today: string }>`select university_today()::text as today`.execute(tx)).rows).today

/** Changes the instalments of an invoice by a rule that keeps the sum; its history tells who, from what, to what and why. */
const change = (
  ctx: Ctx,
  kind: PartsKind,
  find: (tx: Tx) => Promise<number>,
  to: (of: PartsStanding, invoice: HeldInvoice) => PartsChanged,
  reason: string,
) =>
  ctx.write(
    async (tx) => {
      const invoice = await heldWithin(ctx, tx, await find(tx), 'edit_invoice')
      if (invoice.reversed) throw refuse(409, 'invoice_is_reversed')
      // What was agreed is changed by agreeing on something else.
      if (invoice.plan_id !== null) throw refuse(409, 'installment_in_plan')
      const { installments, settled, currency } = invoice
      const { parts, reasons } = to({ parts: installments, settled, currency, today: await todayIn(tx) }, invoice)
      // What is sent is one part: its fields are said as they are called there.
      const said = reasons.map((one) => ({ ...one, field: one.field?.replace(/^installments\.\d+\./, '') ?? null }))
      if (said.length) throw new Refusal(said.some((one) => one.field !== null) ? 422 : 409, said)
      await setInstalments(ctx, tx, invoice, parts, { kind, reason })
      await sql`update invoices set version = version + 1 where id = ${invoice.id}`.execute(tx)
      await followDebts(ctx, tx, [invoice.payer_id])
      await tellAccounts(ctx, tx, [invoice.payer_id])
      return { data: await showInvoice(ctx, invoice.id) }
    },
    { reason },
  )
const at = (invoice: HeldInvoice, id: number): number => {
  const place = invoice.installments.findIndex((one) => one.id === id)
  if (place < 0) throw refuse(404, 'not_found')
  return place
}
async function invoiceOfInstalment(tx: Tx, id: number): Promise<number> {
  const { rows } = await sql<{ invoice_id: number }>`select invoice_id from installments where id = ${id}`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].invoice_id
}

/**
 * What happened with an invoice: entries of the ledger that changed what is open of it, and what its instalments became. What a
 * note did to them stands beside the note.
 */
async function history(ctx: Ctx, id: number) {
  const { rows } = await sql<{
    at: string
    kind: string
    number: string | null
    amount: number
    open: number
    by: string | null
    reason: string | null
    installments: { from: Instalment[]; to: Instalment[] } | null
  }>`
    with booked as (
      select e.created_at as at, e.id as entry, 0 as change, e.kind, case when e.source = 'invoice:' || t.id then t.number
          when e.source like 'note:%' then (select n.number from invoice_notes n where n.id = substr(e.source, 6)::int)
          when e.source like 'transaction:%' then (select coalesce(x.receipt, x.number) from transactions x where x.id = substr(e.source, 13)::int) end as number,
        sum(q.amount) as amount, e.created_by, e.reason, case when c.id is not null then json_build_object('from', c.parts_before, 'to', c.parts_after) end as installments
      from ${FROM} join ledger_postings q on q.invoice_id = t.id join ledger_entries e on e.id = q.entry_id
        left join installment_changes c on c.invoice_id = t.id and c.kind = 'note' and e.source = 'note:' || c.note_id
      where t.id = ${id} and ${invoicesOf(ctx, 'access_payment')} group by e.id, t.id, t.number, c.id
      union all
      select c.created_at, null, c.id, 'installments_' || c.kind, null, 0, c.created_by, c.reason, json_build_object('from', c.parts_before, 'to', c.parts_after)
      from ${FROM} join installment_changes c on c.invoice_id = t.id and c.kind not in ('note', 'reversed')
      where t.id = ${id} and ${invoicesOf(ctx, 'access_payment')})
    select x.at, x.kind, x.number, x.amount::float8 as amount, sum(x.amount) over (order by x.at, x.entry nulls last, x.change)::float8 as open,
      ${personIn(ctx)} as by, x.reason, x.installments
    from booked x left join users u on u.id = x.created_by order by x.at, x.entry nulls last, x.change`.execute(ctx.db)
  if (!rows.length) await showInvoice(ctx, id)
  return { data: rows }
}

const lineOf = async (ctx: Ctx, tx: Db | Tx, id: number, key: PermissionKey) => {
  const { rows } = await sql<InvoiceLine & { invoice_id: number; invoice: string; currency: string }>`
    select x.*, t.id as invoice_id, t.number as invoice, t.currency from ${FROM} join invoice_lines l on l.invoice_id = t.id
      cross join lateral json_to_record(${sql.raw(LINE('l'))}) x (id int, item text, name text, name_local text, quantity float8, unit_amount float8,
        amount float8, words json, account text)
    where l.id = ${id} and ${invoicesOf(ctx, key)}`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const word = (
  choices: readonly { value: string; label: readonly [string, string] }[],
  value: string,
  lang: 'ar' | 'en',
) => inLanguage(choices.find((one) => one.value === value)?.label ?? [value, value], lang)
/** The list as a sheet or on paper, at most as many rows as lists export. */
async function exported(
  ctx: Ctx,
  query: ListQuery & { ids?: number[] | undefined; lang?: 'ar' | 'en' | undefined },
  type: 'xlsx' | 'pdf',
) {
  const lang = query.lang ?? paperLang(ctx)
  const { data } = await listInvoices(
    ctx,
    { ...query, page: 1, perPage: EXPORT_LIMIT + 1 },
    'export_payment',
    query.ids,
  )
  const label = (key: keyof typeof invoiceFields) => inLanguage(invoiceFields[key].label, lang)
  const name = (one: { name: string; name_local?: string | null | undefined } | null) =>
    one ? (lang === 'ar' ? (one.name_local ?? one.name) : one.name) : null
  const amount = (key: 'charged' | 'settled' | 'open') => ({
    header: label(key),
    type: 'decimal' as const,
    text: (one: InvoiceRow) => (one[key] / 100).toFixed(2),
  })
  return tableFile(
    ctx,
    {
      title: inLanguage(['Invoices', 'الفواتير'], lang),
      name: 'Invoices',
      lang,
      columns: [
        { header: label('number'), type: 'text', text: (one) => one.number },
        {
          header: inLanguage(['Student code', 'كود الطالب'], lang),
          type: 'text',
          text: (one) => one.student?.code ?? one.payer?.code ?? null,
        },
        { header: label('student_id'), type: 'text', text: (one) => name(one.student ?? one.payer) },
        { header: label('faculty_id'), type: 'text', text: (one) => name(one.faculty) },
        { header: label('type'), type: 'text', text: (one) => word(INVOICE_TYPES, one.type, lang) },
        amount('charged'),
        amount('settled'),
        amount('open'),
        { header: label('currency'), type: 'text', text: (one) => one.currency },
        { header: label('state'), type: 'text', text: (one) => word(INVOICE_STATES, one.state, lang) },
        { header: label('issued_on'), type: 'date', text: (one) => one.issued_on },
        { header: label('due_date'), type: 'date', text: (one) => one.due_date },
      ],
      rows: data,
    },
    type,
  )
}

/** What somebody may be charged for beside the fees, and what comes of what was chosen: computed, nothing is written. */
async function offered(ctx: Ctx, student: number, items: readonly AskedItem[]) {
  await studentStandingOf(ctx, ctx.db, student, 'issue_invoice')
  const { facts, settings, priced } = await priceAsked(ctx.db, student, () => items, { hold: false })
  return {
    data: {
      offered: offeredItems(facts, settings).map(({ item: { id, code, name, name_local }, per, amount, currency }) => ({
        item_id: id,
        code,
        name,
        name_local,
        per: per as 'copy' | 'request',
        amount,
        currency,
      })),
      lines: priced.lines.map(({ item, amount, words }) => ({
        name: item.name,
        name_local: item.name_local,
        amount,
        words,
      })),
      currency: priced.currency,
      amount: priced.amount,
      refused: priced.reasons.map(toProblem),
    },
  }
}

/** Issues an invoice of items at their price, or of what somebody writes because no item is it. */
async function createExtra(ctx: Ctx, tx: Tx, student: number, body: ExtraBody) {
  const { items, lines, currency, installments, due_date, note = null } = body
  // Items have a price; an amount beside it would be a second one.
  const mixed = [
    ...(Boolean(items) === Boolean(lines) ? [{ field: 'items', code: 'extra_one_of' }] : []),
    ...(lines && !currency ? [{ field: 'currency', code: 'required' }] : []),
    ...(lines && !installments ? [{ field: 'installments', code: 'required' }] : []),
    ...(items && (currency || installments) ? [{ field: 'currency', code: 'extra_priced' }] : []),
  ]
  if (mixed.length) throw new Refusal(422, mixed)
  const standing = await studentStandingOf(ctx, tx, student, 'issue_invoice')
  const today = await todayIn(tx)
  if (items) {
    const asked = await priceAsked(tx, student, () => items)
    const { priced } = asked
    if (priced.reasons.length) throw new Refusal(409, priced.reasons)
    if (priced.currency === null || priced.amount === 0) throw refuse(409, 'invoice_nothing_due')
    const parts = [{ amount: priced.amount, due_date: due_date ?? addDays(today, LEAST_DAYS) }]
    const reasons = checkDueDays([], parts, { settled: 0, today }).map((one) => ({ ...one, field: 'due_date' }))
    if (reasons.length) throw new Refusal(422, reasons)
    const [issued] = await issueInvoices(ctx, tx, [askedDraft(asked, { type: 'extra', note, installments: parts })])
    return { data: { id: issued!.id, number: issued!.number } }
  }
  const total = lines!.reduce((sum, one) => sum + one.amount, 0)
  const reasons = [...checkInstalments(installments!, total), ...checkDueDays([], installments!, { settled: 0, today })]
  if (reasons.length) throw new Refusal(422, reasons)
  const [issued] = await issueInvoices(ctx, tx, [
    {
      ...standing,
      year_id: body.year_id ?? null,
      term_id: body.term_id ?? null,
      type: 'extra',
      currency: currency!,
      note,
      lines: lines!.map((line) => ({ ...line, item: 'extra', unit_amount: line.amount })),
      installments: installments!,
    },
  ])
  return { data: { id: issued!.id, number: issued!.number } }
}

export const invoiceHandlers: readonly Handled[] = [
  handle(invoiceCalls.list, (ctx, { body }) => listInvoices(ctx, body, 'access_payment')),
  handle(invoiceCalls.show, async (ctx, { params }) => ({ data: await showInvoice(ctx, params.id) })),
  handle(invoiceCalls.offered, (ctx, { params, body }) => offered(ctx, params.id, body.items)),
  handle(invoiceCalls.create, (ctx, { params, body }) => ctx.write((tx) => createExtra(ctx, tx, params.id, body))),
  handle(invoiceCalls.edit, (ctx, { params, body }) => edit(ctx, params.id, body)),
  handle(invoiceCalls.editPlain, (ctx, { body: { id, ...body } }) => edit(ctx, id, body)),
  handle(invoiceCalls.reverse, (ctx, { params, body }) =>
    ctx.write(
      async (tx) => {
        const invoice = await heldWithin(ctx, tx, params.id, 'reverse_invoice')
        const { released } = await reverseInvoice(ctx, tx, invoice, body.reason)
        return { data: { id: invoice.id, note: null, released } }
      },
      { reason: body.reason },
    ),
  ),
  handle(invoiceCalls.dueDate, (ctx, { params, body: { due_date, installment_id, reason } }) =>
    change(
      ctx,
      'due_date',
      async () => params.id,
      (of, invoice) => {
        const settled = settledOf(of.parts, of.settled)
        const next = of.parts.findIndex((one, i) => settled[i]! < one.amount)
        return editPart(of, installment_id ? at(invoice, installment_id) : Math.max(0, next), { due_date })
      },
      reason,
    ),
  ),
  handle(invoiceCalls.split, (ctx, { params, body: { reason, ...part } }) =>
    change(
      ctx,
      'split',
      async () => params.id,
      (of) => splitPart(of, part),
      reason,
    ),
  ),
  handle(invoiceCalls.installment, (ctx, { params, body: { reason, ...wanted } }) =>
    change(
      ctx,
      'edited',
      async () => params.id,
      (of, invoice) => editPart(of, at(invoice, params.id2), wanted),
      reason,
    ),
  ),
  handle(invoiceCalls.join, (ctx, { params, body: { reason } }) =>
    change(
      ctx,
      'removed',
      (tx) => invoiceOfInstalment(tx, params.id),
      (of, invoice) => removePart(of, at(invoice, params.id)),
      reason,
    ),
  ),
  handle(invoiceCalls.history, (ctx, { params }) => history(ctx, params.id)),
  handle(invoiceCalls.items, async (ctx, { params }) => {
    const { lines, notes } = await showInvoice(ctx, params.id)
    return {
      data: [
        ...lines.map((line) => ({ ...line, note: null })),
        ...notes.flatMap((note) => note.lines.map((line) => ({ ...line, note: note.number }))),
      ],
    }
  }),
  handle(invoiceCalls.item, async (ctx, { params }) => ({
    data: await lineOf(ctx, ctx.db, params.id, 'access_payment'),
  })),
  handle(invoiceCalls.editItem, async (ctx, { params, body: { amount, name, name_local, reason } }) => {
    const { invoice_id } = await lineOf(ctx, ctx.db, params.id, 'edit_invoice')
    return edit(ctx, invoice_id, { lines: [{ id: params.id, amount, name, name_local }], added: [], reason })
  }),
  handle(invoiceCalls.editAmount, async (ctx, { params, body: { amount, reason } }) => {
    const { invoice_id } = await lineOf(ctx, ctx.db, params.id, 'edit_invoice')
    return edit(ctx, invoice_id, { lines: [{ id: params.id, amount }], added: [], reason })
  }),
  handle(invoiceCalls.exportExcel, (ctx, { body }) => exported(ctx, body, 'xlsx')),
  handle(invoiceCalls.exportPdf, (ctx, { body }) => exported(ctx, body, 'pdf')),
]
