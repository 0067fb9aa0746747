import { followIds, insertRows } from '#db/bulk.ts'
import type { CourseRequisite, DemoUniversity } from '#demo/model.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'
import type { Rows } from '#demo/part.ts'

const coursesIn = (r: CourseRequisite | null): number[] =>
  !r ? [] : 'course' in r ? [r.course] : ('all' in r ? r.all : r.any).flatMap(coursesIn)

export default demoPart(['courses'], ['departments'], async (tx, demo) => {
  await insertRows(
    tx,
    'courses',
    demo.courses.map((c) => ({
      ...pick(c, ...NAMED, 'faculty_id', 'department_id', 'lecture_hours', 'tutorial_hours', 'laboratory_hours'),
      ...pick(c, 'clinical_hours', 'credit_hours', 'min_passed_hours', 'min_level', 'requirement', 'prerequisites'),
    })),
  )
  const pairs = (of: (c: DemoUniversity['courses'][number]) => readonly number[]): Rows =>
    demo.courses.flatMap((c) => [...new Set(of(c))].map((id) => ({ course_id: c.id, required_course_id: id })))
  await insertRows(
    tx,
    'course_prerequisites',
    pairs((c) => coursesIn(c.prerequisites)),
  )
  await insertRows(
    tx,
    'course_corequisites',
    pairs((c) => c.corequisites),
  )
  await followIds(tx, 'courses')
})
