/** What absences and investigations have in common: a student in the exam of an offering, and how one is found. */
import { z } from 'zod'
import { f, id, problem, ref } from '#kit/contract/index.ts'

/** A record of an exam day as a list has it. */
export const examRecord = {
  id,
  version: z.int(),
  student: ref,
  course: ref,
  exam: ref,
  date: z.string(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
}
/** Fields by which each of them is filtered. */
export const examRecordFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  course_id: f.lookup(['Course', 'المقرر'], 'course'),
  offering_id: f.lookup(['Offering', 'المقرر المطروح'], 'offering'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
}

/** What may be chosen: exams, and the exams of offerings in one of them. */
export const examDayLookups = z.object({
  data: z.object({
    exams: z.array(ref.extend({ kind: z.string(), term: ref })),
    schedules: z.array(
      z.object({ id, course: ref, offering: ref, date: z.string(), from: z.string(), students: z.int() }),
    ),
    statuses: z.array(z.object({ id: z.string(), name: z.string(), name_local: z.string() })),
  }),
})
/** Exams within reach, and the exams of offerings in one of them. */
export type ExamDays = Omit<z.input<typeof examDayLookups>['data'], 'statuses'>
/** A student and the exams that he or she was to sit. */
const sat = z.object({
  exam_schedule_id: id,
  registration_id: id,
  exam: ref,
  course: ref,
  date: z.string(),
  from: z.string(),
  begun: z.boolean(),
  hall: z.string().nullable(),
  seat: z.int().nullable(),
  absence: z.string().nullable(),
  case: z.string().nullable(),
  /** Why nothing is recorded here; null: nothing stands against it. */
  refused: problem.nullable(),
  /** An investigation can be opened, but the course not be punished as it stands now. */
  stands_against: problem.nullable(),
})
export type Sat = z.output<typeof sat>
/** So many students are found at most. */
export const MOST_FOUND = 10
export const studentInfo = z.object({ data: z.array(z.object({ student: ref, exams: z.array(sat) })) })
export type StudentInfo = z.output<typeof studentInfo>['data'][number]
/** Code, name, or part of it. */
export const studentAsked = z.strictObject({ text: z.string().trim().min(2).max(60), exam_id: id.nullish() })
export type StudentAsked = z.output<typeof studentAsked>
