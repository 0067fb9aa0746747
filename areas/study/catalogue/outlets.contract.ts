/** Places on the pages of bylaws, programs and plans that are filled by who audits degrees and who keeps their quality. */
import { outlet } from '#kit/contract/outlet.ts'
import type { PLAN_KINDS } from './words.contract.ts'

interface OfRecord {
  readonly row: { readonly id: number }
}
/** The requirements of a degree, as a tab. */
export const requirementsOfBylaw = outlet<OfRecord>('bylaw.requirements')
export const requirementsOfProgram = outlet<OfRecord>('program.requirements')

/** What a course or a program teaches and how it is assessed, as a tab. */
export const specificationOfCourse = outlet<OfRecord>('course.specification')
export const specificationOfProgram = outlet<OfRecord>('program.specification')

/** What the people of a department find out, as tabs. */
export const publicationsOfDepartment = outlet<OfRecord>('department.publications')
export const thesesOfDepartment = outlet<OfRecord>('department.theses')
export const projectsOfDepartment = outlet<OfRecord>('department.projects')

/** An edit that is not saved, of what a degree asks for: amounts, elective pools, the study plan. */
export interface DegreeEdit {
  /** Credit hours, GPA and weeks of training. */
  hours?: number
  gpa?: number
  /** Of a program, null: as its bylaw says. */
  training_weeks?: number | null
  pools?: { id: number | null; min_credit_hours: number }[]
  without_pools?: number[]
  courses?: { course_id: number; kind: (typeof PLAN_KINDS)[number]['value']; pool_id: number | null; level: number }[]
  without_courses?: number[]
}
/** Whose standing an edit would change, told in its form before it is saved; null: nothing is edited. */
export const standingUnderEdit = outlet<{ of: 'bylaw' | 'program'; id: number; edit: DegreeEdit | null }>('degree.edit')
