import { expect, test } from 'vitest'
import { NEXT_STATUSES, checkStatus } from './status.rules.ts'
import type { StatusFacts } from './status.rules.ts'

const fine: StatusFacts = {
  from: 'studying',
  to: 'suspended',
  decided_on: '2026-01-02',
  today: '2026-01-02',
  transfer_waits: false,
}
const against = (part: Partial<StatusFacts>) =>
  checkStatus({ ...fine, ...part }).map(({ code, field }) => `${code}@${field}`)

test.each<[Partial<StatusFacts>, string[]]>([
  [{}, []],
  [{ to: 'studying' }, ['status_same@status']],
  [{ from: 'graduated', to: 'studying' }, ['status_final@status']],
  [{ to: 'transferred' }, ['status_by_transfer@status']],
  [{ from: 'suspended', to: 'graduated' }, ['status_not_next@status']],
  [{ transfer_waits: true }, []],
  [{ to: 'withdrawn', transfer_waits: true }, ['status_transfer_waits@status']],
  [{ decided_on: '2026-01-03' }, ['status_decided_later@decided_on']],
])('%o', (part, expected) => expect(against(part)).toEqual(expected))

test('what may follow is decided, and nothing else', () => {
  for (const [from, next] of Object.entries(NEXT_STATUSES) as [StatusFacts['from'], StatusFacts['to'][]][])
    for (const to of Object.keys(NEXT_STATUSES) as StatusFacts['to'][])
      expect(against({ from, to }).length === 0, `${from} → ${to}`).toBe(next.includes(to))
})
