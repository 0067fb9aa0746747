import type { Reason } from '#kit/contract/issues.ts'

/** Where the papers of a hall are. */
export const paperStates = ['nobody_seated', 'waiting', 'delivered', 'returned', 'differs', 'explained'] as const
export type PaperState = (typeof paperStates)[number]

/** The papers of an exam in a hall. */
export interface DeliveredPapers {
  readonly course: string
  readonly hall: string
  readonly present: number
  readonly delivered: number | null
  readonly returned: number | null
  readonly begins: string
  readonly begun: boolean
  /** Control has approved the offering: what was counted stays. */
  readonly approved: boolean
}
const settled = ({ approved, course }: DeliveredPapers): Reason[] =>
  approved ? [{ code: 'papers_settled', data: { course } }] : []
const data = ({ course, hall, present, delivered, returned }: DeliveredPapers) => ({
  course,
  hall,
  present,
  delivered: delivered ?? 0,
  returned: returned ?? 0,
})

/** Why papers do not go into the hall (again). */
export const checkDeliver = (papers: DeliveredPapers): Reason[] => [
  ...settled(papers),
  ...(papers.returned === null ? [] : [{ code: 'papers_back', data: data(papers) }]),
]

/** Why papers do not come back: a difference has to be explained. `returned` and `delivered` as they will be. */
export const checkPapersReturn = (papers: DeliveredPapers, explanation: string | null): Reason[] => [
  ...settled(papers),
  ...(papers.begun ? [] : [{ code: 'exam_not_begun', data: { course: papers.course, begins: papers.begins } }]),
  ...(papers.delivered === null ? [{ code: 'papers_not_delivered', data: data(papers) }] : []),
  // No reason makes more papers come back than went in: one of the two counts is wrong.
  ...(papers.delivered !== null && (papers.returned ?? 0) > papers.delivered
    ? [{ field: 'count', code: 'papers_more_than_out', data: data(papers) }]
    : []),
  ...(papers.delivered !== null &&
  (papers.delivered !== papers.present || papers.returned !== papers.present) &&
  !explanation?.trim()
    ? [{ field: 'reason', code: 'papers_differ', data: data(papers) }]
    : []),
]

/** Why the last count is not taken back. */
export const checkTakeBack = (papers: DeliveredPapers): Reason[] => [
  ...settled(papers),
  ...(papers.delivered === null ? [{ code: 'papers_not_delivered', data: data(papers) }] : []),
]
