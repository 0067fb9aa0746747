import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'

export default demoPart(['mark_categories', 'marks'], ['bylaws'], async (tx, demo) => {
  await insertRows(tx, 'mark_categories', demo.mark_categories)
  await insertRows(
    tx,
    'marks',
    demo.marks.map((m) => pick(m, ...NAMED, 'bylaw_id')),
  )
  await insertRows(
    tx,
    'mark_items',
    demo.marks.flatMap((m) => m.items.map((item) => ({ mark_id: m.id, ...item }))),
  )
  await followIds(tx, 'mark_categories', 'marks')
})
