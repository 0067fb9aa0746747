import { expect, test } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'

test('every table of which the log tells has a name for people: of its records, or said by its area', async () => {
  const { pool, drop } = await createTestDatabase()
  try {
    const { rows } = await pool.query<{ name: string }>(`select distinct c.relname as name from pg_trigger g
      join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
      where g.tgname like 'audit\\_%' and not g.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`)
    const records = new Set(AREAS.flatMap((area) => area.resources.map((one) => one.table)))
    const said = AREA_SERVERS.flatMap(({ told = {} }) =>
      Object.entries(told).flatMap(([name, { many }]) => (many ? [name] : [])),
    )
    const audited = rows.map(({ name }) => name)
    expect(audited.filter((name) => !records.has(name) && !said.includes(name))).toEqual([])
    // Nothing is named that is not there, and nothing twice.
    expect(said.filter((name, i) => !audited.includes(name) || records.has(name) || said.indexOf(name) !== i)).toEqual(
      [],
    )
  } finally {
    await drop()
  }
}, 180_000)
