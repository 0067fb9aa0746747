import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'

export default demoPart(['buildings', 'locations', 'building_distances'], ['faculties'], async (tx, demo) => {
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
  // Offices of who teaches: nobody teaches in them.
  const { building_id } = demo.locations.at(-1)!
  await insertRows(
    tx,
    'locations',
    Array.from({ length: 16 }, (_, i) => ({
      id: demo.locations.length + i + 1,
      code: `A-O${String(i + 1).padStart(2, '0')}`,
      name: `Office ${301 + i}`,
      name_local: `مكتب ${301 + i}`,
      building_id,
      floor: 3,
      capacity: 3,
      location_type: 'room',
    })),
  )
  // From each building to the next: a few minutes on foot.
  await insertRows(
    tx,
    'building_distances',
    demo.buildings.slice(1, 3).map((b, i) => ({
      id: i + 1,
      building_id: demo.buildings[i]!.id,
      other_building_id: b.id,
      minutes: 6 + 3 * i,
    })),
  )
  await followIds(tx, 'buildings', 'locations', 'building_distances')
})
