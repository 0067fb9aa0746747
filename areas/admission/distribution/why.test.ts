import { expect, it } from 'vitest'
import { rankWishes } from './input.rules.ts'
import { assignStably } from './stable.rules.ts'
import { chooseByTheWords, instanceColumns, madeInput, type InstanceFile } from './testing.server.ts'
import { preferenceLadder, standingsOf } from './why.rules.ts'

const GROUPS = [
  { name: 'Technical', name_local: 'فنية' },
  { name: 'Foreign', name_local: 'وافدون' },
]
const person = (id: string, preferences: string[]) => ({
  id,
  groups: id.startsWith('t') ? ['t'] : id.startsWith('f') ? ['f'] : [],
  preferences,
})
/** Groups are numbered as they come: `t` is 0, `f` 1. */
const INSTANCE: InstanceFile = {
  applicants: [
    person('t1', ['open', 'shut', 'held', 'both']),
    person('f1', ['nowhere', 'none', 'open', 'few']),
    person('f2', ['few', 'held', 'shut']),
    person('a1', ['open', 'both']),
    person('a2', ['held', 'both', 'open', 'few']),
    person('t2', ['both']),
    person('t3', ['both']),
    person('a3', ['both']),
    person('t4', ['held']),
  ],
  programs: [
    // More than one wants a single seat.
    { id: 'open', capacity: 1, ranking: ['a1', 't1', 'a2'] },
    { id: 'shut', capacity: 0, ranking: ['t1', 'f2'] },
    // All seats reserved and filled.
    { id: 'held', capacity: 1, ranking: ['f2', 'a2', 't1', 't4'], reserved: { t: 1 } },
    // One seat for the technical, one for everybody.
    { id: 'both', capacity: 2, ranking: ['a2', 't2', 'a3', 't3'], reserved: { t: 1 } },
    { id: 'none', capacity: 5, ranking: ['f1'], maximum: { f: 0 } },
    { id: 'few', capacity: 3, ranking: ['f1', 'a2', 'f2'], maximum: { f: 1 } },
  ],
}
const input = instanceColumns(INSTANCE)
const { ranked } = rankWishes(input)
const { given } = assignStably(ranked)
const standings = standingsOf(ranked, input.wishes, given)
const ladder = (id: string) =>
  preferenceLadder(
    INSTANCE.applicants.findIndex((a) => a.id === id),
    ranked,
    input.wishes,
    given,
    standings,
    GROUPS,
  ).map(({ preference, program, outcome, rank, reasons }) => [
    preference,
    INSTANCE.programs[program]?.id ?? '-',
    outcome,
    rank,
    ...reasons,
  ])
const technical = { group: 'Technical', group_local: 'فنية' }
const foreign = { group: 'Foreign', group_local: 'وافدون' }

it('tells of each preference what became of it, and why', () => {
  expect(ladder('t1')).toEqual([
    [1, 'open', 'refused', 2, { code: 'admission_rank', data: { rank: 2, last: 1 } }],
    [2, 'shut', 'refused', 1, { code: 'admission_no_seats' }],
    [3, 'held', 'given', 3],
    [4, 'both', 'not_needed', null],
  ])
  expect(ladder('t4')).toEqual([
    [
      1,
      'held',
      'refused',
      4,
      { code: 'admission_all_reserved', data: { rank: 4, seats: 1 } },
      { code: 'admission_reserved_filled', data: { ...technical, reserved: 1, last: 3 } },
    ],
  ])
  expect(ladder('f1')).toEqual([
    [1, '-', 'not_offered', null, { code: 'admission_not_offered' }],
    [2, 'none', 'refused', 1, { code: 'admission_group_none', data: foreign }],
    [3, 'open', 'not_ranked', null, { code: 'admission_not_ranked' }],
    [4, 'few', 'given', 1],
  ])
  expect(ladder('f2')).toEqual([
    [1, 'few', 'refused', 3, { code: 'admission_group_maximum', data: { ...foreign, rank: 3, maximum: 1, last: 1 } }],
    [2, 'held', 'refused', 1, { code: 'admission_all_reserved', data: { rank: 1, seats: 1 } }],
    [3, 'shut', 'refused', 2, { code: 'admission_no_seats' }],
  ])
  expect(ladder('t3')).toEqual([
    [
      1,
      'both',
      'refused',
      4,
      { code: 'admission_rank', data: { rank: 4, last: 1 } },
      { code: 'admission_reserved_filled', data: { ...technical, reserved: 1, last: 2 } },
    ],
  ])
  expect(ladder('a3')).toEqual([[1, 'both', 'refused', 3, { code: 'admission_rank', data: { rank: 3, last: 1 } }]])
})

it('tells the cut-offs of each preference, of all and of the group', () => {
  const of = (id: string) =>
    preferenceLadder(
      INSTANCE.applicants.findIndex((a) => a.id === id),
      ranked,
      input.wishes,
      given,
      standings,
      GROUPS,
    ).map(({ cutOff, groupCutOff }) => [cutOff, groupCutOff])
  // t2 has the reserved seat with rank 2, a2 the open one with rank 1.
  expect(of('t3')).toEqual([[2, 2]])
  expect(of('a3')).toEqual([[2, 1]])
  // Not offered; nobody of the group; not ranked; given.
  expect(of('f1')).toEqual([
    [null, null],
    [null, null],
    [1, null],
    [1, 1],
  ])
})

it('tells how each program stands', () => {
  const at = (id: string) => INSTANCE.programs.findIndex((p) => p.id === id)
  const both = at('both')
  const first = standings.slotAt[both]!
  expect([standings.filled[both], standings.lastOfAll[both], standings.lastOnOpen[both]]).toEqual([2, 1, 0])
  expect([standings.admitted[first], standings.onReserved[first], standings.last[first]]).toEqual([1, 1, 1])
  expect([standings.wishedFirst[both], standings.givenFirst[both]]).toEqual([3, 1])
  expect([standings.filled[at('shut')], standings.lastOfAll[at('shut')], standings.lastOnOpen[at('held')]]).toEqual([
    0, -1, -1,
  ])
})

it('gives reasons that are true in hundreds of cases made by chance', () => {
  const made = madeInput({ applicants: 400, programs: 15, preferences: 7, seats: 0.7, alike: 0.3, quotas: true }, 5)
  const wishes = rankWishes(made).ranked
  const got = assignStably(wishes).given
  const stand = standingsOf(wishes, made.wishes, got)
  const called = Array.from({ length: made.groupCount }, (_, g) => ({ name: `g${g}`, name_local: `ج${g}` }))
  const seen = new Set<string>()
  const groups = new Map<string, readonly string[]>()
  const held: string[][] = made.programs.map(() => [])
  for (let a = 0; a < made.applicants; a++) {
    groups.set(
      `${a}`,
      Array.from(made.groups.subarray(made.groupAt[a], made.groupAt[a + 1]), (g) => `g${g}`),
    )
    if (got[a]! >= 0) held[made.wishes[got[a]!]!]!.push(`${a}`)
  }
  const programs = made.programs.map(({ capacity, limits }, p) => ({
    id: `${p}`,
    capacity,
    ranking: Array.from(made.ranking.subarray(made.rankAt[p], made.rankAt[p + 1]), String),
    maximum: Object.fromEntries(limits.flatMap((l) => (l.maximum === null ? [] : [[`g${l.group}`, l.maximum]]))),
    reserved: Object.fromEntries(limits.map((l) => [`g${l.group}`, l.reserved])),
  }))
  for (let a = 0; a < made.applicants; a++)
    for (const { program, outcome, rank, reasons } of preferenceLadder(a, wishes, made.wishes, got, stand, called)) {
      if (outcome !== 'refused') continue
      const there = programs[program]!
      const rankOf = (who: string) => there.ranking.indexOf(who) + 1
      expect(rank).toBe(rankOf(`${a}`))
      expect(chooseByTheWords(there, groups, [...held[program]!, `${a}`])).not.toContain(`${a}`)
      const limited = (who: string) => groups.get(who)!.find((g) => g in there.reserved || g in there.maximum)
      const ofGroup = (g: string) => held[program]!.filter((who) => limited(who) === g)
      for (const { code, data = {} } of reasons) {
        seen.add(code)
        if ('last' in data) expect(data.rank === undefined || Number(data.rank) > Number(data.last)).toBe(true)
        if ('group' in data) expect(data.group).toBe(limited(`${a}`))
        if (code === 'admission_group_maximum') {
          expect(ofGroup(String(data.group))).toHaveLength(Number(data.maximum))
          expect(Math.max(...ofGroup(String(data.group)).map(rankOf))).toBe(data.last)
        }
        if (code === 'admission_rank') {
          // Whoever has that rank has an open seat: without him or her there is one more for everybody.
          const last = there.ranking[Number(data.last) - 1]!
          expect(held[program]).toContain(last)
          const rest = held[program]!.filter((who) => who !== last)
          const outsider = { ...there, ranking: [...there.ranking, 'outsider'] }
          const all = new Map([...groups, ['outsider', []]])
          expect(chooseByTheWords(outsider, all, [...rest, 'outsider'])).toContain('outsider')
          expect(held[program]).toHaveLength(there.capacity)
        }
      }
    }
  expect([...seen].toSorted()).toEqual([
    'admission_group_maximum',
    'admission_group_none',
    'admission_rank',
    'admission_reserved_filled',
  ])
})
