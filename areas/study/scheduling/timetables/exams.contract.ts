import { z } from 'zod'
import { EXAM_KINDS, EXAM_WORDS } from '#areas/common/academics/exam-words.contract.ts'
import { id, ref, type Label } from '#kit/contract/index.ts'

/** In which way an exam is somebody's. */
export const EXAM_ROLES = ['sits', 'invigilates', 'teaches', 'held'] as const

/** An exam in a timetable: once it is published. */
export const shownExam = z.object({
  /** Of the offering in the exam. */
  id,
  version: z.int(),
  as: z.enum(EXAM_ROLES),
  kind: z.enum(EXAM_KINDS.map(({ value }) => value)),
  offering_id: id,
  course: ref,
  on_date: z.string(),
  from: z.string(),
  to: z.string(),
  /** Of who has a seat, that hall alone; of who invigilates, the own ones. */
  halls: z.array(ref),
  seat: z.int().nullable(),
  /** It was published and is planned anew: calendars cancel it, timetables do not show it. */
  cancelled: z.boolean(),
})
export type ShownExam = z.output<typeof shownExam>

/** What it is to its reader. */
export const examWords = ({ as, kind }: Pick<ShownExam, 'as' | 'kind'>): Label =>
  as === 'invigilates' ? ['Invigilation', 'مراقبة امتحان'] : EXAM_WORDS[kind]
