/** Issues the next invoices of students: one, a selection or a faculty; and keeps issued ones in step with what changed. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { priceLines, type Priced } from '#areas/money/fees/pricing.rules.ts'
import { feeFacts, feeSettingsOf, type StudentFacts } from '#areas/money/fees/settings.server.ts'
import type { YearSettings } from '#areas/money/fees/settings/settings.rules.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { dayOf } from '#kit/contract/day.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { DraftLine } from '../invoice.rules.ts'
import { holdInvoice, issueInvoices, writeNote, type DraftInvoice } from '../issue.server.ts'
import { draftLines, draftNext, noteLines, type InvoiceDraft } from './draft.rules.ts'
import { nextCalls, type DraftWire, type NextFor, type NextResult } from './next.contract.ts'

/** Students whose invoices are issued in one transaction. */
const PORTION = 500
/** Students who are named of each reason. */
const MOST_NAMED = 10
/** So many invoices are named that stand against others. */
const FEW = 3

/** What invoices of a year have already: items that are charged once in it, and what of grants was used, by payer. */
interface Used {
  readonly payer_id: number
  readonly items: readonly number[]
  readonly grants: Readonly<Record<string, number>>
  /** No earlier invoice of a term, and no deposit: the next is the first. Of one that is computed anew: it has a deposit. */
  readonly first: boolean
}
/**
 * @param but invoices that do not count: they are computed anew
 * @param term_id of which term the next invoice is
 * @param all also what other payers have who are the same student: what one record was charged once, the other one is not
 */
export async function usedOf(
  tx: Db | Tx,
  payers: readonly number[],
  year_id: number,
  {
    but = [],
    all = false,
    term_id = null,
  }: { readonly but?: readonly number[]; readonly all?: boolean; readonly term_id?: number | null } = {},
): Promise<Map<number, Used>> {
  const { rows } = await sql<Used>`
    with lines as (
      select p.id as payer_id, l.rule, l.grant_id, l.amount
      from payers p join payers q on q.student_id = p.student_id and (${all} or q.id = p.id)
        join invoices i on i.payer_id = q.id join invoice_lines l on l.invoice_id = i.id
      where p.id = any(${[...payers]}::int[]) and i.year_id = ${year_id} and i.reversed_at is null and not i.id = any(${[...but]}::int[])
        and l.rule ? 'key'
    )
    select p.id as payer_id,
      array(select (l.rule ->> 'item_id')::int from lines l where l.payer_id = p.id and l.rule ->> 'per' = 'year' group by 1 having sum(l.amount) > 0) as items,
      coalesce((select json_object_agg(g.grant_id, g.used) from (select l.grant_id, -sum(l.amount) as used from lines l
        where l.payer_id = p.id and l.grant_id is not null group by l.grant_id) g), '{}') as grants,
      case when exists (select from invoices i where i.payer_id = p.id and i.id = any(${[...but]}::int[]))
        then exists (select from invoices i join invoice_lines l on l.invoice_id = i.id and l.account = 'deposit'
          where i.payer_id = p.id and i.id = any(${[...but]}::int[]))
        else not exists (select from payers q join invoices i on i.payer_id = q.id and i.reversed_at is null
          where (q.id = p.id or q.student_id = p.student_id) and (
            exists (select from invoice_lines l where l.invoice_id = i.id and l.account = 'deposit')
            or (i.year_id = ${year_id} and i.type in ('tuition', 'hours', 'summer')
              and (select t.start_date from terms t where t.id = i.term_id) < (select t.start_date from terms t where t.id = ${term_id}::int))))
        end as first
    from payers p where p.id = any(${[...payers]}::int[])`.execute(tx)
  return new Map(rows.map((row) => [row.payer_id, row]))
}
export const withUsed = (facts: StudentFacts, used: Used | undefined): StudentFacts => ({
  ...facts,
  charged_items: used?.items ?? [],
  entering: (used?.first ?? false) && facts.entry_year_id != null && facts.entry_year_id === facts.year_id,
  grants: facts.grants.map((one) => ({ ...one, used: used?.grants[one.id] ?? 0 })),
})

interface Considered {
  readonly student_id: number
  readonly payer_id: number
  readonly facts: StudentFacts | undefined
  readonly draft: InvoiceDraft | null
  readonly reasons: readonly Reason[]
}
interface Period {
  readonly term_id: number
  readonly year_id: number
}
/** What the next invoices of students would be; whoever issues holds the payers. */
async function considerNext(
  tx: Db | Tx,
  students: readonly { readonly id: number; readonly payer_id: number }[],
  { term_id, year_id }: Period,
  settings: YearSettings | null,
  today = dayOf(),
): Promise<Considered[]> {
  const payers = students.map((student) => student.payer_id)
  const facts = await feeFacts(
    tx,
    students.map((student) => student.id),
    { term_id },
  )
  const used = await usedOf(tx, payers, year_id, { all: true, term_id })
  const { rows: issued } = await sql<{ payer_id: number; number: string }>`select p.id as payer_id, i.number
    from payers p join payers q on q.student_id = p.student_id join invoices i on i.payer_id = q.id
    where p.id = any(${payers}::int[]) and i.year_id = ${year_id} and i.term_id = ${term_id} and i.reversed_at is null
      and i.type in ('tuition', 'hours', 'summer')`.execute(tx)
  const there = new Map(issued.map((one) => [one.payer_id, one.number]))
  return students.map(({ id: student_id, payer_id }) => {
    const number = there.get(payer_id)
    const one = facts.get(student_id)
    const of = { student_id, payer_id, facts: one }
    if (!settings) return { ...of, draft: null, reasons: [{ code: 'invoice_no_settings' }] }
    if (!one) return { ...of, draft: null, reasons: [{ code: 'not_found' }] }
    const { draft, reasons } = draftNext(withUsed(one, used.get(payer_id)), settings, today)
    return number === undefined
      ? { ...of, draft, reasons }
      : { ...of, draft: null, reasons: [{ code: 'invoice_there', data: { number } }] }
  })
}
const invoiceOf = (
  { payer_id, facts, draft }: Considered,
  { term_id, year_id }: Period,
  settings: YearSettings,
): DraftInvoice => ({
  payer_id,
  year_id,
  term_id,
  type: draft!.type,
  currency: draft!.currency,
  faculty_id: facts!.faculty_id,
  program_id: facts!.program_id,
  level: facts!.level,
  setting_version_id: settings.version_id,
  basis: { facts },
  lines: draft!.lines,
  installments: draft!.installments,
})

/** The next invoices of students as they would be issued on a day; who has none is left out. */
export const draftNextOf = async (
  tx: Tx,
  students: Parameters<typeof considerNext>[1],
  period: Period,
  settings: YearSettings,
  today: string,
): Promise<DraftInvoice[]> =>
  (await considerNext(tx, students, period, settings, today)).flatMap((one) =>
    one.draft ? [invoiceOf(one, period, settings)] : [],
  )

async function periodOf(tx: Db | Tx, term_id: number): Promise<Period> {
  const { rows } =
    await sql<Period>`select id as term_id, year_id from terms where id = ${term_id} and removed_at is null`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
const toWire = (draft: InvoiceDraft | null): DraftWire | null =>
  draft && {
    ...draft,
    lines: draft.lines.map(({ account, item, name, name_local, quantity = 100, unit_amount, amount, rule }) => ({
      account,
      item,
      name,
      name_local,
      quantity,
      unit_amount,
      amount,
      words: (rule?.words as DraftWire['lines'][number]['words']) ?? null,
    })),
    installments: [...draft.installments],
  }
const hold = (tx: Tx, ids: readonly number[]) => holdPayers(tx, sql`select unnest(${[...ids]}::int[])`)

/** Students of a choice, within the reach of whoever asks, each with the payer. */
async function studentsFor(ctx: Ctx, { student_ids, faculty_id, program_id, level }: NextFor) {
  const { rows } = await sql<{ id: number; payer_id: number }>`
    select s.id, p.id as payer_id from students s join payers p on p.student_id = s.id and p.main
    where s.removed_at is null and s.status = 'studying' and ${scopeCondition(ctx, 'issue_invoice', studentReach(ctx, 's'))}
      and (${student_ids ? null : 1}::int is not null or s.id = any(${student_ids ?? []}::int[]))
      and (${faculty_id ?? null}::int is null or s.faculty_id = ${faculty_id ?? null}) and (${program_id ?? null}::int is null or s.program_id = ${program_id ?? null})
      and (${level ?? null}::int is null or s.level = ${level ?? null}) order by p.id`.execute(ctx.db)
  return rows
}

/** Issues, or only computes, the next invoices of many: some hundred students in each transaction, each student by itself. */
export const nextInvoicesJob = defineJob<NextFor, NextResult>({
  name: 'next-invoices',
  retries: 2,
  run: async (ctx, asked, progress) => {
    const period = await periodOf(ctx.db, asked.term_id)
    const students = await studentsFor(ctx, asked)
    const settings = await feeSettingsOf(ctx.db, period.year_id)
    const sums = new Map<string, { currency: string; count: number; gross: number; amount: number }>()
    const refused = new Map<string, { reason: Reason; count: number; ids: number[]; numbers: string[] }>()
    let issued = 0
    for (let at = 0; at < students.length; at += PORTION) {
      const portion = students.slice(at, at + PORTION)
      const done = asked.preview
        ? await considerNext(ctx.db, portion, period, settings)
        : await ctx.write(async (tx) => {
            await hold(
              tx,
              portion.map((one) => one.payer_id),
            )
            const all = await considerNext(tx, portion, period, settings)
            await issueInvoices(
              ctx,
              tx,
              all.filter((one) => one.draft).map((one) => invoiceOf(one, period, settings!)),
            )
            return all
          })
      for (const { student_id, draft, reasons } of done) {
        for (const reason of reasons) {
          const key = JSON.stringify([reason.code, reason.code === 'invoice_there' ? null : reason.data])
          const known = refused.get(key) ?? { reason, count: 0, ids: [], numbers: [] }
          known.count++
          if (typeof reason.data?.number === 'string') known.numbers.push(reason.data.number)
          if (known.ids.length < MOST_NAMED) known.ids.push(student_id)
          refused.set(key, known)
        }
        if (!draft) continue
        issued++
        const sum = sums.get(draft.currency) ?? { currency: draft.currency, count: 0, gross: 0, amount: 0 }
        sum.count++
        sum.gross += draft.gross
        sum.amount += draft.amount
        sums.set(draft.currency, sum)
      }
      await progress(Math.round(((at + portion.length) * 100) / students.length))
    }
    const { rows: named } = await sql<{ id: number; student: NextResult['refused'][number]['students'][number] }>`
      select s.id, ${ref('s')} as student from students s where s.id = any(${[...refused.values()].flatMap((one) => one.ids)}::int[])`.execute(
      ctx.db,
    )
    const names = new Map(named.map((one) => [one.id, one.student]))
    return {
      preview: asked.preview,
      students: students.length,
      issued,
      sums: [...sums.values()],
      refused: [...refused.values()]
        .toSorted((a, b) => b.count - a.count)
        .map(({ reason, count, ids, numbers }) => ({
          // Each has an invoice of its own: not that of the first is told of all.
          problem: toProblem(
            numbers.length > 1
              ? {
                  ...reason,
                  data: {
                    ...reason.data,
                    number: `${numbers.slice(0, FEW).join(', ')}${numbers.length > FEW ? ' …' : ''}`,
                  },
                }
              : reason,
          ),
          count,
          students: ids.flatMap((id) => names.get(id) ?? []),
        })),
    }
  },
})

export interface Outdated {
  readonly id: number
  readonly payer_id: number
  readonly student_id: number
  readonly term_id: number
  readonly year_id: number
  readonly number: string | null
}
/**
 * Invoices that charge the same person for the same term, the first one before the others: they are several where two records became
 * one, and are computed as one.
 */
async function ofTerm(tx: Db | Tx, { id, payer_id, term_id }: Outdated): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select i.id from payers p join payers q on q.student_id = p.student_id
      join invoices i on i.payer_id = q.id join invoices o on o.id = ${id} and o.currency = i.currency
    where p.id = ${payer_id} and i.term_id = ${term_id} and i.reversed_at is null and i.type in ('tuition', 'hours', 'summer')
    order by i.id`.execute(tx)
  return rows.map((row) => row.id)
}
/** How issued invoices stand by their prices: lines by what they are known by. */
async function standsByKey(tx: Tx, invoices: readonly number[]): Promise<Map<string, DraftLine>> {
  const { rows } = await sql<DraftLine & { key: string }>`
    select distinct on (l.rule ->> 'key') l.rule ->> 'key' as key, l.account, l.item, l.name, l.name_local, l.rule, l.unit_amount::float8 as unit_amount,
      sum(l.amount) over (partition by l.rule ->> 'key')::float8 as amount, l.registration_id, l.grant_id
    from invoice_lines l where l.invoice_id = any(${[...invoices]}::int[]) and l.rule ? 'key' order by l.rule ->> 'key', l.id`.execute(
    tx,
  )
  return new Map(rows.map(({ key, ...line }) => [key, line]))
}

/** What an invoice that is issued is priced from now: the settings it was issued with, and the facts of its student today. */
export async function pricedNow(
  tx: Db | Tx,
  one: Outdated,
): Promise<{ facts: StudentFacts; settings: YearSettings; priced: Priced } | null> {
  const settings = one.number === null ? null : await feeSettingsOf(tx, one.year_id, Number(one.number))
  const known = (await feeFacts(tx, [one.student_id], { term_id: one.term_id })).get(one.student_id)
  if (!settings || !known) return null
  const facts = withUsed(
    known,
    (await usedOf(tx, [one.payer_id], one.year_id, { but: [one.id, ...(await ofTerm(tx, one))], all: true })).get(
      one.payer_id,
    ),
  )
  return { facts, settings, priced: priceLines(facts, settings) }
}

/**
 * Brings an invoice to what it would charge now, at the prices that it was issued with, by a note. Nothing is edited.
 *
 * @returns the note; null: nothing differs
 */
export const reprice = async (ctx: Ctx, tx: Tx, one: Outdated): Promise<string | null> => {
  const done = await repriceAt(ctx, tx, one, {
    reason: 'Registrations or scholarships changed',
    reason_local: 'تغيّر التسجيل أو المنح',
  })
  return done === 'refused' ? null : done
}

/**
 * The same at the prices of a version (`number`), with the reason that is told.
 *
 * @returns the note; null: nothing differs; `refused`: it cannot be priced so, and stays as it is
 */
export async function repriceAt(
  ctx: Ctx,
  tx: Tx,
  one: Outdated,
  why: { readonly reason: string; readonly reason_local: string },
): Promise<string | null> {
  const invoice = await holdInvoice(tx, one.id)
  if (invoice.reversed) return 'refused'
  // Of several the first one follows for all of them.
  const together = await ofTerm(tx, one)
  if (together.length > 0 && together[0] !== one.id) return null
  const now = await pricedNow(tx, one)
  if (!now) return 'refused'
  const { priced } = now
  // What has no price any more is looked at by a person: the invoice stays as it was issued.
  if (priced.reasons.length || (priced.currency !== null && priced.currency !== invoice.currency)) return 'refused'
  const lines = noteLines(await standsByKey(tx, together.length ? together : [one.id]), draftLines(priced.lines))
  if (lines.reduce((sum, line) => sum + line.amount, 0) === 0) return null
  const note = await writeNote(ctx, tx, invoice, lines, why)
  return note.number
}

/** Invoices whose registrations or scholarships changed, each by itself; what fails stops no other, and is tried again next time. */
export const repriceJob = defineJob<Record<string, never>, { notes: number }>({
  name: 'reprice-invoices',
  cron: '* * * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Registrations or scholarships changed')
    const { rows } = await sql<Outdated>`
      select i.id, i.payer_id, p.student_id, i.term_id, i.year_id, v.number::text as number
      from outdated_invoices o join invoices i on i.id = o.invoice_id join payers p on p.id = i.payer_id
        left join fee_versions v on v.id = i.setting_version_id order by o.since limit 2000`.execute(services.db)
    let notes = 0
    const failed: unknown[] = []
    for (const row of rows)
      await ctx
        .write(async (tx) => {
          // What changes from now on outdates it again.
          await sql`delete from outdated_invoices where invoice_id = ${row.id}`.execute(tx)
          if (await reprice(ctx, tx, row)) notes++
        })
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) failed.push(error)
        })
    if (failed.length) throw failed[0]
    return { notes }
  },
})

export const nextHandlers: readonly Handled[] = [
  handle(nextCalls.one, async (ctx, { params, body }) => {
    const { rows } = await sql<{ id: number; payer_id: number }>`
      select s.id, p.id as payer_id from students s join payers p on p.student_id = s.id and p.main
      where s.id = ${params.id} and s.removed_at is null and ${scopeCondition(ctx, 'issue_invoice', studentReach(ctx, 's'))}`.execute(
      ctx.db,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    const { rows: current } = await sql<{
      term_id: number | null
    }>`select coalesce(${body.term_id ?? null}::int, ${currentTermId()}) as term_id`.execute(ctx.db)
    const term = current[0]?.term_id ?? null
    if (term === null) throw refuse(409, 'invoice_no_term')
    const period = await periodOf(ctx.db, term)
    const settings = await feeSettingsOf(ctx.db, period.year_id)
    if (body.preview) {
      const [one] = await considerNext(ctx.db, rows, period, settings)
      return {
        data: { draft: toWire(one!.draft), reasons: one!.reasons.map((reason) => toProblem(reason)), invoice: null },
      }
    }
    return ctx.write(async (tx) => {
      await hold(tx, [firstRow(rows).payer_id])
      const [one] = await considerNext(tx, rows, period, settings)
      if (!one!.draft) throw new Refusal(409, [...one!.reasons])
      const [invoice] = await issueInvoices(ctx, tx, [invoiceOf(one!, period, settings!)])
      return { data: { draft: toWire(one!.draft), reasons: [], invoice: { id: invoice!.id, number: invoice!.number } } }
    })
  }),
  handle(nextCalls.many, async (ctx, { body }) => ({
    job_id: await ctx.write((tx) =>
      ctx.services.jobs.send(tx, nextInvoicesJob, body, { actor: ctx.actor, lang: ctx.lang }),
    ),
  })),
]
