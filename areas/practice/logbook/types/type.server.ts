/** Procedures and cases that logbooks ask for. */
import { firstRow } from '#db/rows.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { logbookType } from './type.contract.ts'

export const logbookTypes = workings(logbookType, {
  scope: { faculty: () => sql`(select c.faculty_id from emtyaz_courses c where c.id = t.course_id)` },
  async beforeRemove(_ctx, tx, id) {
    await sql`select from logbook_types where id = ${id} for update`.execute(tx)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from logbook_entries e
      where e.type_id = ${id} and e.removed_at is null`.execute(tx)
    const { count } = firstRow(rows)
    if (count > 0) throw refuse(409, 'logbook_type_used', { count })
  },
})
