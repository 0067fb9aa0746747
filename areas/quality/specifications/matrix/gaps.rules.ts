/** What a specification lacks. Some of it stands against its approval, the rest is told. */
import type { Reason } from '#kit/contract/issues.ts'

export interface GapNamed {
  readonly id: number
  readonly name: string
  readonly name_local: string
}
/** A specification as the rules look at it. Weights in hundredths of a percent, so that their sum is exact. */
export interface SpecificationFacts {
  readonly of: 'course' | 'program'
  readonly outcomes: readonly { readonly id: number; readonly code: string }[]
  readonly topics: readonly GapNamed[]
  readonly assessments: readonly (GapNamed & { readonly weight: number | null })[]
  /** Outcome and topic; outcome and assessment. */
  readonly taught: readonly (readonly [outcome: number, topic: number])[]
  readonly assessed: readonly (readonly [outcome: number, assessment: number])[]
  /** Outcomes of programs that outcomes of a course serve; `known`: the program still has it. */
  readonly serves: readonly {
    readonly outcome_id: number
    readonly program: string
    readonly code: string
    readonly known: boolean
  }[]
  /** Of a course: whether a program with it in its plan has outcomes. */
  readonly wanted: boolean
  /** Of a program: codes of its outcomes that courses of its plan serve. */
  readonly served: readonly string[]
  /** Offerings whose mark scheme gives a part another share than the assessments say; shares in percent. */
  readonly schemes: readonly {
    readonly offering: string
    readonly category: string
    readonly category_local: string
    readonly has: number
    readonly wants: number
  }[]
}
/** A lack; `blocks`: it is not approved like this. */
export interface SpecificationGap {
  readonly blocks: boolean
  readonly reason: Reason
}

const WHOLE = 10_000
const counted = (pairs: readonly (readonly [number, number])[], at: 0 | 1): Map<number, number> => {
  const times = new Map<number, number>()
  for (const pair of pairs) times.set(pair[at], (times.get(pair[at]) ?? 0) + 1)
  return times
}
const blocks = (code: string, data?: Record<string, unknown>): SpecificationGap => ({
  blocks: true,
  reason: { code, ...(data && { data }) },
})
const told = (code: string, data: Record<string, unknown>): SpecificationGap => ({
  blocks: false,
  reason: { code, data },
})

function ofCourse(facts: SpecificationFacts): SpecificationGap[] {
  const { outcomes, topics, assessments, serves } = facts
  const assessed = counted(facts.assessed, 0)
  const assesses = counted(facts.assessed, 1)
  const taught = counted(facts.taught, 0)
  const teaches = counted(facts.taught, 1)
  const serving = new Set(serves.map((one) => one.outcome_id))
  const sum = assessments.reduce((all, { weight }) => all + (weight ?? 0), 0)
  return [
    ...(assessments.length && sum === WHOLE ? [] : [blocks('spec_weights_sum', { sum: sum / 100 })]),
    ...outcomes.flatMap(({ id, code }) => [
      ...(assessed.has(id) ? [] : [blocks('spec_outcome_not_assessed', { code })]),
      ...(taught.has(id) ? [] : [blocks('spec_outcome_not_taught', { code })]),
    ]),
    ...outcomes.flatMap(({ id, code }) => [
      ...(assessed.get(id) === 1 ? [told('spec_outcome_assessed_once', { code })] : []),
      ...(facts.wanted && !serving.has(id) ? [told('spec_outcome_serves_none', { code })] : []),
    ]),
    ...topics.flatMap(({ id, name, name_local }) =>
      teaches.has(id) ? [] : [told('spec_topic_idle', { name, name_local })],
    ),
    ...assessments.flatMap(({ id, name, name_local }) =>
      assesses.has(id) ? [] : [told('spec_assessment_idle', { name, name_local })],
    ),
    ...serves.flatMap(({ known, program, code }) => (known ? [] : [told('spec_served_gone', { program, code })])),
    ...facts.schemes.map(({ offering, category, category_local, has, wants }) =>
      told('spec_scheme_differs', { offering, category, category_local, has, wants }),
    ),
  ]
}

function ofProgram({ outcomes, served }: SpecificationFacts): SpecificationGap[] {
  const by = new Set(served)
  return outcomes.flatMap(({ code }) => (by.has(code) ? [] : [told('spec_program_outcome_unserved', { code })]))
}

/** Everything that a specification lacks, what stands against its approval first. */
export function specificationGaps(facts: SpecificationFacts): SpecificationGap[] {
  return [
    ...(facts.outcomes.length ? [] : [blocks('spec_outcomes_none')]),
    ...(facts.of === 'course' ? ofCourse(facts) : ofProgram(facts)),
  ]
}

/** A specification that waits for a decision; `mine`: whoever decides has submitted it. */
export type DecisionFacts = SpecificationFacts & { readonly mine: boolean }
/** Nobody decides on what he or she submitted. */
export const checkNotMine = ({ mine }: DecisionFacts): Reason[] => (mine ? [{ code: 'specification_own' }] : [])

/** Why a specification is not submitted or approved as it is. */
export const checkSubmitted = (facts: SpecificationFacts): Reason[] =>
  specificationGaps(facts).flatMap((gap) => (gap.blocks ? [gap.reason] : []))
