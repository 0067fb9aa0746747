import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

export default demoPart(['slots'], [], async (tx, demo) => {
  await insertRows(tx, 'slots', demo.slots)
  await followIds(tx, 'slots')
})
