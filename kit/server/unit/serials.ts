import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { serialText } from '#kit/contract/serial.ts'
import type { Series } from '#kit/contract/serial.ts'

/** A number that was taken. */
export interface Serial {
  /** As it is written: `OT-2026-000017`. */
  readonly text: string
  readonly n: number
  readonly period: string
}

/**
 * Takes the next number of a series, in the transaction of the record that carries it. After a rollback, the next
 * caller gets the number. Others who want a number of the same series and period wait until the transaction ends, in
 * every process, so take it late, and do nothing slow afterwards.
 *
 * @param period the year or the code of the term; for a series by year, by default the university's present year
 * @throws {Error} when a series by term is given no term
 */
export async function takeSerial(tx: Tx, of: Series, period?: string): Promise<Serial> {
  const [taken] = await takeSerials(tx, of, 1, period)
  return taken!
}

/** As many numbers of a series, one after the other; see {@link takeSerial}. */
export async function takeSerials(tx: Tx, of: Series, many: number, period?: string): Promise<Serial[]> {
  if (many < 1) return []
  if (of.per === 'term' && !period) throw new Error(`A number of ${of.name} belongs to a term`)
  const { rows } = await sql<{ n: number; period: string }>`
    select take_serials(${of.name}, p.period, ${many}::int) as n, p.period
    from (select coalesce(${of.per === null ? '' : (period ?? null)}, to_char(now() at time zone university_zone(), 'YYYY')) as period) p`.execute(
    tx,
  )
  const [first] = rows
  return Array.from({ length: many }, (_, i) => {
    const n = first!.n + i
    return { n, period: first!.period, text: serialText(of, first!.period, n) }
  })
}
