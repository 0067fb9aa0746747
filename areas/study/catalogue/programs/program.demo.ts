import { followIds, insertRows } from '#db/bulk.ts'
import type { ResearchStageKind } from '../research-plan.rules.ts'
import { NAMED, demoPart, insertNew, pick } from '#demo/part.ts'

/** A master by research: [stage, times, earliest semester, latest semester]. */
const MASTER: readonly [ResearchStageKind, number, number | null, number | null][] = [
  ['coursework', 1, 1, 2],
  ['qualifying_exam', 1, 2, 3],
  ['proposal', 1, 3, 3],
  ['seminar', 2, 3, 5],
  ['publication', 1, 4, null],
  ['defence', 1, 5, 6],
]

export default demoPart(['programs', 'program_courses', 'program_stages'], ['bylaws', 'courses'], async (tx, demo) => {
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
  const computing = demo.programs.find((p) => p.code === 'CS')!
  const [master] = await insertNew(tx, 'programs', [
    {
      ...pick(computing, 'bylaw_id', 'faculty_id', 'department_id', 'program_type'),
      code: 'MSC-CS',
      name: 'Master of Science in Computer Science',
      name_local: 'ماجستير علوم الحاسب',
      degree: 'Master of Science in Computer Science',
      degree_local: 'ماجستير العلوم في علوم الحاسب',
      study_level: 'postgraduate',
      min_credit_hours: 37.5,
      semesters: 6,
      admission_capacity: 20,
    },
  ])
  await insertNew(
    tx,
    'program_stages',
    MASTER.map(([stage, times, earliest_semester, latest_semester], position) => ({
      program_id: master!,
      position,
      stage,
      times,
      earliest_semester,
      latest_semester,
    })),
  )
})
