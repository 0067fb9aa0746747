import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { batchNumbers } from './batch.contract.ts'
import { saveBatch, saveFacts } from './book.server.ts'
import { readBatch } from './preview.server.ts'

/** Nobody listens while the demo university is loaded: all of it is one transaction. */
const silent = (tx: Tx, content: Uint8Array): Ctx =>
  ({
    db: tx,
    actor: null,
    services: { events: { publish: async () => {} }, files: { read: async () => ({ content }) } },
    write: (work: (own: Tx) => Promise<unknown>) => work(tx),
  }) as unknown as Ctx

/**
 * Files of the bank for Egyptian pounds: one that is saved, two that wait, with lines of which nobody knows whose they are; one
 * whose columns nobody has named, one of another account, one whose reading never ended.
 */
export default demoPart(['batches', 'batch_lines'], ['banks', 'invoices', 'transactions'], async (tx) => {
  // The last invoices that are open, whoever owes them.
  const { rows: owed } = await sql<{ number: string; open: number; name: string; code: string }>`
    select i.number, (b.charged - b.settled)::float8 as open, s.name, s.code from invoices i
      join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
      join payers p on p.id = i.payer_id join students s on s.id = p.student_id
    where i.currency = 'EGP' and i.reversed_at is null order by i.id desc limit 6`.execute(tx)
  if (owed.length < 6) return
  const amount = (minor: number) => (minor / 100).toFixed(2)
  const [a, b, c, d, e, f] = owed as [Owed, Owed, Owed, Owed, Owed, Owed]
  const [before, yesterday] = [addDays(dayOf(), -5), addDays(dayOf(), -1)]
  const table = (...lines: string[]) => ['Date,Amount,Reference,Payer name,Description', ...lines].join('\n')
  const files = [
    table(
      `${before},${amount(a.open)},${a.number},${a.name},Fees`,
      `${before},${amount(b.open)},,${b.name},Fees of ${b.code}`,
      `${before},-35.00,,,Charges of the bank`,
    ),
    table(
      `${yesterday},${amount(c.open)},${c.number},${c.name},Fees`,
      `${yesterday},${amount(d.open)},,${d.name},Transfer`,
      `${yesterday},${amount(e.open)},,,${e.code} ${f.code}`,
      `${yesterday},1250.00,,Nour for Trading,Transfer of April`,
    ),
    table(`${yesterday},640.00,,Delta Works,Advance`),
    `Wann;Wieviel;Von wem\n${yesterday};1.250,50;Mona Ali\n`,
    `:20:X\n:25:99887766\n:28C:1\n:60F:C260101EGP0,00\n:61:260102C5,00NTRF\n:62F:C260102EGP5,00\n`,
    table(`${yesterday},10.00,,,`),
  ]
  const contents = files.map((text) => new TextEncoder().encode(text))
  for (const [i, content] of contents.entries()) {
    const hash = createHash('sha256').update(content).digest('hex')
    const name = `statement-${i + 1}.csv`
    const { rows: kept } = await sql<{ id: number }>`insert into files (hash, name, ext, mime, size)
      values (${hash}, ${name}, 'csv', 'text/csv', ${content.byteLength}) returning id`.execute(tx)
    const { text: number } = await takeSerial(tx, batchNumbers)
    const { rows } = await sql<{ id: number }>`insert into batches (number, bank_id, file_id, file_name, hash)
      values (${number}, 1, ${kept[0]!.id}, ${name}, ${hash}) returning id`.execute(tx)
    const { id } = firstRow(rows)
    const ctx = silent(tx, content)
    if (i === 4)
      await sql`update batches set status = 'failed', problem = '{"code": "batch_file_of_other", "data": {"account": "99887766"}}'
        where id = ${id}`.execute(tx)
    if (i < 4) await readBatch(ctx, id)
    if (i > 0) continue
    await saveFacts(tx, [id])
    await saveBatch(ctx, tx, id)
    await sql`update batches set status = 'saved' where id = ${id}`.execute(tx)
  }
  return async (_db, storage) => {
    for (const content of contents) await storage.put(content)
  }
})
interface Owed {
  readonly number: string
  readonly open: number
  readonly name: string
  readonly code: string
}
