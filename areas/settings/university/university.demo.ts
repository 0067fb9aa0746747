import { demoPart, insertNew } from '#demo/part.ts'

export default demoPart(['settings'], [], async (tx, demo) => {
  const { name, name_local, short_name } = demo.university
  await insertNew(
    tx,
    'settings',
    Object.entries({ university_name: name, university_name_local: name_local, university_short_name: short_name }).map(
      ([key, value]) => ({ key, value, grouping: 'identity', public: true }),
    ),
  )
})
