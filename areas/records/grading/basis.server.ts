/** Results and figures, as decisions of other areas stand on them. */
import type { AttemptKind } from '#areas/common/academics/status.rules.ts'
import { serveFact } from '#kit/server/workflow/basis-registry.ts'
import type { ServedFact } from '#kit/server/workflow/basis-registry.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { approvedFact, attemptFact, figuresFact, resultFact } from './basis.contract.ts'

type Value = Readonly<Record<string, unknown>>
const courseOf = (ids: RawBuilder<unknown>) =>
  sql`select r.id, c.code, c.name, c.name_local from registrations r join courses c on c.id = r.course_id where r.id = any(${ids})`

/** A letter with its points, or marks out of their maximum with the rating; null: there is no such result, or not yet. */
const resultInShort = ({ letter, points, total, maximum }: Value): string | null => {
  if (typeof letter !== 'string') return null
  if (typeof maximum === 'number') return `${letter} · ${String(total ?? '–')} / ${maximum}`
  return typeof points === 'number' ? `${letter} · ${points.toFixed(2)}` : letter
}

const ATTEMPT: Readonly<Record<string, AttemptKind>> = { 16: 'Fresh', 32: 'Repeat', 64: 'Improve' }

export const gradingFacts: readonly ServedFact[] = [
  serveFact(attemptFact, { named: courseOf, tell: ({ attempt }) => ATTEMPT[String(attempt)] ?? null }),
  serveFact(resultFact, { named: courseOf, tell: resultInShort }),
  serveFact(approvedFact, { named: courseOf, tell: resultInShort }),
  serveFact(figuresFact, {
    named: (ids) => sql`select s.id, s.code, s.name, s.name_local from students s where s.id = any(${ids})`,
    tell: ({ gpa, hours, level }) =>
      [typeof gpa === 'number' ? gpa.toFixed(2) : '–', String(hours), String(level)].join(' · '),
  }),
]
