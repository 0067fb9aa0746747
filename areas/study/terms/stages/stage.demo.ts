import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'

export default demoPart(['stage_groups', 'term_stages'], ['terms', 'faculties'], async (tx, demo) => {
  await insertRows(
    tx,
    'stage_groups',
    demo.stage_groups.map((g) => pick(g, ...NAMED, 'faculty_id')),
  )
  const { rows } = await sql<{ id: number; code: string }>`select id, code from stage_codes`.execute(tx)
  const byCode = new Map(rows.map((row) => [row.code, row.id]))
  const codeId = new Map(demo.stage_codes.map((c) => [c.id, byCode.get(c.code)]))
  await insertRows(
    tx,
    'term_stages',
    demo.term_stages.map((s) => ({
      ...pick(s, 'id', 'term_id', 'stage_group_id'),
      stage_code_id: codeId.get(s.stage_code_id),
      starts_at: `${s.start_date} 00:00`,
      ends_at: `${s.end_date} 23:59:59`,
    })),
  )
  await followIds(tx, 'stage_groups', 'term_stages')
})
