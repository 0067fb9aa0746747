/** What courses count as while it is edited. */
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { DecisionsInput, Equivalence } from './equivalence.contract.ts'

/** One of our courses in a draft. */
export interface DraftCourse {
  readonly course_id: number
  readonly credit_hours: number | null
  readonly letter: string | null
  readonly mark: string | null
  readonly counts_in_gpa: boolean
}
/** What one of their courses counts as: courses of ours, or together with another line. */
export interface EquivalenceDraft {
  readonly id: number
  readonly counts: readonly DraftCourse[]
  readonly joined_to: number | null
}

/** A line as it stands. */
const draftOf = (line: Equivalence): EquivalenceDraft => ({
  id: line.id,
  counts: [line, ...line.more].flatMap((one) =>
    one.course
      ? [
          {
            course_id: one.course.id,
            credit_hours: one.credit_hours,
            letter: one.mark === null ? one.letter : null,
            mark: one.mark,
            counts_in_gpa: one.counts_in_gpa,
          },
        ]
      : [],
  ),
  joined_to: line.joined_to,
})

export const isDraftChanged = (line: Equivalence, draft: EquivalenceDraft): boolean =>
  JSON.stringify(draftOf(line)) !== JSON.stringify(draft)

/** A draft as it is sent. */
const decisionOf = ({ id, counts, joined_to }: EquivalenceDraft): DecisionsInput['courses'][number] => {
  const [first, ...more] = counts
  return {
    id,
    joined_to,
    ...(first ?? { course_id: null, credit_hours: null, letter: null, mark: null, counts_in_gpa: false }),
    more,
  }
}

/** What courses count as while somebody edits it: `asked` is what to show the outcome of, once typing pauses. */
export function useDrafts(lines: readonly Equivalence[]) {
  const [drafts, setDrafts] = useState<ReadonlyMap<number, EquivalenceDraft>>(
    () => new Map(lines.map((line) => [line.id, draftOf(line)])),
  )
  const sent = useMemo(() => [...drafts.values()].map(decisionOf), [drafts])
  const [asked] = useDebouncedValue(sent, 250)
  return {
    drafts,
    change: (draft: EquivalenceDraft) => setDrafts((kept) => new Map(kept).set(draft.id, draft)),
    sent,
    asked,
    changed: lines.some((line) => isDraftChanged(line, drafts.get(line.id)!)),
  }
}
