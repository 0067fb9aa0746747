import type { Reason } from '#kit/contract/issues.ts'

/** What keeps a student from registering keeps from moving as well. */
export type HoldKind = 'unpaid_invoice' | 'obligatory_survey' | 'blocked' | 'missing_documents'
const HOLD_CODES = {
  unpaid_invoice: 'transfer_debt',
  obligatory_survey: 'transfer_survey',
  blocked: 'transfer_blocked',
  missing_documents: 'transfer_documents',
} as const satisfies Record<HoldKind, string>

/** What is known of a student who wants to leave the program or the university. */
export interface LeaverFacts {
  readonly studying: boolean
  readonly holds: readonly HoldKind[]
}
/** Why a student can leave neither program nor university now. */
export const checkLeaver = ({ studying, holds }: LeaverFacts): Reason[] => [
  ...(studying ? [] : [{ code: 'transfer_not_studying' }]),
  ...[...new Set(holds)].map((kind) => ({ code: HOLD_CODES[kind] })),
]

/** What is known of a wish to move to a program. */
export interface MoveFacts extends LeaverFacts {
  /** A request to leave the university waits. */
  readonly out_pending: boolean
  /** The program is open, and not the student's own. */
  readonly program_there: boolean
  readonly program_own: boolean
  /** The person has another record in the program. */
  readonly program_elsewhere: boolean
  /** Places of the program in the term; null: any number. */
  readonly places: number | null
  readonly taken: number
  /** Moves of the student in the term, and how many there may be; null: any number. */
  readonly moves: number
  readonly most_moves: number | null
}
/** Why a student cannot ask to move to a program. */
export const checkMove = (facts: MoveFacts): Reason[] => [
  ...checkLeaver(facts),
  ...(facts.out_pending ? [{ code: 'transfer_while_out' }] : []),
  ...(facts.program_own ? [{ field: 'program_id', code: 'transfer_own_program' }] : []),
  ...(facts.program_elsewhere ? [{ field: 'program_id', code: 'transfer_to_other_record' }] : []),
  ...(facts.program_there ? [] : [{ field: 'program_id', code: 'reference_missing' }]),
  ...(facts.places !== null && facts.taken >= facts.places
    ? [{ field: 'program_id', code: 'transfer_places', data: { places: facts.places } }]
    : []),
  ...(facts.most_moves !== null && facts.moves >= facts.most_moves
    ? [{ code: 'transfer_again', data: { count: facts.most_moves } }]
    : []),
]

/** What executing looks at besides. */
export interface ExecutionFacts extends MoveFacts {
  /** The student is still in the program that the request names. */
  readonly same_program: boolean
  /** The faculty that is left agreed, or it is the same. */
  readonly agreed: boolean
  /** Courses on which nothing is decided. */
  readonly undecided: number
  /** Results of earlier terms that are not published. */
  readonly open_results: number
  /** By marks: the level of the last year that is over is not decided. */
  readonly level_open: boolean
  /** Codes of courses that are to be credited and are in the plan no more; null: all are. */
  readonly gone: string | null
  /** Codes of courses that course or bylaw would not take so any more; null: all fit. */
  readonly unfit: string | null
  /** Courses whose result is another one than that on which it was decided what they count as. */
  readonly changed: readonly Reason[]
}
/** Why a transfer cannot be executed now. */
export const checkExecution = (facts: ExecutionFacts): Reason[] => [
  ...checkMove(facts),
  ...(facts.same_program ? [] : [{ code: 'transfer_program_changed' }]),
  ...(facts.agreed ? [] : [{ code: 'transfer_not_agreed' }]),
  ...(facts.undecided ? [{ code: 'transfer_undecided', data: { count: facts.undecided } }] : []),
  ...(facts.open_results ? [{ code: 'transfer_results_open', data: { count: facts.open_results } }] : []),
  ...(facts.level_open ? [{ code: 'transfer_level_open' }] : []),
  ...(facts.unfit ? [{ code: 'transfer_rules_changed', data: { courses: facts.unfit } }] : []),
  ...(facts.gone ? [{ code: 'transfer_course_gone', data: { courses: facts.gone } }] : []),
  // What is not published is told as such.
  ...facts.changed.filter(({ data }) => !facts.open_results || data?.now !== '–'),
]
