/** Entries of the ledger with their postings, and what stands on its accounts. */
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList, rowsWhere, type ListSource } from '#kit/server/resource/list.ts'
import { ref, refPairs } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { otherPayer, reachedEntry, reachedPayer } from '../reach.server.ts'
import { entryFields } from '../words.contract.ts'
import { entryCalls, type BalanceRow, type EntryRow } from './entry.contract.ts'

const RIGHT = 'access_ledger'
const ACCOUNT = sql.raw(`json_build_object(${refPairs('a')}, 'kind', a.kind)`)

const { booked_on, kind, currency_id, account_id, student_id } = entryFields
const own = columnsOf(
  { booked_on, kind, currency_id },
  {
    booked_on: 'e.booked_on',
    kind: 'e.kind',
    currency_id: '(select c.id from currencies c where c.code = e.currency)',
  },
)
/** Filters on postings: one of them is of such a row. */
const among = columnsOf({ account_id, student_id }, { account_id: 'p.account_id', student_id: 'y.student_id' })
const FILTERS: NonNullable<ListSource['filters']> = {
  ...Object.fromEntries(
    own.map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
  ),
  ...Object.fromEntries(
    among.map((column) => [
      column.name,
      (value: unknown) =>
        sql`exists (select from ledger_postings p left join payers y on y.id = p.payer_id where p.entry_id = e.id
          and ${serverField(column.field).filter(column, value)})`,
    ]),
  ),
  invoice: (value) => sql`exists (select from ledger_postings p join invoices i on i.id = p.invoice_id
    where p.entry_id = e.id and i.number = ${String(value).trim()})`,
}

const source = (ctx: Ctx): ListSource => ({
  from: sql`ledger_entries e`,
  select: sql`e.id::float8 as id, e.kind, e.source, e.currency, to_char(e.booked_on, 'YYYY-MM-DD') as booked_on,
    to_char(e.happened_on, 'YYYY-MM-DD') as happened_on, e.settles, e.reason,
    e.reversal_of::float8 as reversal_of, (select r.id::float8 from ledger_entries r where r.reversal_of = e.id) as reversed_by, e.created_at,
    (select json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) from users u where u.id = e.created_by) as created_by,
    (select coalesce(sum(p.amount), 0)::float8 from ledger_postings p where p.entry_id = e.id and p.amount > 0) as amount,
    (select coalesce(json_agg(json_build_object('id', p.id, 'account', ${ACCOUNT},
        'student', case when s.id is not null and ${reachedPayer(ctx, RIGHT, 's', 'y')} then ${ref('s')} end,
        'payer', case when s.id is null and y.id is not null and ${reachedPayer(ctx, RIGHT, 's', 'y')} then ${otherPayer('y')} end,
        'invoice', case when i.id is not null then json_build_object('id', i.id, 'number', i.number) end, 'amount', p.amount) order by p.id), '[]')
      from ledger_postings p join ledger_accounts a on a.id = p.account_id left join payers y on y.id = p.payer_id
        left join students s on s.id = y.student_id left join invoices i on i.id = p.invoice_id where p.entry_id = e.id) as postings`,
  where: [reachedEntry(ctx, RIGHT, 'e.id')],
  search: ['e.source'],
  sort: { booked_on: 'e.booked_on', id: 'e.id' },
  neverNull: new Set(['booked_on', 'id']),
  order: ['booked_on', 'desc'],
  filters: FILTERS,
  key: 'e.id',
})

async function get(ctx: Ctx, id: number): Promise<EntryRow> {
  const [row] = await rowsWhere<EntryRow>(
    ctx.db,
    source(ctx),
    sql`e.id = ${id} and ${reachedEntry(ctx, RIGHT, 'e.id')}`,
  )
  if (!row) throw refuse(404, 'not_found')
  return row
}

/** Debits, credits and balances by account and currency, of what the reader sees of the ledger. */
async function balances(ctx: Ctx, until: string | null): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select ${ACCOUNT} as account, x.currency, x.debit::float8 as debit, x.credit::float8 as credit, (x.debit - x.credit)::float8 as balance
    from (select p.account_id, p.currency, coalesce(sum(p.amount) filter (where p.amount > 0), 0) as debit,
        coalesce(-sum(p.amount) filter (where p.amount < 0), 0) as credit
      from ledger_postings p ${until === null ? sql`` : sql`join ledger_entries e on e.id = p.entry_id and e.booked_on <= ${until}::date`}
      where ${reachedEntry(ctx, RIGHT, 'p.entry_id')} group by 1, 2) x
    join ledger_accounts a on a.id = x.account_id order by x.currency, a.code`.execute(ctx.db)
  return rows
}

export const entryHandlers: readonly Handled[] = [
  handle(entryCalls.list, (ctx, { body }) => pagedList<EntryRow>(ctx, source(ctx), body)),
  handle(entryCalls.get, async (ctx, { params }) => ({ data: await get(ctx, params.id) })),
  handle(entryCalls.balances, async (ctx, { body }) => ({ data: await balances(ctx, body.until ?? null) })),
]
