import type { Reason } from '#kit/contract/issues.ts'
import type { PART_COURSES, PART_SOURCES } from '../parts/part.contract.ts'

export type PartSource = (typeof PART_SOURCES)[number]['value']
export type PartCourses = (typeof PART_COURSES)[number]['value']

/** A part as it is set up. */
export interface CourseFilePart {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly source: PartSource
  readonly asked_of: PartCourses
  readonly is_optional: boolean
  readonly min_files: number
  readonly names_hidden: boolean
  /** Set up no more; it stands where something was handed in for it. */
  readonly removed: boolean
}
/** Weekly hours of the course by kind. */
export interface CourseHours {
  readonly lecture: number
  readonly tutorial: number
  readonly laboratory: number
  readonly clinic: number
}
/** How the report of the offering stands: `outdated` where its figures are not those of now. */
export type ReportState = 'missing' | 'unanswered' | 'outdated' | 'filled'
/** What is there of an offering. */
export interface CourseFileFound {
  readonly hours: CourseHours
  /** Files handed in, by part. */
  readonly files: Readonly<Record<number, number>>
  readonly report: ReportState
  /** The course has an approved specification for the year. */
  readonly specified: boolean
  /** Its marks are published. */
  readonly published: boolean
  /** Meetings of which a list was kept. */
  readonly lists: number
}
/** found: it is there; missing; outdated: the report is not that of now; later: it comes with the marks. */
export type PartState = 'found' | 'missing' | 'outdated' | 'later'
export interface PartStanding extends CourseFilePart {
  readonly state: PartState
  /** Files or lists that are there. */
  readonly found: number
}

const asked = (part: CourseFilePart, hours: CourseHours): boolean => part.asked_of === 'all' || hours[part.asked_of] > 0

function standing(
  part: CourseFilePart,
  { files, report, published, lists, specified }: CourseFileFound,
): [PartState, number] {
  const handed = files[part.id] ?? 0
  if (part.source === 'upload') return [handed >= part.min_files ? 'found' : 'missing', handed]
  if (part.source === 'attendance') return [lists > 0 ? 'found' : 'missing', lists]
  if (part.source === 'specification') return [specified ? 'found' : 'missing', Number(specified)]
  if (part.source === 'marks') return [published ? 'found' : 'later', Number(published)]
  if (report === 'filled') return ['found', 1]
  if (report === 'outdated') return ['outdated', 1]
  return [published ? 'missing' : 'later', 0]
}

/**
 * The parts that are asked of an offering, in their order, each with what is there. A part that is set up no more stands only where
 * something was handed in for it, and is not asked then.
 */
export const standParts = (parts: readonly CourseFilePart[], found: CourseFileFound): PartStanding[] =>
  parts
    .filter((part) => (part.removed ? (found.files[part.id] ?? 0) > 0 : asked(part, found.hours)))
    .map((part) => {
      const [state, count] = standing(part, found)
      return { ...part, is_optional: part.is_optional || part.removed, state, found: count }
    })

const CODES = {
  upload: 'course_file_missing',
  specification: 'course_file_specification_missing',
  report: 'course_file_report_missing',
  attendance: 'course_file_attendance_missing',
  marks: 'course_file_marks_open',
} as const

/** Every reason why a course file cannot be handed in: what is asked and not there. */
export function checkCourseFile(parts: readonly PartStanding[]): Reason[] {
  if (!parts.some(({ removed }) => !removed)) return [{ code: 'course_file_nothing_asked' }]
  return parts
    .filter((part) => !part.is_optional && part.state !== 'found')
    .map(({ name, name_local, source, state, min_files, found }) => ({
      code:
        state === 'later'
          ? 'course_file_marks_open'
          : state === 'outdated'
            ? 'course_file_report_outdated'
            : CODES[source],
      data: { part: name, part_local: name_local, count: min_files - found },
    }))
}

/** What is looked at when a step is taken. */
export interface CourseFileFacts {
  readonly parts: readonly PartStanding[]
  /** Threads of comments that nobody has settled. */
  readonly open_comments: number
}
/** A course file that is handed in again has answered what was said. */
export const checkHandIn = ({ parts }: CourseFileFacts): Reason[] => checkCourseFile(parts)
/** Nobody approves what somebody still asks about. */
export const checkCourseFileDecision = ({ parts, open_comments }: CourseFileFacts): Reason[] => [
  // What was found before may be gone: marks that were opened again, a report that is not that of now.
  ...checkCourseFile(parts),
  ...(open_comments > 0 ? [{ code: 'course_file_comments_open', data: { count: open_comments } }] : []),
]

/** States in which what is handed in may be changed. */
export const OPEN_STATES: ReadonlySet<string> = new Set(['draft', 'not_accepted', 'not_approved'])
/** Files of one part at most. */
export const MOST_OF_PART = 20

/** Why a file is not taken for a part. */
export function checkDocument(
  part: PartStanding | undefined,
  of: { readonly names_hidden: boolean; readonly twice: boolean },
): Reason[] {
  if (!part || part.removed) return [{ field: 'part_id', code: 'course_file_part_not_asked' }]
  const reasons: Reason[] = []
  if (part.source !== 'upload') reasons.push({ field: 'part_id', code: 'course_file_part_by_itself' })
  if (part.names_hidden && !of.names_hidden) reasons.push({ field: 'names_hidden', code: 'course_file_names' })
  if (part.found >= MOST_OF_PART)
    reasons.push({ field: 'part_id', code: 'course_file_part_full', data: { max: MOST_OF_PART } })
  if (of.twice) reasons.push({ field: 'file', code: 'course_file_document_twice' })
  return reasons
}
