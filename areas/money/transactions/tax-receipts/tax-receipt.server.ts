/** Receipts to the tax authority as finance sees them: a list with what the authority says, and sending again what it rejected. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { PAYER_SEARCH, otherPayer, payerJoins, reachedPayer } from '#areas/money/ledger/reach.server.ts'
import { makeAgain, taxSettingsOf } from './issue.server.ts'
import { taxLink } from './tax-document.rules.ts'
import { taxReceiptFields, taxReceiptsPart, type TaxReceiptRow } from './tax-receipt.contract.ts'

const { calls } = taxReceiptsPart
const FROM = sql`tax_receipts r join transactions t on t.id = r.transaction_id join payers p on p.id = t.payer_id
  left join students s on s.id = p.student_id ${payerJoins()}`
const select = (
  ctx: Ctx,
) => sql`r.id, r.version, r.number, r.uuid, r.kind, r.state, ${refOrNull('s')} as student, ${otherPayer()} as payer,
  json_build_object('id', t.id, 'number', t.number) as transaction, t.currency, (case when r.kind = 'R' then -1 else 1 end * t.amount)::float8 as amount,
  r.issued_at, r.sent_at, coalesce(r.reasons, '[]') as reasons, r.trouble, ${reachedPayer(ctx, 'send_tax_receipt')} as may`
type Read = Omit<TaxReceiptRow, 'abilities'> & { readonly may: boolean }
const shown = ({ may, ...row }: Read): TaxReceiptRow => ({
  ...row,
  abilities: may && row.state === 'rejected' ? ['again'] : [],
})
const COLUMNS = {
  number: 'r.id',
  student_id: 's.id',
  kind: 'r.kind',
  state: 'r.state',
  issued_at: 'r.issued_at',
  sent_at: 'r.sent_at',
}

async function list(ctx: Ctx, query: ListQuery) {
  const { data, meta } = await pagedList<Read>(
    ctx,
    {
      from: FROM,
      select: select(ctx),
      where: [reachedPayer(ctx, 'access_tax_receipt')],
      search: ['fold_text(r.number)', ...PAYER_SEARCH],
      sort: { ...COLUMNS, student_id: 's.name' },
      order: ['number', 'desc'],
      key: 'r.id',
      filters: Object.fromEntries(
        columnsOf(taxReceiptFields, COLUMNS).map((column) => [
          column.name,
          (value: unknown) => serverField(column.field).filter(column, value),
        ]),
      ),
    },
    query,
  )
  return { data: data.map(shown), meta }
}

async function stand(ctx: Ctx) {
  const { on, rate } = await taxSettingsOf(ctx)
  const set = ctx.services.config.taxReceipts
  const reached = reachedPayer(ctx, 'access_tax_receipt')
  const { rows } = await sql<{ waiting: number; rejected: number; without_rate: number }>`
    select (select count(*)::int from ${FROM} where r.state in ('to_send', 'sent') and ${reached}) as waiting,
      (select count(*)::int from ${FROM} where r.state = 'rejected' and ${reached}) as rejected,
      (select count(*)::int from tax_devices d
          join ledger_entries e on e.created_at >= d.began_at join transactions t on t.entry_id = e.id and t.direction = 'in' and t.status = 'paid'
          and t.way in ('cash', 'slip', 'bank', 'card', 'mobile') and t.currency <> 'EGP'
          join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
        where ${reached} and d.serial = ${set?.seller.device ?? null} and ${rate}::numeric is null
          and not exists (select from tax_receipts r where r.transaction_id = t.id)) as without_rate`.execute(ctx.db)
  return { on, set_up: set !== null, ...firstRow(rows) }
}

const again = (ctx: Ctx, id: number, version: number | undefined) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ state: string; version: number }>`select r.state, r.version from ${FROM}
      where r.id = ${id} and ${reachedPayer(ctx, 'send_tax_receipt')} for update of r`.execute(tx)
    const [found] = rows
    if (!found) throw refuse(404, 'not_found')
    if (version !== undefined && version !== found.version)
      throw refuse(409, 'changed_meanwhile', { version: found.version })
    if (found.state !== 'rejected') throw refuse(409, 'tax_receipt_not_rejected')
    const set = ctx.services.config.taxReceipts
    if (!set) throw refuse(409, 'tax_receipt_off')
    await makeAgain(tx, id, set, (await taxSettingsOf({ db: tx })).rate)
    const { rows: now } = await sql<Read>`select ${select(ctx)} from ${FROM} where r.id = ${id}`.execute(tx)
    return shown(firstRow(now))
  })

/** The receipt of a transaction that the authority has, for the paper: its number, and where anybody sees it. */
export async function taxReceiptOf(
  db: Db | Tx,
  { config: { taxReceipts } }: Ctx['services'],
  transaction_id: number,
): Promise<{ number: string; link: string } | null> {
  if (!taxReceipts) return null
  const { rows } = await sql<{ number: string; uuid: string; issued_at: string; total: number }>`
    select r.number, r.uuid, to_char(r.issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as issued_at, t.amount::float8 as total
    from tax_receipts r join transactions t on t.id = r.transaction_id
    where r.transaction_id = ${transaction_id} and r.state in ('sent', 'valid') order by r.id desc limit 1`.execute(db)
  return rows[0]
    ? { number: rows[0].number, link: taxLink(taxReceipts.site, { ...rows[0], rin: taxReceipts.seller.rin }) }
    : null
}

export const taxReceiptHandlers: readonly Handled[] = [
  handle(calls.taxReceipts, (ctx, { body }) => list(ctx, body)),
  handle(calls.taxReceiptsStand, async (ctx) => ({ data: await stand(ctx) })),
  handle(calls.sendTaxReceiptAgain, async (ctx, { params, body }) => ({
    data: await again(ctx, params.id, body.version),
  })),
]

/** What the authority rejected waits for whoever mends it. */
export const taxReceiptWork: readonly WorkSource[] = [
  {
    permissions: ['send_tax_receipt'],
    waiting: (ctx) => sql`
      select 'transactions.work_tax_receipts', jsonb_build_object('count', count(*)), '/tax-receipts?state=rejected', min(r.updated_at), null::timestamptz
      from ${FROM} where r.state = 'rejected' and ${reachedPayer(ctx, 'send_tax_receipt')} having count(*) > 0`,
  },
]
