/** The files of the last import from a system: what a delta is laid over. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'

/** The ZIP of the last import from a source that was not taken back; null: there is none. */
export async function lastBundle(db: Db | Tx, source: string): Promise<Uint8Array | null> {
  const { rows } = await sql<{ zip: Buffer }>`
    select b.zip from roster_bundles b left join operations o on o.id = b.operation_id
    where b.source = ${source} and o.undone_at is null order by b.id desc limit 1`.execute(db)
  return rows[0] ? new Uint8Array(rows[0].zip) : null
}

/** Keeps the files of an import. Those before it go once no import can be taken back to them. */
export async function keepBundle(tx: Tx, source: string, zip: Uint8Array): Promise<void> {
  await sql`delete from roster_bundles b using (
      select id, imported_at, lead(imported_at) over (order by id) as next from roster_bundles where source = ${source}) o
    where b.id = o.id and o.next < now() - interval '8 days'`.execute(tx)
  await sql`insert into roster_bundles (source, zip) values (${source}, ${Buffer.from(zip)})`.execute(tx)
}
/** By which operation the last import of a source is taken back: then its files are none to begin with. */
export const nameOperation = (tx: Tx, source: string, operation_id: number) =>
  sql`update roster_bundles set operation_id = ${operation_id}
    where id = (select max(id) from roster_bundles where source = ${source}) and operation_id is null`.execute(tx)
