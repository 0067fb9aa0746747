/** Slips of banks: issued, handed in with the bank's stamp, looked at and booked; and money of banks that is entered by hand. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import { payersOf } from '#areas/money/ledger/post.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled, type Upload } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql, type RawBuilder } from 'kysely'
import { bookTransactions } from '../book.server.ts'
import {
  slip,
  slipCalls as calls,
  slipFields,
  slipNumbers,
  slipSteps,
  type SlipDetail,
  type SlipRow,
} from './slip.contract.ts'
import {
  SLIP_DAYS,
  checkEnter,
  checkIssue,
  checkUpload,
  isOutdated,
  referenceKey,
  type AcceptFacts,
  type IssueFacts,
} from './slip.rules.ts'

/** The student of the slip `t`, as it belongs now: whoever was merged. */
const STUDENT = sql`invoices i join payers p on p.id = i.payer_id join students s on s.id = p.student_id where i.id = t.invoice_id`
const reach = (ctx: Ctx): ScopeParts => {
  const { own, advised, taught, ...units } = studentReach(ctx, 's')
  const one = (part: unknown) => sql`(select ${part} from ${STUDENT})`
  const bound = (part: unknown) => sql`exists (select from ${STUDENT} and ${part})`
  return {
    ...(Object.fromEntries(Object.entries(units).map(([unit, part]) => [unit, one(part)])) as ScopeParts),
    own: bound(own),
    advised: bound(advised),
    taught: bound(taught),
  }
}
/** Time ends a slip that nobody has paid with. */
const STATE = `case when t.status = 'issued' and t.expires_on < university_today() then 'expired' else t.status end`

/** What is known of the money of a slip elsewhere. Holds the bank's account: its files are saved before or after. */
async function cameAlready(
  tx: Tx,
  of: { transaction_id: number | null; bank_id: number; amount: number; bank_reference: string; number: string | null },
): Promise<AcceptFacts> {
  await sql`select from banks where id = ${of.bank_id} for share`.execute(tx)
  const key = referenceKey(of.bank_reference)
  const keys = [key, ...(of.number === null ? [] : [referenceKey(of.number)])]
  const { rows } = await sql<{ used: boolean; line: AcceptFacts['line'] }>`select
    exists (select from transactions x where x.status = 'paid' and x.bank_id = ${of.bank_id} and x.bank_reference_key = ${key}
      and x.id is distinct from ${of.transaction_id}) as used,
    (select json_build_object('number', l.number, 'explained', l.transaction_id is not null)
      from bank_line_of(${of.bank_id}, ${of.amount}, ${keys}::text[], ${of.transaction_id}) l) as line`.execute(tx)
  return firstRow(rows)
}

/** The follow-up of the database writes no step while this workflow does. */
const stepping = async (tx: Tx, work: () => Promise<void>): Promise<void> => {
  await sql`select set_config('ems.slip_step', 'on', true)`.execute(tx)
  await work()
  await sql`select set_config('ems.slip_step', '', true)`.execute(tx)
}

export const slips = serveWorkflow(slip, slipSteps, {
  table: 'payment_slips',
  scope: reach,
  seen: ['access_slip'],
  nameOf: 't.number',
  // Who handed it in says that it was paid: somebody else looks.
  enteredByOfficer: true,
  own: (people) =>
    sql`(t.uploaded_by = any(${people}) or exists (select from ${STUDENT} and s.user_id = any(${people}))
      or exists (select from step_history h where h.workflow = 'slip' and h.record_id = t.id and h.action = 'upload' and h.impersonator_id = any(${people})))`,
  facts: async (_ctx, tx, ids, action) => {
    if (action !== 'accept') return new Map()
    const { rows } = await sql<{
      id: number
      number: string
      transaction_id: number
      bank_id: number
      amount: number
      bank_reference: string
    }>`select t.id, t.number, n.id as transaction_id, n.bank_id, n.amount::float8 as amount, coalesce(n.bank_reference, '') as bank_reference
      from payment_slips t join transactions n on n.id = t.transaction_id where t.id = any(${[...ids]}::int[]) order by t.id`.execute(
      tx,
    )
    const out = new Map<number, AcceptFacts>()
    for (const row of rows) out.set(row.id, await cameAlready(tx, row))
    return out
  },
  state: {
    read: STATE,
    write: (ctx, tx, moved) =>
      stepping(tx, async () => {
        const ids = moved.map((one) => one.id)
        const [{ to }] = moved as [(typeof moved)[number]]
        const { rows } = await sql<{
          transaction_id: number
          paid_on: string | null
        }>`select transaction_id, paid_on::text as paid_on
          from payment_slips where id = any(${ids}::int[]) order by id`.execute(tx)
        const money = rows.map((row) => row.transaction_id)
        if (to === 'accepted') {
          const booked = await bookTransactions(ctx, tx, money, {
            booked_on: new Map(rows.map((one) => [one.transaction_id, one.paid_on!])),
          })
          // The slip follows its money: of what was booked before it is accepted already.
          if (booked.some((one) => !one.booked)) throw refuse(409, 'slip_decided')
          await sql`update transactions set decided_by = ${ctx.actor?.user_id ?? null} where id = any(${money}::int[])`.execute(
            tx,
          )
        } else if (to === 'cancelled')
          await sql`update transactions set status = 'cancelled', reason = 'slip' where id = any(${money}::int[]) and status in ('new', 'pending', 'expired', 'failed')`.execute(
            tx,
          )
        else {
          await sql`update payment_slips t set status = 'rejected', rejected_reason = x.reason
            from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) x (id int, reason text) where t.id = x.id`.execute(
            tx,
          )
          await sql`update transactions set status = 'new' where id = any(${money}::int[]) and status = 'pending'`.execute(
            tx,
          )
        }
      }),
  },
  tells: {
    users:
      'array(select s.user_id from invoices i join payers p on p.id = i.payer_id join students s on s.id = p.student_id where i.id = t.invoice_id and s.user_id is not null)',
    student: '(select p.student_id from invoices i join payers p on p.id = i.payer_id where i.id = t.invoice_id)',
    data: `(select json_build_object('amount', to_char(n.amount / 100.0, 'FM9999999999990.00') || ' ' || n.currency) from transactions n where n.id = t.transaction_id)`,
    link: (id) => `/payment-slip/${id}`,
  },
})

// --- What is read ---------------------------------------------------------------------------------------------------

const FROM = sql`payment_slips t join transactions n on n.id = t.transaction_id join invoices i on i.id = t.invoice_id
  join banks k on k.id = n.bank_id join payers p on p.id = n.payer_id left join students s on s.id = p.student_id
  left join faculties f on f.id = s.faculty_id`
const COLUMNS = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`t.id, t.version, t.number, ${sql.raw(STATE)} as status, ${refOrNull('s')} as student,
  ${refOrNull('f')} as faculty, json_build_object('id', i.id, 'number', i.number, 'type', i.type) as invoice, t.part, ${ref('k')} as bank,
  n.currency, t.amount::float8 as amount, case when t.paid_on is not null then n.amount::float8 end as paid, t.paid_on::text as paid_on, n.bank_reference,
  t.issued_on::text as issued_on, t.expires_on::text as expires_on, t.uploaded_at, t.rejected_reason, n.id as transaction_id, ${slips.column(ctx)} as __steps`
const SORT = {
  number: 't.id',
  student_id: 's.name',
  status: `(${STATE})`,
  currency: 'n.currency',
  amount: 't.amount',
  bank_id: 'n.bank_id',
  faculty_id: 's.faculty_id',
  invoice_id: 't.invoice_id',
  paid_on: 't.paid_on',
  expires_on: 't.expires_on',
  uploaded_at: 't.uploaded_at',
}
const FILTER: Record<string, string> = { ...SORT, student_id: 's.id' }
const filters = Object.fromEntries(
  columnsOf(slipFields, FILTER).map((column) => [
    column.name,
    (value: unknown) => serverField(column.field).filter(column, value),
  ]),
)
const seen = (ctx: Ctx, keys: PermissionKey | readonly PermissionKey[] = 'access_slip') =>
  scopeCondition(ctx, keys, studentReach(ctx, 's'))

type Stored = Omit<SlipRow, 'abilities' | 'refused'> & { readonly __steps: Parameters<typeof slips.open>[2] }
const shown = (ctx: Ctx, { __steps, ...row }: Stored): SlipRow => ({ ...row, ...slips.open(ctx, row.status, __steps) })

async function list(ctx: Ctx, query: ListQuery) {
  const { data, meta } = await pagedList<Stored>(
    ctx,
    {
      from: FROM,
      select: COLUMNS(ctx),
      where: [seen(ctx)],
      search: ['t.search_text', 's.search_text', 'n.search_text'],
      sort: SORT,
      order: ['number', 'desc'],
      filters,
    },
    query,
  )
  return { data: data.map((row) => shown(ctx, row)), meta }
}

/** A slip, its stamped paper and what of its invoice is open now. */
export async function showSlip(ctx: Ctx, id: number, db: Db | Tx = ctx.db): Promise<SlipDetail> {
  const { rows } = await sql<
    Stored &
      Pick<SlipDetail, 'account_number' | 'iban' | 'open' | 'reversed'> & {
        file: Omit<NonNullable<SlipDetail['file']>, 'url'> | null
        __puts: boolean
      }
  >`select ${COLUMNS(ctx)}, k.account_number, k.iban, i.reversed_at is not null as reversed, coalesce(b.charged - b.settled, 0)::float8 as open,
      coalesce(${seen(ctx, ['pay_online', 'enter_payment'])}, false) as __puts,
      case when e.id is not null then json_build_object('id', e.id, 'name', e.name, 'size', e.size, 'mime', e.mime) end as file
    from ${FROM} left join invoice_balances b on b.invoice_id = i.id left join files e on e.id = t.file_id
    where t.id = ${id} and ${seen(ctx)}`.execute(db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { file, account_number, iban, open, reversed, __puts, ...rest } = row
  return {
    ...shown(ctx, rest),
    file: file && { ...file, url: ctx.services.files.link(file, ctx.actor!) },
    account_number,
    iban,
    open: reversed ? 0 : open,
    reversed,
    uploads: __puts && !['accepted', 'cancelled'].includes(row.status),
  }
}

// --- Issuing --------------------------------------------------------------------------------------------------------

interface Payable {
  readonly payer_id: number
  readonly currency: string
  readonly type: string
  readonly year_id: number | null
  readonly reversed: boolean
  readonly open: number
  readonly part: number | null
  readonly parts: number
}
/** An invoice within reach, or a part of it, and what of it is open; `hold` keeps it while the unit of work lasts. */
async function payableOf(
  ctx: Ctx,
  db: Db | Tx,
  invoice: number,
  installment: number | null,
  hold: boolean,
): Promise<Payable> {
  const { rows } = await sql<Payable & { found: boolean }>`
    select i.payer_id, i.currency, i.type, i.year_id, i.reversed_at is not null as reversed,
      coalesce(case when n.id is null then b.charged - b.settled else greatest(0, least(n.amount, n.until - b.settled)) end, 0)::float8 as open,
      n.position as part, (select count(*)::int from installments z where z.invoice_id = i.id) as parts,
      (${installment}::int is null or n.id is not null) as found
    from invoices i join payers p on p.id = i.payer_id join students s on s.id = p.student_id
      left join invoice_balances b on b.invoice_id = i.id
      left join lateral (select * from (select z.id, z.position, z.amount, sum(z.amount) over (order by z.position) as until
        from installments z where z.invoice_id = i.id) z where z.id = ${installment}::int) n on true
    where i.id = ${invoice} and ${seen(ctx, ['pay_online', 'decide_slip'])} ${hold ? sql`for no key update of i` : sql``}`.execute(
    db,
  )
  const [one] = rows
  if (!one?.found) throw refuse(404, 'not_found')
  // The only instalment is all of it.
  return { ...one, part: one.parts > 1 ? one.part : null }
}

interface Account {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly code: string
  readonly account_number: string
}
/** Accounts that the year names for what the invoice is for; else those that it names for the currency; else every one of it. */
async function accountsOf(db: Db | Tx, of: Pick<Payable, 'year_id' | 'type' | 'currency'>): Promise<Account[]> {
  const { rows } = await sql<Account & { rank: number }>`
    with named as (select a.bank_id, a.type = ${of.type} as fits, a.id from fee_accounts a where a.currency = ${of.currency} and a.version_id = (
      select v.id from fee_versions v where v.year_id = ${of.year_id}::int order by v.number desc limit 1))
    select k.id, k.name, k.name_local, k.code, k.account_number,
      case when exists (select from named a where a.bank_id = k.id and a.fits) then 0 when exists (select from named a where a.bank_id = k.id) then 1 else 2 end as rank
    from banks k join currencies c on c.id = k.currency_id
    where c.code = ${of.currency} and k.is_active and k.removed_at is null order by rank, k.name, k.id`.execute(db)
  return rows.filter((one) => one.rank === firstRow(rows).rank).map(({ rank: _rank, ...one }) => one)
}

const issue = (ctx: Ctx, of: { invoice_id: number; installment_id: number | null; bank_id: number | null }) =>
  ctx.write(async (tx) => {
    const payable = await payableOf(ctx, tx, of.invoice_id, of.installment_id, true)
    const { rows } = await sql<NonNullable<IssueFacts['live']> & { id: number }>`
      select t.id, t.number, ${sql.raw(STATE)} as status, t.amount::float8 as amount, t.part is not distinct from ${payable.part}::int as same
      from payment_slips t where t.invoice_id = ${of.invoice_id} and t.status in ('issued', 'uploaded')
        and (t.part is null or ${payable.part}::int is null or t.part = ${payable.part}::int) order by t.id for update`.execute(
      tx,
    )
    // Those whose time is over make room.
    const over = rows.filter((row) => row.status === 'expired')
    for (const { id } of over) {
      await sql`update payment_slips set status = 'expired' where id = ${id}`.execute(tx)
      await sql`insert into step_history (workflow, record_id, action, from_state, to_state) values ('slip', ${id}, 'expire', 'issued', 'expired')`.execute(
        tx,
      )
    }
    const live = rows.find((row) => row.status !== 'expired') ?? null
    const accounts = await accountsOf(tx, payable)
    const facts: IssueFacts = {
      ...payable,
      live,
      accounts: accounts.map((account) => account.id),
      bank_id: of.bank_id,
    }
    const reasons = checkIssue(facts)
    if (reasons.length) throw new Refusal(reasons.every((reason) => reason.field) ? 422 : 409, reasons)
    if (live && isOutdated(facts)) await slips.take(ctx, live.id, 'cancel')
    const { text: number } = await takeSerial(tx, slipNumbers)
    const expires_on = addDays(dayOf(), SLIP_DAYS)
    const { rows: made } = await sql<{ id: number }>`
      with money as (
        insert into transactions (payer_id, way, currency, amount, status, reference, invoice_id, installment_id, bank_id, expires_at, created_by)
        values (${payable.payer_id}, 'slip', ${payable.currency}, ${payable.open}, 'new', ${number}, ${of.invoice_id}, ${of.installment_id},
          ${of.bank_id ?? accounts[0]!.id}, ${expires_on}::date + 1, ${ctx.actor?.user_id ?? null}) returning id)
      insert into payment_slips (number, transaction_id, invoice_id, part, amount, expires_on)
      select ${number}, id, ${of.invoice_id}, ${payable.part}, ${payable.open}, ${expires_on} from money returning id`.execute(
      tx,
    )
    const { id } = made[0]!
    await slips.begin(ctx, tx, id, 'issued', { action: 'issue' })
    return { data: await showSlip(ctx, id, tx) }
  })

// --- Handing in, entering by hand -----------------------------------------------------------------------------------

interface Stamped {
  readonly paid_on: string
  readonly bank_reference: string
  readonly amount: number
}
const answerOf = async (ctx: Ctx, tx: Tx, transaction: number, slip_id: number | null) => {
  const { rows } = await sql<{
    id: number
    number: string
    status: string
  }>`select id, number, status from transactions where id = ${transaction}`.execute(tx)
  return { data: { ...firstRow(rows), slip: slip_id === null ? null : await showSlip(ctx, slip_id, tx) } }
}

/** Takes in what the bank stamped: the paper, its day, what the bank calls it and how much it was. */
const handIn = (ctx: Ctx, where: RawBuilder<unknown>, of: Stamped, file: Upload | null) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      id: number
      number: string
      status: string
      stored: string
      issued_on: string
      expires_on: string
      today: string
      transaction_id: number
      bank_id: number
      file_id: number | null
      other: string | null
    }>`select t.id, t.number, ${sql.raw(STATE)} as status, t.status as stored, t.issued_on::text as issued_on, t.expires_on::text as expires_on,
        university_today()::text as today, n.id as transaction_id, n.bank_id, t.file_id,
        (select o.number from payment_slips o where o.invoice_id = t.invoice_id and o.id <> t.id and o.parts && t.parts
          and (o.status = 'uploaded' or (o.status = 'issued' and o.expires_on >= university_today())) order by o.id limit 1) as other
      from payment_slips t join transactions n on n.id = t.transaction_id join payers p on p.id = n.payer_id join students s on s.id = p.student_id
      where ${where} and ${seen(ctx, ['pay_online', 'enter_payment'])} for update of t`.execute(tx)
    const [one] = rows
    if (!one) throw refuse(404, 'not_found')
    const { used } = await cameAlready(tx, { ...one, amount: of.amount, bank_reference: of.bank_reference })
    const reasons = checkUpload({ ...one, used, paid_on: of.paid_on })
    if (!file && one.file_id === null) reasons.push({ field: 'file', code: 'file_missing' })
    if (reasons.length) throw new Refusal(reasons.every((each) => each.field) ? 422 : 409, reasons)
    const kept = file ? await ctx.services.files.save(ctx, file, tx) : null
    // One whose time is over, of the same part, is no longer in the way.
    await sql`update payment_slips o set status = 'expired' from payment_slips t where t.id = ${one.id} and o.id <> t.id and o.invoice_id = t.invoice_id
      and o.parts && t.parts and o.status = 'issued' and o.expires_on < university_today()`.execute(tx)
    await sql`update transactions set status = 'pending', amount = ${of.amount}, bank_reference = ${of.bank_reference}, version = version + 1
      where id = ${one.transaction_id}`.execute(tx)
    await sql`update payment_slips set status = 'uploaded', paid_on = ${of.paid_on}, file_id = coalesce(${kept?.id ?? null}, file_id), uploaded_at = now(),
      uploaded_by = ${ctx.actor?.user_id ?? null}, rejected_reason = null where id = ${one.id}`.execute(tx)
    await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state)
      values ('slip', ${one.id}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'upload', ${one.status}, 'uploaded')`.execute(
      tx,
    )
    return answerOf(ctx, tx, one.transaction_id, one.id)
  })

interface Entered extends Stamped {
  readonly student_id: number
  readonly bank_id: number
  readonly currency: string
  readonly invoice_id: number | null
  readonly note: string | null
}
/** Money that came into an account of the university, entered by an officer who sees it there. */
const enter = (ctx: Ctx, of: Entered, file: Upload | null) =>
  ctx.write(async (tx) => {
    const { rows: found } =
      await sql`select from students s where s.id = ${of.student_id} and s.removed_at is null and ${seen(ctx, 'enter_payment')}`.execute(
        tx,
      )
    const payer_id = (await payersOf(tx, [of.student_id])).get(of.student_id)
    if (!found.length || payer_id === undefined) throw refuse(404, 'not_found')
    await refuseOwn(ctx, tx, sql`${payer_id}::int`)
    const { rows } = await sql<{
      today: string
      account: string | null
      invoice: { own: boolean; currency: string; reversed: boolean } | null
    }>`select university_today()::text as today,
      (select c.code from banks k join currencies c on c.id = k.currency_id where k.id = ${of.bank_id} and k.removed_at is null) as account,
      case when ${of.invoice_id}::int is not null then coalesce((select json_build_object('own', p.student_id = ${of.student_id}, 'currency', i.currency,
        'reversed', i.reversed_at is not null) from invoices i join payers p on p.id = i.payer_id where i.id = ${of.invoice_id}::int),
        json_build_object('own', false, 'currency', '', 'reversed', false)) end as invoice`.execute(tx)
    const came =
      firstRow(rows).account === null
        ? { used: false, line: null }
        : await cameAlready(tx, { ...of, transaction_id: null, number: null })
    const reasons = checkEnter({ ...firstRow(rows), ...came, paid_on: of.paid_on, currency: of.currency })
    if (reasons.length) throw new Refusal(reasons.every((reason) => reason.field) ? 422 : 409, reasons)
    const kept = file ? await ctx.services.files.save(ctx, file, tx) : null
    const { rows: made } = await sql<{ id: number }>`
      insert into transactions (payer_id, way, currency, amount, status, invoice_id, bank_id, bank_reference, file_id, note, created_by)
      values (${payer_id}, 'bank', ${of.currency}, ${of.amount}, 'pending', ${of.invoice_id}, ${of.bank_id}, ${of.bank_reference}, ${kept?.id ?? null},
        ${of.note}, ${ctx.actor?.user_id ?? null}) returning id`.execute(tx)
    await bookTransactions(ctx, tx, [made[0]!.id], { booked_on: of.paid_on })
    return answerOf(ctx, tx, made[0]!.id, null)
  })

export const slipHandlers: readonly Handled[] = [
  ...slips.handlers,
  handle(calls.issue, (ctx, { body }) =>
    issue(ctx, {
      invoice_id: body.invoice_id,
      installment_id: body.installment_id ?? null,
      bank_id: body.bank_id ?? null,
    }),
  ),
  handle(calls.accounts, async (ctx, { params }) => ({
    data: await accountsOf(ctx.db, await payableOf(ctx, ctx.db, params.id, null, false)),
  })),
  handle(calls.list, (ctx, { body }) => list(ctx, body)),
  handle(calls.show, async (ctx, { params }) => ({ data: await showSlip(ctx, params.id) })),
  handle(calls.put, (ctx, { body: { slip_id, student_id, bank_id, currency, invoice_id, note, ...stamped }, file }) => {
    if (slip_id !== undefined) return handIn(ctx, sql`t.id = ${slip_id}`, stamped, file)
    const lacking = Object.entries({ student_id, bank_id, currency }).filter(([, value]) => value === undefined)
    if (lacking.length)
      throw new Refusal(
        422,
        lacking.map(([field]) => ({ field, code: 'required' })),
      )
    return enter(
      ctx,
      {
        ...stamped,
        student_id: student_id!,
        bank_id: bank_id!,
        currency: currency!,
        invoice_id: invoice_id ?? null,
        note: note ?? null,
      },
      file,
    )
  }),
  handle(calls.change, (ctx, { params, body, file }) => handIn(ctx, sql`n.id = ${params.id}`, body, file)),
]

export const slipWork: readonly WorkSource[] = [
  {
    permissions: ['decide_slip'],
    waiting: (ctx) => sql`
      select 'transactions.work_slips', jsonb_build_object('count', count(*)), '/payments-slips', min(t.uploaded_at), null::timestamptz
      from ${FROM} where t.status = 'uploaded' and ${seen(ctx, 'decide_slip')} having count(*) > 0`,
  },
]
