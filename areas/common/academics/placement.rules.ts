/** What a placement means for the courses of its test. */

/** A student in a placement test. */
export interface PlacementBand {
  readonly test: string
  readonly test_local: string
  /** The level by the result; null: the test is still to be taken. */
  readonly level: number | null
  readonly level_name: string
  readonly level_name_local: string
  /** Courses and the level at which each stands. */
  readonly courses: readonly { readonly course_id: number; readonly level: number }[]
}

/** Courses from which placements excuse: they count as passed where others ask for them. */
export const excusedBy = (placements: readonly PlacementBand[]): number[] =>
  placements.flatMap(({ level, courses }) =>
    level === null ? [] : courses.flatMap((one) => (one.level < level ? [one.course_id] : [])),
  )

export type PlacementProblem = 'placement_due' | 'placement_excused' | 'placement_above'

/**
 * What a placement says against registering a course. At the own level one begins; a higher one opens when every course
 * from the own level up to it is passed.
 *
 * @param passed whether the student has passed a course, or one that counts as it
 */
export function againstCourse(
  { level, courses }: PlacementBand,
  isCourse: (course_id: number) => boolean,
  passed: (course_id: number) => boolean,
): PlacementProblem | null {
  const mine = courses.find((course) => isCourse(course.course_id))
  if (!mine) return null
  if (level === null) return 'placement_due'
  if (mine.level < level) return 'placement_excused'
  const open = courses.every((one) => one.level < level || one.level >= mine.level || passed(one.course_id))
  return open ? null : 'placement_above'
}
