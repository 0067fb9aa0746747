/**
 * What an audit is given and what it answers. Amounts are hundredths: credit hours, GPA and points (12.5 hours is 1250),
 * counts of courses and parts too (3 courses are 300), so that all of them are added and compared alike.
 */
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { PlanList, Requirement, RequirementUnit } from '../requirements/tree.rules.ts'

/** What the catalogue and the program's study plan say of a course, as far as a requirement can ask for it. */
export interface CourseFacts {
  course_id: number
  /** Its code, and further ones where it has several. */
  codes: readonly string[]
  credit_hours: Hundredths
  tag_ids?: readonly number[]
  department_ids?: readonly number[]
  faculty_id?: number | null
  /** Where the study plan has it. */
  level?: number | null
  list?: PlanList | 'elective' | null
  pool_id?: number | null
}

/** A course of the student; of several attempts the one that counts. */
export interface TakenCourse extends CourseFacts {
  /** A failed one counts in GPAs alone. */
  state: 'passed' | 'in_progress' | 'failed'
  /** Courses that it counts as. */
  equal_ids: readonly number[]
  /** Null: no points were given (pass or fail, transferred without grade). */
  points: Hundredths | null
  counts_in_gpa: boolean
  /** Semester of the student in which it was taken, from 1; null: not known. */
  semester?: number | null
}

/** What was decided for one student. */
export type Exception =
  /** The requirement is not asked of the student (or, of what no record tells: it is confirmed). */
  | { id: number; kind: 'waive'; key: string }
  /** The course counts for the requirement, though it does not list it; in place of `for_course_id` where one is named. */
  | { id: number; kind: 'substitute'; key: string; course_id: number; for_course_id: number | null }
  /** Of the requirements for which the course could count it counts for this one (or one of its parts). */
  | { id: number; kind: 'settle'; key: string; course_id: number }

/** A student as an audit sees one. */
export interface AuditStudent {
  courses: readonly TakenCourse[]
  exceptions?: readonly Exception[]
  /** Courses from which a placement excuses: where each of a list is asked for, they are not. They add no hours. */
  excused_ids?: readonly number[]
  /** Cumulative, as the record says it; null before the first result. */
  gpa?: Hundredths | null
  training_weeks?: number
  /** Semester in which the student is, to say what is late. */
  semester?: number | null
  /**
   * `best`: each course goes where most is met (usual). `certain`: a course that could count in several places counts in
   * none, until it is settled.
   */
  assign?: 'best' | 'certain'
}

/** `in_progress`: met once the courses being taken are passed. */
export type AuditState = 'met' | 'in_progress' | 'missing'

/** In what the amounts of a requirement are. */
export type AuditUnit = RequirementUnit | 'parts' | 'gpa' | 'weeks' | 'hand'

export type MissingCode =
  /** Listed courses: {courses} are ids. */
  | 'missing_listed'
  | 'missing_courses'
  | 'missing_hours'
  | 'missing_parts'
  | 'missing_gpa'
  /** Nothing counts in a GPA yet. */
  | 'missing_gpa_none'
  | 'missing_weeks'
  | 'missing_by_hand'
  /** Passed, but with less than {min_points}: {courses} are ids. */
  | 'missing_grade'

/** What is missing beyond the courses in progress, as a text with data: texts stand in the area's `errors`. */
export interface Missing {
  code: MissingCode
  data: Record<string, string | number | number[]>
}

/** How a course came to a requirement: by its rule, settled by hand, or by an exception. */
export type By = 'rule' | 'settle' | 'substitute'

export interface CountedCourse {
  course_id: number
  state: 'passed' | 'in_progress'
  by: By
  /** The listed course that it satisfies (itself, an equal one, or the one it stands for); null where none is listed. */
  for_course_id: number | null
  /** Beyond the minimum: this requirement would be met without it. */
  surplus: boolean
}

/** A requirement as it stands. Names are those of the tree, by `key`. */
export interface RequirementAudit {
  key: string
  kind: Requirement['kind']
  state: AuditState
  unit: AuditUnit
  required: Hundredths
  /** By what is passed, by what is being taken beside it, and what of both the requirement above is given. */
  earned: Hundredths
  in_progress: Hundredths
  counted: Hundredths
  courses: CountedCourse[]
  /** Courses that could count here and count elsewhere, or are not settled (`certain`). */
  could: number[]
  /** Listed courses (`min: all`) and what satisfies each. */
  listed: { course_id: number; state: AuditState; satisfied_by: number | null; excused?: true }[]
  missing: Missing[]
  /** Not met, and its semester is over. */
  late: boolean
  /** The exception by which it is not asked for; null: none. */
  waived_by: number | null
  parts: RequirementAudit[]
}

/** What became of a course of the student. */
export interface CourseAudit {
  course_id: number
  state: CountedCourse['state']
  /** Keys of the requirements in which it counts, and of others in which it could, in the order of the tree. */
  counts_in: string[]
  could_count_in: string[]
  settled: boolean
}

export interface AuditAnswer {
  root: RequirementAudit
  courses: CourseAudit[]
  state: AuditState
  /** Of what is asked for, by what is passed: 0 to 100, 100 only when all is met. */
  percent: number
  /** Whether no other assignment of the courses meets more; false: the search was stopped at its bound. */
  proved: boolean
}
