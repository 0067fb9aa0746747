import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'

export default demoPart(['faculties'], [], async (tx, demo) => {
  await insertRows(
    tx,
    'faculties',
    demo.faculties.map((f) => pick(f, ...NAMED)),
  )
  await followIds(tx, 'faculties')
})
