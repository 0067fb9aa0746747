import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, insertNew, pick } from '#demo/part.ts'

export default demoPart(['programs', 'program_courses'], ['bylaws', 'courses'], async (tx, demo) => {
  await insertRows(
    tx,
    'programs',
    demo.programs.map((p) => ({
      ...pick(p, ...NAMED, 'bylaw_id', 'faculty_id', 'department_id', 'degree', 'degree_local', 'program_type'),
      ...pick(p, 'min_credit_hours', 'min_training_weeks', 'admission_capacity'),
    })),
  )
  await insertRows(
    tx,
    'program_pools',
    demo.program_pools.map((p) => pick(p, 'id', 'program_id', 'name', 'name_local', 'min_credit_hours')),
  )
  await insertNew(tx, 'program_courses', demo.program_courses)
  const lists = demo.programs.flatMap((p) =>
    (['university', 'faculty'] as const).flatMap((type) =>
      p[`${type}_requirements`].map((course_id) => ({ program_id: p.id, bylaw_id: p.bylaw_id, type, course_id })),
    ),
  )
  await insertRows(
    tx,
    'program_requirements',
    lists.map((r) => pick(r, 'program_id', 'type', 'course_id')),
  )
  await insertRows(
    tx,
    'bylaw_requirements',
    lists.map((r) => pick(r, 'bylaw_id', 'type', 'course_id')),
    { conflict: 'on conflict do nothing' },
  )
  await followIds(tx, 'programs', 'program_pools')
})
