import { requireWhole } from '#areas/money/ledger/reach.server.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { asRefusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { patternOf, ref } from '#kit/server/base/sql.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { TableFormat } from '../files/columns.rules.ts'
import { batch, batchCalls, batchNumbers, batchSteps, LINE_STATES } from './batch.contract.ts'
import type { BatchDetail, BatchRow, MatchCandidate } from './batch.contract.ts'
import { deleteBatch, explainLine, saveBatch, saveFacts } from './book.server.ts'
import { learnHandlers } from './learn.server.ts'
import { awaitedBy, bankOf, claimedBy, judgeBatch, paidBeside, readBatch } from './preview.server.ts'
import {
  invoiceOf,
  lineAbilities,
  LINE_COLUMNS,
  LINES,
  payerOf,
  problemOf,
  readLines,
  shownLine,
  UNEXPLAINED,
} from './rows.server.ts'
import type { ReadLine } from './rows.server.ts'

/** A file as large as this is read by a job. */
const LARGE = 200_000
/** A file of so many lines is saved and deleted by a job. */
const MANY = 1500

export const batches = serveWorkflow(batch, batchSteps, {
  table: 'batches',
  scope: () => ({}),
  seen: ['access_batch'],
  nameOf: 't.number',
  enteredByOfficer: true,
  facts: async (_ctx, tx, ids, action) => (action === 'save' ? saveFacts(tx, ids) : new Map()),
  heavy: async (_ctx, tx, id) => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from batch_lines where batch_id = ${id}`.execute(tx)
    return firstRow(rows).n > MANY
  },
  effect: async (ctx, tx, moved) => {
    for (const { id, to, from, reason } of moved)
      if (to === 'saved') await saveBatch(ctx, tx, id)
      else await deleteBatch(ctx, tx, id, reason ?? '', from === 'saved')
  },
})

// --- What is read ---------------------------------------------------------------------------------------------------

const SUMS = sql`(select coalesce(json_object_agg(l.state, json_build_object('lines', l.lines, 'amount', l.amount)), '{}') from (
  select state, count(*)::int as lines, coalesce(sum(case when direction = 'in' then amount else -amount end), 0)::float8 as amount
  from batch_lines where batch_id = t.id group by state) l)`
const COLUMNS = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`t.id, t.version, t.number, t.file_name, t.format, t.status, ${ref('k')} as bank, c.code as currency,
  d.first::text as "from", d.last::text as "to", t.created_at, ${SUMS} as sums, ${batches.column(ctx)} as __steps`
const FROM = sql`batches t join banks k on k.id = t.bank_id join currencies c on c.id = k.currency_id
  cross join lateral (select min(booked_on) as first, max(booked_on) as last from batch_lines where batch_id = t.id) d`
type ReadBatch = Omit<BatchRow, 'abilities' | 'refused' | 'created_at' | 'sums'> & {
  readonly created_at: Date | string
  readonly sums: Record<string, { lines: number; amount: number }>
  readonly __steps: Parameters<typeof batches.open>[2]
}
const shownBatch = (ctx: Ctx, { __steps, created_at, ...row }: ReadBatch): BatchRow => {
  const none = { lines: 0, amount: 0 }
  return {
    ...row,
    created_at: new Date(created_at).toISOString(),
    sums: Object.fromEntries(LINE_STATES.map(({ value }) => [value, row.sums[value] ?? none])) as BatchRow['sums'],
    ...batches.open(ctx, row.status as never, __steps),
  }
}

async function readDetail(ctx: Ctx, db: Db | Tx, id: number): Promise<BatchDetail> {
  const { rows } = await sql<
    ReadBatch & {
      file: { id: number; name: string; size: number }
      notes: (Reason & { line: number | null })[]
      problem: Reason | null
      asks: BatchDetail['asks']
      table: TableFormat | null
      statements: BatchDetail['statements']
      booked: BatchDetail['booked']
    }
  >`select ${COLUMNS(ctx)}, json_build_object('id', f.id, 'name', f.name, 'size', f.size) as file, t.notes, t.problem, t.asks,
      t.table_format as table, t.statements, (select json_build_object(
        'payments', json_build_object('lines', count(*) filter (where n.status = 'paid'), 'amount', coalesce(sum(l.amount) filter (where n.status = 'paid'), 0)),
        'unexplained', json_build_object('lines', count(*) filter (where l.entry_id is not null and n.id is null),
          'amount', coalesce(sum(l.amount) filter (where l.entry_id is not null and n.id is null), 0)))
        from batch_lines l left join transactions n on n.id = l.transaction_id where l.batch_id = t.id and l.live and l.direction = 'in' and l.state <> 'not_booked') as booked
    from ${FROM} join files f on f.id = t.file_id where t.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { file, notes, problem, asks, table, statements, booked, ...rest } = row
  return {
    ...shownBatch(ctx, rest),
    file: { ...file, url: ctx.services.files.link(file, ctx.actor!) },
    notes: notes.map(({ line, ...reason }) => ({ line, ...toProblem(reason) })),
    problem: problemOf(problem),
    asks,
    table,
    statements,
    booked,
  }
}

const LINE_SORT = { line: sql`t.line`, booked_on: sql`t.booked_on`, amount: sql`t.amount` } as const
const inList = (column: string) => (value: unknown) => {
  const values = (Array.isArray(value) ? value : [value]).map(String)
  return sql`${sql.raw(column)} = any(${values}::text[])`
}
const idIn = (column: string) => (value: unknown) => {
  const ids = (Array.isArray(value) ? value : [value])
    .map(Number)
    .filter((one) => Number.isSafeInteger(one) && one > 0 && one < 2 ** 31)
  return sql`${sql.raw(column)} = any(${ids}::int[])`
}
const lineSource = (where: RawBuilder<unknown>[], order: ListSource['order']): ListSource => ({
  from: LINES,
  select: LINE_COLUMNS,
  where,
  search: [`fold_text(concat_ws(' ', t.reference, t.counterparty, t.description, t.bank_reference))`],
  sort: LINE_SORT,
  order,
  filters: {
    state: inList('t.state'),
    bank_id: idIn('t.bank_id'),
    unexplained: (value) => (value ? sql.raw(UNEXPLAINED) : sql`not ${sql.raw(UNEXPLAINED)}`),
  },
})

// --- Reading a file -------------------------------------------------------------------------------------------------

interface ReadTask {
  readonly id: number
  readonly said: Partial<TableFormat> | null
}
/** Why a file cannot be read stands with the batch, for who comes back to it. */
async function readOrTell(ctx: Ctx, { id, said }: ReadTask, progress?: Parameters<typeof readBatch>[3]): Promise<void> {
  try {
    await readBatch(ctx, id, said, progress)
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal && refusal.status === 422)
      await ctx.write((tx) =>
        sql`update batches set status = 'failed', problem = ${JSON.stringify(refusal.reasons[0])}::jsonb where id = ${id} and status in ('reading', 'columns', 'failed', 'previewed')`.execute(
          tx,
        ),
      )
    throw error
  }
}
export const readJob = defineJob<ReadTask, { readonly id: number }>({
  name: 'batch-read',
  run: async (ctx, task, progress) => {
    await readOrTell(ctx, task, progress)
    return { id: task.id }
  },
})

async function previewOf(ctx: Ctx, id: number, job_id: string | null) {
  const detail = await readDetail(ctx, ctx.db, id)
  const may = reachesAll(ctx, 'import_batch')
  const lines = detail.status === 'previewed' ? await readLines(ctx.db, sql`t.batch_id = ${id}`) : []
  return {
    success: detail.status === 'previewed',
    // By it the file is saved: `import_save/{archive_id}`.
    archive_id: detail.id,
    paymentsData: { batch: detail, lines: lines.map((line) => shownLine(line, may)), job_id },
  }
}
/** Reads now what is small, and by a job what is large. */
async function readSoon(ctx: Ctx, task: ReadTask, bytes: number): Promise<string | null> {
  if (bytes <= LARGE) {
    await readOrTell(ctx, task)
    return null
  }
  return ctx.write((tx) => ctx.services.jobs.send(tx, readJob, task, { actor: ctx.actor, lang: ctx.lang }))
}

// --- Lines ----------------------------------------------------------------------------------------------------------

type HeldLine = ReadLine & { batch_id: number; bank_id: number; fingerprint: string; bank_reference: string | null }
/** A line, held with its batch: of two people who say whose it is, one is told what the other said. */
async function holdLine(tx: Tx, id: number, version: number | undefined): Promise<HeldLine> {
  const { rows: held } = await sql<{
    batch_id: number
    bank_id: number
    fingerprint: string
    bank_reference: string | null
  }>`select x.id as batch_id, x.bank_id, t.fingerprint, t.bank_reference
    from batch_lines t join batches x on x.id = t.batch_id where t.id = ${id} for no key update of x`.execute(tx)
  if (!held[0]) throw refuse(404, 'not_found')
  await sql`select from batch_lines where id = ${id} for no key update`.execute(tx)
  const [line] = await readLines(tx, sql`t.id = ${id}`)
  if (version !== undefined && line!.version !== version) throw refuse(409, 'batch_line_changed')
  return { ...line!, ...held[0] }
}
async function requirePayer(
  tx: Tx,
  payer_id: number,
  invoice_id: number | null,
  currency: string | null,
): Promise<void> {
  const { rows } = await sql<{
    payer: boolean
    invoice: boolean
  }>`select exists (select from payers p left join students s on s.id = p.student_id and s.removed_at is null
      where p.id = ${payer_id} and (s.id is not null or p.student_id is null)) as payer,
    (${invoice_id}::int is null or exists (select from invoices i where i.id = ${invoice_id}::int and i.payer_id = ${payer_id} and i.currency = ${currency} and i.reversed_at is null)) as invoice`.execute(
    tx,
  )
  if (!firstRow(rows).payer) throw refuse(422, 'batch_payer_unknown', {}, 'payer_id')
  if (!firstRow(rows).invoice) throw refuse(422, 'batch_invoice_of_other', {}, 'invoice_id')
}

export const batchHandlers: readonly Handled[] = [
  ...batches.handlers,
  handle(batchCalls.list, async (ctx, { body }) => {
    requireWhole(ctx, 'access_batch')
    const { data, meta } = await pagedList<ReadBatch>(
      ctx,
      {
        from: FROM,
        select: COLUMNS(ctx),
        where: [],
        search: ['t.search_text'],
        sort: { number: 't.id', created_at: 't.created_at' },
        order: ['number', 'desc'],
        filters: { status: inList('t.status'), bank_id: idIn('t.bank_id') },
      },
      body,
    )
    return { data: data.map((row) => shownBatch(ctx, row)), meta }
  }),
  handle(batchCalls.show, async (ctx, { params: { id }, body }) => {
    requireWhole(ctx, 'access_batch')
    const data = await readDetail(ctx, ctx.db, id)
    const { data: lines, meta } = await pagedList<ReadLine>(
      ctx,
      lineSource([sql`t.batch_id = ${id}`], ['line', 'asc']),
      body,
    )
    const may = reachesAll(ctx, data.status === 'saved' ? 'save_batch' : 'import_batch')
    return { data, lines: lines.map((line) => shownLine(line, may)), meta: { count: meta.count, lookup: {} } }
  }),
  handle(batchCalls.lines, async (ctx, { body }) => {
    requireWhole(ctx, 'access_batch')
    const [saves, imports] = [reachesAll(ctx, 'save_batch'), reachesAll(ctx, 'import_batch')]
    // Of one file all of them; else those that count among what the banks said.
    const { batch_id, ...filters } = body.filters
    const where = batch_id === undefined || batch_id === null ? sql`t.live` : idIn('t.batch_id')(batch_id)
    const { data, meta } = await pagedList<ReadLine>(ctx, lineSource([where], ['booked_on', 'desc']), {
      ...body,
      filters,
    })
    return { data: data.map((line) => shownLine(line, line.batch_status === 'saved' ? saves : imports)), meta }
  }),
  handle(batchCalls.preview, async (ctx, { body: { bank_id }, file }) => {
    requireWhole(ctx, 'import_batch')
    const { rows } = await sql<{
      is_active: boolean
    }>`select is_active from banks where id = ${bank_id} and removed_at is null`.execute(ctx.db)
    if (!rows[0]) throw refuse(422, 'lookup_not_found', {}, 'bank_id')
    const kept = await ctx.services.files.save(ctx, file!)
    const hash = createHash('sha256').update(file!.content).digest('hex')
    const id = await ctx.write(async (tx) => {
      const { text } = await takeSerial(tx, batchNumbers)
      const { rows: made } = await sql<{ id: number }>`insert into batches (number, bank_id, file_id, file_name, hash)
        values (${text}, ${bank_id}, ${kept.id}, ${kept.name}, ${hash}) returning id`.execute(tx)
      await batches.begin(ctx, tx, made[0]!.id, 'reading')
      return made[0]!.id
    })
    return previewOf(ctx, id, await readSoon(ctx, { id, said: null }, file!.content.byteLength))
  }),
  handle(batchCalls.columns, async (ctx, { params: { id }, body }) => {
    requireWhole(ctx, 'import_batch')
    const { rows } = await sql<{
      status: string
      number: string
      size: number
    }>`select t.status, t.number, f.size from batches t join files f on f.id = t.file_id
      where t.id = ${id}`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    if (!['columns', 'failed', 'previewed'].includes(rows[0].status))
      throw refuse(409, 'batch_over', { number: rows[0].number })
    return previewOf(ctx, id, await readSoon(ctx, { id, said: body }, rows[0].size))
  }),
  handle(batchCalls.line, async (ctx, { params: { id }, body }) =>
    ctx.write(
      async (tx) => {
        const line = await holdLine(tx, id, body.version)
        const key = line.batch_status === 'saved' ? 'save_batch' : 'import_batch'
        requireWhole(ctx, key)
        if (!lineAbilities(line).includes(body.do))
          throw refuse(409, line.batch_status === 'previewed' ? 'batch_line_stays' : 'batch_line_booked')
        if (body.do === 'match') {
          await requirePayer(tx, body.payer_id, body.invoice_id ?? null, line.currency)
          await refuseOwn(ctx, tx, sql`${body.payer_id}::int`)
          // A slip of the payer waits for just this money: it is that payment, and not another one.
          const slip = await awaitedBy(tx, body.payer_id, line, await paidBeside(tx, line))
          await sql`update batch_lines set state = 'matched', match_by = 'person', matched_at = now(), why = null, payer_id = ${body.payer_id}, invoice_id = ${body.invoice_id ?? null},
            transaction_id = case when live then transaction_id else ${slip}::int end where id = ${id}`.execute(tx)
          if (line.batch_status === 'saved') await explainLine(ctx, tx, id, slip)
        } else if (body.do === 'leave') {
          const why = {
            code: 'batch_left_by_hand',
            data: { reason: body.reason, was: line.state },
            ...(line.state === 'wrong' && { unread: true }),
          }
          await sql`update batch_lines set state = 'not_booked', why = ${JSON.stringify(why)}::jsonb, match_by = null, payer_id = null, invoice_id = null, transaction_id = null
            where id = ${id}`.execute(tx)
        } else await judgeAgain(tx, line)
        return { data: shownLine((await readLines(tx, sql`t.id = ${id}`))[0]!, true) }
      },
      { reason: body.do === 'leave' ? body.reason : null },
    ),
  ),
  handle(batchCalls.candidates, async (ctx, { params: { id }, body: { search } }) => {
    requireWhole(ctx, 'import_batch')
    const [line] = await readLines(ctx.db, sql`t.id = ${id}`)
    if (!line) throw refuse(404, 'not_found')
    if (!search) {
      // A slip may have been uploaded since the file was read.
      const { rows } = await sql<{
        bank_id: number
        bank_reference: string | null
      }>`select bank_id, bank_reference from batch_lines where id = ${id}`.execute(ctx.db)
      const { proposals } = shownLine(line, false)
      const claims = await claimedBy(ctx.db, { ...line, ...firstRow(rows) })
      const { rows: payers } = await sql<{
        payer: MatchCandidate['payer'] | null
      }>`select ${sql.raw(payerOf('x'))} as payer from unnest(${claims}::int[]) x`.execute(ctx.db)
      return {
        data: [
          ...payers.flatMap(({ payer }) =>
            payer && !proposals.some((proposal) => proposal.payer.id === payer.id && proposal.why === 'slip')
              ? [{ payer, invoice: null, why: 'slip' as const }]
              : [],
          ),
          ...proposals,
        ],
      }
    }
    return { data: await findPayers(ctx.db, search, line.currency) }
  }),
  ...learnHandlers,
]

/** Why a duplicate is not money that came in, however often the bank tells it: as its first line says. null: it came in. */
async function whyNever(tx: Tx, line: HeldLine): Promise<Reason | null> {
  const { rows } = await sql<{
    why: Reason | null
  }>`select first.why from batch_lines t join batch_lines first on first.id = t.duplicate_of
    where t.id = ${line.id} and first.why ->> 'code' in ('batch_outgoing', 'batch_reversal')`.execute(tx)
  return rows[0]?.why ?? (line.direction === 'out' ? { code: 'batch_outgoing' } : null)
}

/** The line as the program sees it; a duplicate becomes a payment of its own, with a place of its own among those that are alike. */
async function judgeAgain(tx: Tx, line: HeldLine): Promise<void> {
  const bank = await bankOf(tx, line.bank_id)
  if (line.why?.code === 'batch_left_by_hand' && line.why.data?.was === 'wrong') throw refuse(409, 'batch_line_stays')
  const one: Parameters<typeof judgeBatch>[2][number] = {
    line: { ...line, statement: 0, reversal: false, pending: false, wrong: null },
    state: 'unmatched',
    why: null,
    match_by: null,
    payer_id: null,
    invoice_id: null,
    transaction_id: null,
    proposals: [],
  }
  const never = await whyNever(tx, line)
  if (never) Object.assign(one, { state: 'not_booked', why: never })
  else await judgeBatch(tx, bank, [one], { paid: await paidBeside(tx, line) })
  await sql`update batch_lines set state = ${one.state}, why = ${one.why && JSON.stringify(one.why)}::jsonb, match_by = ${one.match_by}, payer_id = ${one.payer_id},
    invoice_id = ${one.invoice_id}, transaction_id = ${one.transaction_id}, proposals = ${JSON.stringify(one.proposals)}::jsonb, duplicate_of = null,
    ordinal = case when ${line.state === 'duplicate'} then (select max(l.ordinal) + 1 from batch_lines l
      where l.fingerprint = ${line.fingerprint} and l.bank_id = ${line.bank_id} and (l.live or l.batch_id = ${line.batch_id})) else ordinal end
    where id = ${line.id}`.execute(tx)
}

/** Payers by code, name or number of an invoice, each with what is open of it in the currency of the line. */
async function findPayers(db: Db | Tx, search: string, currency: string | null): Promise<MatchCandidate[]> {
  const words = search.split(/\s+/).filter(Boolean).slice(0, 6)
  const { rows } = await sql<MatchCandidate>`
    with found as (
      select p.id as payer_id, null::int as invoice_id, 1 as rank from students s join payers p on p.student_id = s.id and p.main
      where s.removed_at is null and ${sql.join(
        words.map((word) => sql`s.search_text like ${patternOf(word)}`),
        sql` and `,
      )} order by s.code limit 20),
    sponsored as (
      select p.id as payer_id, null::int as invoice_id, 1 as rank from sponsors o join payers p on p.sponsor_id = o.id
      where o.removed_at is null and ${sql.join(
        words.map((word) => sql`o.search_text like ${patternOf(word)}`),
        sql` and `,
      )} order by o.code limit 10),
    applying as (
      select p.id as payer_id, null::int as invoice_id, 1 as rank from applicants q join payers p on p.applicant_id = q.id
      where q.removed_at is null and ${sql.join(
        words.map((word) => sql`q.search_text like ${patternOf(word)}`),
        sql` and `,
      )} order by q.code limit 10),
    working as (
      select p.id as payer_id, null::int as invoice_id, 1 as rank from users u join payers p on p.user_id = u.id and p.main
        left join instructors n on n.user_id = u.id and n.removed_at is null
      where u.removed_at is null and ${sql.join(
        words.map((word) => sql`(u.search_text like ${patternOf(word)} or n.search_text like ${patternOf(word)})`),
        sql` and `,
      )} order by u.name limit 10),
    visiting as (
      select p.id as payer_id, null::int as invoice_id, 1 as rank from guests v join payers p on p.guest_id = v.id
      where v.removed_at is null and ${sql.join(
        words.map((word) => sql`v.search_text like ${patternOf(word)}`),
        sql` and `,
      )} order by v.id desc limit 10),
    others as (select * from sponsored union all select * from applying union all select * from working union all select * from visiting),
    named as (
      select i.payer_id, i.id as invoice_id, 0 as rank from invoices i where i.currency = ${currency} and i.reversed_at is null
        and i.search_text like ${patternOf(search)} order by i.id desc limit 10),
    owed as (select f.payer_id, i.id as invoice_id, 1 as rank from (select * from found union all select * from others) f join invoices i on i.payer_id = f.payer_id and i.currency = ${currency} and i.reversed_at is null
      join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged)
    select ${sql.raw(payerOf('x.payer_id'))} as payer, ${sql.raw(invoiceOf('x.invoice_id'))} as invoice, 'search' as why
    from (select * from named union select * from owed union select * from found union select * from others) x order by x.rank, x.payer_id, x.invoice_id nulls last limit 40`.execute(
    db,
  )
  return rows.filter((row) => row.payer !== null)
}
