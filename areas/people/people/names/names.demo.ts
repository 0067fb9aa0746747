import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'
import { partColumns } from './follow.server.ts'
import { splitName } from './name.rules.ts'

/** The names of every second instructor are known in parts. */
export default demoPart([], ['instructors'], async (tx) => {
  const { rows } = await sql<{ id: number; name: string; name_local: string }>`
    select id, name, name_local from instructors where id % 2 = 0`.execute(tx)
  for (const { id, name, name_local } of rows) {
    const parts = {
      ...partColumns(splitName(name, 'latin'), false),
      ...partColumns(splitName(name_local, 'arabic'), true),
    }
    const values = Object.entries(parts).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    await sql`update instructors set ${sql.join(values)} where id = ${id}`.execute(tx)
  }
})
