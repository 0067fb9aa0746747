/**
 * What sponsors take over of invoices of students: it leaves the student's invoice by a note and becomes the sponsor's in the same
 * entry, and follows whatever changes what the invoice charges. What a sponsor was invoiced and does not owe any more is taken off
 * its invoice at once.
 */
import { holdInvoice, writeNote, type Note } from '#areas/money/invoices/issue.server.ts'
import type { DraftLine, Instalment } from '#areas/money/invoices/invoice.rules.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql, type RawBuilder } from 'kysely'
import { itemsWith, sharesOf, type ChargedItem, type ShareTerms } from './share.rules.ts'

/** What sponsors are called where they are told of. */
export interface NamedSponsor {
  readonly id: number
  readonly payer_id: number
  readonly name: string
  readonly name_local: string
}
interface TermsOf extends ShareTerms {
  readonly sponsor: NamedSponsor
  /** What it takes over of the invoice as it stands. */
  readonly taken: number
  readonly reference: string | null
}
interface Standing {
  readonly id: number
  readonly reversed: boolean
  readonly items: readonly ChargedItem[]
  readonly terms: readonly TermsOf[]
}

/** SQL: holds the payers that sponsors are. Whoever does held the payers of the students before. */
const holdSponsors = (tx: Tx, sponsors: readonly number[]) =>
  holdPayers(tx, sql`select id from payers where sponsor_id = any(${[...new Set(sponsors)]}::int[])`)

/**
 * Invoices of students of which sponsors take something over, or did: what they charge by item, and the terms of each sponsorship.
 * A sponsorship is of an invoice whose term begins in its terms, in the currency of the sponsor.
 */
async function standingOf(tx: Db | Tx, invoices: readonly number[]): Promise<Standing[]> {
  if (!invoices.length) return []
  const { rows } = await sql<Standing>`
    with pairs as materialized (
      select i.id, i.reversed_at is not null as reversed, i.year_id, s.id as sponsorship_id, h.id as share_id, coalesce(h.amount, 0) as taken, h.closed_at
      from invoices i join payers p on p.id = i.payer_id join sponsorships s on s.student_id = p.student_id and s.removed_at is null
        join sponsors o on o.id = s.sponsor_id and o.currency = i.currency
        left join sponsor_shares h on h.sponsorship_id = s.id and h.invoice_id = i.id
        left join terms w on w.id = i.term_id join terms b on b.id = s.from_term_id left join terms e on e.id = s.until_term_id
      where i.id = any(${[...invoices]}::int[])
        and (h.id is not null or (s.status in ('active', 'ended') and w.start_date >= b.start_date
          and (s.until_term_id is null or w.start_date <= e.start_date)))
    )
    select i.id, i.reversed,
      (select coalesce(json_agg(json_build_object('item_id', l.item_id, 'type', l.type, 'amount', l.amount)), '[]') from (
        select x.item_id, coalesce(f.type, x.account) as type, sum(x.amount) as amount
        from (select coalesce(l.rule ->> 'item_id', c.rule ->> 'item_id')::int as item_id, l.account, l.amount
            from invoice_lines l left join invoice_lines c on c.id = (l.rule ->> 'corrects')::int
            where l.invoice_id = i.id and l.account not in ('fines', 'sponsored', 'deposit')) x left join fee_items f on f.id = x.item_id
        group by 1, 2) l) as items,
      json_agg(json_build_object('id', s.id, 'percent', (s.percent * 100)::int, 'amount', s.amount, 'types', coalesce(s.types, '{}'),
        'item_ids', array(select f.fee_item_id from sponsorship_items f where f.sponsorship_id = s.id), 'invoice_cap', s.invoice_cap, 'year_cap', s.year_cap,
        'used', (select coalesce(sum(u.amount), 0) from sponsor_shares u join invoices j on j.id = u.invoice_id and j.reversed_at is null
          where u.sponsorship_id = s.id and u.invoice_id <> i.id and j.year_id = i.year_id),
        'kept', case when i.closed_at is not null then i.taken end, 'taken', i.taken, 'reference', s.reference,
        'sponsor', json_build_object('id', o.id, 'payer_id', q.id, 'name', o.name, 'name_local', o.name_local)) order by s.id) as terms
    from pairs i join sponsorships s on s.id = i.sponsorship_id join sponsors o on o.id = s.sponsor_id join payers q on q.sponsor_id = o.id
    group by i.id, i.reversed order by i.id`.execute(tx)
  return rows
}

/** Why a share is another one now, as it is told. */
interface Why {
  readonly reason: string
  readonly reason_local: string
}
const taking = ({ name, name_local }: NamedSponsor): Why => ({
  reason: `Taken over by ${name}`,
  reason_local: `تتحملها ${name_local}`,
})
const givingBack = ({ name, name_local }: NamedSponsor): Why => ({
  reason: `Not taken over by ${name}`,
  reason_local: `لا تتحملها ${name_local}`,
})

/**
 * A sponsor takes over so much of an invoice from now on: a note to the student's invoice, whose payer and the sponsor's are held.
 *
 * @returns the note; null: it takes over as much as before
 */
export async function setShare(
  ctx: Ctx,
  tx: Tx,
  {
    invoice_id,
    sponsorship_id,
    sponsor,
    taken,
    amount,
    installments,
    why,
  }: {
    readonly invoice_id: number
    readonly sponsorship_id: number
    readonly sponsor: NamedSponsor
    readonly taken: number
    readonly amount: number
    readonly installments?: readonly (Instalment & { readonly id?: number | undefined })[]
    readonly why?: Why
  },
): Promise<Note | null> {
  const more = amount - taken
  if (more === 0) return null
  const { rows } = await sql<{ id: number }>`
    insert into sponsor_shares (sponsorship_id, invoice_id, amount) values (${sponsorship_id}, ${invoice_id}, ${amount})
    on conflict on constraint sponsor_share_twice do update set amount = excluded.amount returning id`.execute(tx)
  return writeNote(
    ctx,
    tx,
    await holdInvoice(tx, invoice_id),
    [
      {
        account: 'sponsored',
        item: 'sponsor',
        name: sponsor.name,
        name_local: sponsor.name_local,
        rule: { sponsorship_id },
        unit_amount: -more,
        amount: -more,
        payer_id: sponsor.payer_id,
        share_id: firstRow(rows).id,
      },
    ],
    {
      kind: 'sponsor',
      ...(why ?? (more > 0 ? taking(sponsor) : givingBack(sponsor))),
      ...(installments && { installments }),
    },
  )
}

/**
 * Brings what sponsors take over of invoices, whose payers are held, to what their terms say of what the invoices charge.
 *
 * @param ahead lines that one of them is about to be corrected by: only what becomes less is written
 * @returns whether something was written
 */
export async function followShares(
  ctx: Ctx,
  tx: Tx,
  invoices: readonly number[],
  ahead?: readonly DraftLine[],
): Promise<boolean> {
  const standing = await standingOf(tx, invoices)
  if (!standing.length) return false
  await holdSponsors(
    tx,
    standing.flatMap(({ terms }) => terms.map(({ sponsor }) => sponsor.id)),
  )
  let changed = false
  const touched: number[] = []
  for (const one of standing) {
    if (one.reversed) {
      // Its notes were turned round with it.
      await sql`update sponsor_shares set amount = 0 where invoice_id = ${one.id} and amount > 0`.execute(tx)
      touched.push(one.id)
      continue
    }
    const wanted = sharesOf(itemsWith(one.items, (ahead ?? []).flatMap(itemOf)), one.terms)
    // What becomes less comes first: it makes room for what becomes more.
    const moves = one.terms
      .map((terms) => ({ terms, amount: wanted.get(terms.id) ?? 0 }))
      .filter(({ terms, amount }) => amount !== terms.taken && (!ahead || amount < terms.taken))
      .toSorted((a, b) => a.amount - a.terms.taken - (b.amount - b.terms.taken))
    for (const { terms, amount } of moves) {
      await setShare(ctx, tx, {
        invoice_id: one.id,
        sponsorship_id: terms.id,
        sponsor: terms.sponsor,
        taken: terms.taken,
        amount,
      })
      changed = true
    }
    if (moves.some(({ terms, amount }) => amount < terms.taken)) touched.push(one.id)
  }
  if (touched.length) await creditBilled(ctx, tx, sql`h.invoice_id = any(${touched}::int[])`)
  return changed
}
const itemOf = (line: DraftLine): ChargedItem[] =>
  line.account === 'fines' || line.account === 'sponsored' || line.account === 'deposit'
    ? []
    : [{ item_id: (line.rule?.item_id as number | undefined) ?? null, type: line.account, amount: line.amount }]

/** SQL: of the share `h`, what left the student's invoice; and what is on invoices of the sponsor. */
export const TAKEN =
  sql.raw(`coalesce((select -sum(l.amount) from invoice_lines l join invoices i on i.id = l.invoice_id and i.reversed_at is null
  where l.share_id = h.id and l.invoice_id = h.invoice_id), 0)`)
export const BILLED =
  sql.raw(`coalesce((select sum(l.amount) from invoice_lines l join invoices i on i.id = l.invoice_id and i.reversed_at is null
  where l.share_id = h.id and l.invoice_id <> h.invoice_id), 0)`)

interface Billed {
  readonly share_id: number
  readonly invoice_id: number
  readonly payer_id: number
  readonly item: string
  readonly name: string
  readonly name_local: string
  readonly amount: number
  readonly beyond: number
}
/** What sponsors, who are held, were invoiced of shares and is theirs no more is taken off their invoices, the latest first. */
export async function creditBilled(ctx: Ctx, tx: Tx, where: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<Billed>`
    with more as materialized (select h.id, x.beyond from sponsor_shares h cross join lateral (select ${BILLED} - ${TAKEN} as beyond) x
      where ${where} and x.beyond > 0)
    select o.id as share_id, i.id as invoice_id, i.payer_id, min(l.item) as item, min(l.name) as name, min(l.name_local) as name_local,
      sum(l.amount)::float8 as amount, o.beyond::float8 as beyond
    from more o join sponsor_shares h on h.id = o.id join invoice_lines l on l.share_id = o.id and l.invoice_id <> h.invoice_id
      join invoices i on i.id = l.invoice_id and i.reversed_at is null
    group by o.id, i.id, i.payer_id, o.beyond having sum(l.amount) > 0 order by i.id desc, o.id`.execute(tx)
  const left = new Map(rows.map((row) => [row.share_id, row.beyond]))
  for (const [invoice_id, lines] of Map.groupBy(rows, (row) => row.invoice_id)) {
    const invoice = await holdInvoice(tx, invoice_id)
    // What somebody took off by hand is not taken off again: the rest waits for the next invoice.
    let most = invoice.charged
    const off = lines.flatMap((line): DraftLine[] => {
      const amount = Math.min(line.amount, left.get(line.share_id)!, most)
      if (amount <= 0) return []
      most -= amount
      left.set(line.share_id, left.get(line.share_id)! - amount)
      const { item, name, name_local, payer_id, share_id } = line
      return [
        { account: 'sponsored', item, name, name_local, unit_amount: -amount, amount: -amount, payer_id, share_id },
      ]
    })
    if (off.length)
      await writeNote(ctx, tx, invoice, off, {
        reason: 'What is taken over of students changed',
        reason_local: 'تغيّر ما يُتحمل عن الطلاب',
      })
  }
}
