import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'

export default demoPart(['buildings', 'locations'], ['faculties'], async (tx, demo) => {
  await insertRows(
    tx,
    'buildings',
    demo.buildings.map((b) => pick(b, ...NAMED, 'faculty_id')),
  )
  await insertRows(
    tx,
    'locations',
    demo.locations.map((l) => pick(l, ...NAMED, 'building_id', 'floor', 'capacity', 'location_type')),
  )
  await followIds(tx, 'buildings', 'locations')
})
