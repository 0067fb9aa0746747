import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'

export default demoPart(['departments'], ['faculties'], async (tx, demo) => {
  await insertRows(
    tx,
    'departments',
    demo.departments.map((d) => pick(d, ...NAMED, 'faculty_id')),
  )
  await followIds(tx, 'departments')
})
