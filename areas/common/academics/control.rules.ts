/**
 * The control status of an offering: the road of its grades from the instructor to the record.
 *
 * Draft → Submitted → Reviewed → Approved → Published → Frozen; every step is taken one at a time, and undone one at a
 * time with a reason.
 */
import type { Reason } from '#kit/contract/issues.ts'
import type { Bilingual } from './problem.rules.ts'

export const controlStatuses = ['Draft', 'Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen'] as const

export type ControlStatus = (typeof controlStatuses)[number]

/** Whether a status lies at or beyond another one. */
export const statusReached = (status: ControlStatus, from: ControlStatus): boolean =>
  controlStatuses.indexOf(status) >= controlStatuses.indexOf(from)

/** Students of an offering below Approved are not finished. */
export const canFinish = (status: ControlStatus): boolean => statusReached(status, 'Approved')

export type ControlCode = 'control_holds' | 'control_status' | 'control_marks' | 'control_scheme'

/** Texts of refused control actions. */
export const controlTexts: Record<ControlCode, Bilingual> = {
  control_holds: {
    en: 'Cannot edit submitted courses: the marks of {course} are {status}, so registrations and marks stay as they are. Control can take the course back to {to} (undo, steps: {steps})',
    ar: 'لا يمكن تعديل المقررات المسلَّمة: درجات {course} في حالة «{status_local}»، فلا تتغير التسجيلات ولا الدرجات. يمكن للكنترول إعادة المقرر إلى «{to_local}» (عدد خطوات التراجع: {steps})',
  },
  control_status: {
    en: 'Not possible while the grades are {status}',
    ar: 'غير ممكن والدرجات في حالة {status_local}',
  },
  control_marks: {
    en: 'Marks are missing for {count} students',
    ar: 'عدد الطلاب الذين تنقصهم درجات: {count}',
  },
  control_scheme: {
    en: 'The maximum marks must sum to exactly 100',
    ar: 'يجب أن يكون مجموع النهايات العظمى 100 تمامًا',
  },
}

/** The names of the statuses. */
export const controlStatusTexts: Record<ControlStatus, Bilingual> = {
  Draft: { en: 'Draft', ar: 'مسودة' },
  Submitted: { en: 'Submitted', ar: 'مسلَّمة' },
  Reviewed: { en: 'Reviewed', ar: 'مراجَعة' },
  Approved: { en: 'Approved', ar: 'معتمدة' },
  Published: { en: 'Published', ar: 'معلنة' },
  Frozen: { en: 'Frozen', ar: 'مجمَّدة' },
}

/** A student whose result is missing, with the categories that have no mark. */
export interface MissingMarks {
  registration_id: number
  student: { id: number; code: string; name: string; name_local: string }
  bylaw: string
  categories: { code: string; name: string; name_local: string }[]
}
const MOST_NAMED = 100

/** Every reason why marks cannot be submitted yet. `sound`: the mark scheme passed its check. */
export function checkSubmission({
  sound,
  categories,
  missing,
  closed = false,
  course = '',
}: {
  sound: boolean
  /** How many categories the scheme has. */
  categories: number
  missing: readonly MissingMarks[]
  /** Papers are still marked without names. */
  closed?: boolean
  course?: string
}): Reason[] {
  // Who lacks marks is not told while it could say whose paper is which.
  if (closed) return [{ code: 'names_closed', data: { course } }]
  const lacking = missing.filter((one) => one.categories.length > 0 || categories === 0)
  // All marks are there and yet no result: the bylaw has no grade for it.
  const ungraded = categories ? missing.filter((one) => one.categories.length === 0).map((one) => one.bylaw) : []
  return [
    ...(sound ? [] : [{ code: 'control_scheme' }]),
    ...(lacking.length
      ? [
          {
            code: 'control_marks',
            data: {
              count: lacking.length,
              ids: lacking.map((one) => one.registration_id),
              students: missing.slice(0, MOST_NAMED),
            },
          },
        ]
      : []),
    ...[...new Set(ungraded)].map((bylaw) => ({ code: 'grade_ranges_missing', data: { bylaw } })),
  ]
}

/** Papers of a final exam in a hall that are not settled: not handed out, not back, or not as many as were present. */
export interface OpenPapers {
  hall: string
  delivered: number
  present: number
  returned: number
}
/** Why reviewed marks are not approved yet: delivered = present = returned in every hall, or the difference is explained. */
export const checkApproval = ({
  papers = [],
  course = '',
}: {
  papers?: readonly OpenPapers[]
  course?: string
}): Reason[] =>
  papers.length
    ? [{ code: 'exam_papers_open', data: { course, count: papers.length, ...papers[0]!, halls: papers } }]
    : []

export const visibleParts = ['marks', 'letter', 'points', 'gpa'] as const

/** From which control status on a student sees each part of a result; null = never. Set in the bylaw. */
export type GradesVisibility = Record<(typeof visibleParts)[number], ControlStatus | null>

/** What a student sees of a result in a control status. */
export function studentView(
  visibility: GradesVisibility,
  status: ControlStatus,
): Record<(typeof visibleParts)[number], boolean> {
  const sees = (part: (typeof visibleParts)[number]): boolean => {
    const from = visibility[part]
    return from !== null && statusReached(status, from)
  }
  return { marks: sees('marks'), letter: sees('letter'), points: sees('points'), gpa: sees('gpa') }
}
