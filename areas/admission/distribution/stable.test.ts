import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOT_OFFERED, NOT_RANKED, rankWishes } from './input.rules.ts'
import { proveDistribution } from './proof/proof.rules.ts'
import { assignStably } from './stable.rules.ts'
import {
  bestByTheWords,
  blockingByTheWords,
  chance,
  chooseByTheWords,
  instanceColumns,
  madeInput,
  type InstanceFile,
} from './testing.server.ts'

const GROUPS = ['technical', 'foreign', 'women']

/**
 * Few applicants and programs with everything that may happen: no seats, no preferences, a program twice among them, one that
 * is not offered, nobody ranked, strangers in a ranking, limits of every kind and size. Somebody in two groups meets limits for
 * one of them at most: groups that a program limits are taken from those that share no applicant.
 */
const anyInstance = (applicants: number, programs: number): fc.Arbitrary<InstanceFile> =>
  fc
    .record({
      applicants: fc.array(
        fc.record({
          groups: fc.subarray(GROUPS, { maxLength: 2 }),
          preferences: fc.array(fc.integer({ min: 0, max: programs }), { maxLength: programs + 1 }),
        }),
        { maxLength: applicants },
      ),
      programs: fc.array(
        fc.record({
          capacity: fc.integer({ min: 0, max: 5 }),
          order: fc.infiniteStream(fc.integer({ min: 0, max: 1_000_000 })),
          ranked: fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
          stranger: fc.boolean(),
          limited: fc.shuffledSubarray(GROUPS),
          maximum: fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { minLength: 3, maxLength: 3 }),
          reserved: fc.array(fc.option(fc.integer({ min: 0, max: 4 })), { minLength: 3, maxLength: 3 }),
        }),
        { minLength: 1, maxLength: programs },
      ),
    })
    .map((made) => {
      const all = made.applicants.map(({ groups, preferences }, i) => ({
        id: `a${i}`,
        groups,
        preferences: preferences.map((p) => `p${p}`),
      }))
      return {
        applicants: all,
        programs: made.programs.map((one, i) => {
          const order = new Map(all.map((a) => [a.id, one.order.next().value!]))
          const ranking = all
            .filter(() => one.ranked.next().value! > 0)
            .map((a) => a.id)
            .toSorted((a, b) => order.get(a)! - order.get(b)!)
          if (one.stranger) ranking.splice(ranking.length >> 1, 0, 'stranger')
          const limited: string[] = []
          for (const group of one.limited) {
            const both = all.some((a) => a.groups.includes(group) && a.groups.some((g) => limited.includes(g)))
            if (!both) limited.push(group)
          }
          const limits = (values: readonly (number | null)[]) =>
            Object.fromEntries(limited.flatMap((g, k) => (values[k] == null ? [] : [[g, values[k]]])))
          return {
            id: `p${i}`,
            capacity: one.capacity,
            ranking,
            maximum: limits(one.maximum),
            reserved: limits(one.reserved),
          }
        }),
      }
    })

/** What the solver gives, by ids. */
function solved(instance: InstanceFile): Map<string, string> {
  const input = instanceColumns(instance)
  const { ranked, overlapCount } = rankWishes(input)
  expect(overlapCount).toBe(0)
  const { given } = assignStably(ranked)
  return new Map(
    instance.applicants.flatMap((a, i) =>
      given[i]! < 0 ? [] : [[a.id, instance.programs[input.wishes[given[i]!]!]!.id] as const],
    ),
  )
}
const assignedOf = (instance: InstanceFile, given: ReadonlyMap<string, string>): Int32Array =>
  Int32Array.from(instance.applicants, (a) => instance.programs.findIndex((p) => p.id === given.get(a.id)))
const sorted = (given: ReadonlyMap<string, string>) => [...given].toSorted(([a], [b]) => a.localeCompare(b))

/** Every assignment that gives each applicant a wish, or nothing. */
function* everyAssignment(
  { applicants, programs }: InstanceFile,
  i = 0,
  given = new Map<string, string>(),
): Generator<Map<string, string>> {
  const one = applicants[i]
  if (!one) return void (yield new Map(given))
  yield* everyAssignment({ applicants, programs }, i + 1, given)
  for (const p of new Set(one.preferences)) {
    if (!programs.find(({ id }) => id === p)?.ranking.includes(one.id)) continue
    given.set(one.id, p)
    yield* everyAssignment({ applicants, programs }, i + 1, given)
    given.delete(one.id)
  }
}
function isStable(instance: InstanceFile, given: ReadonlyMap<string, string>): boolean {
  const groups = new Map(instance.applicants.map((a) => [a.id, a.groups ?? []]))
  const kept = instance.programs.every((program) => {
    const there = [...given].filter(([, p]) => p === program.id).map(([a]) => a)
    return chooseByTheWords(program, groups, there).size === there.length
  })
  return kept && blockingByTheWords(instance, given).length === 0
}

describe('the assignment', () => {
  it('is the one that choosing anew at each proposal comes to', () => {
    fc.assert(
      fc.property(anyInstance(14, 4), (instance) => {
        expect(sorted(solved(instance))).toEqual(sorted(bestByTheWords(instance)))
      }),
      { numRuns: 4000 },
    )
  })

  it('is, of all stable ones, the best for every applicant', () => {
    fc.assert(
      fc.property(anyInstance(5, 3), (instance) => {
        const mine = solved(instance)
        const place = (a: InstanceFile['applicants'][number], given: ReadonlyMap<string, string>) =>
          given.has(a.id) ? a.preferences.indexOf(given.get(a.id)!) : a.preferences.length
        const stable = [...everyAssignment(instance)].filter((given) => isStable(instance, given))
        expect(stable.map(sorted)).toContainEqual(sorted(mine))
        for (const other of stable)
          for (const a of instance.applicants) expect(place(a, mine)).toBeLessThanOrEqual(place(a, other))
      }),
      { numRuns: 600 },
    )
  })

  it('is the same in whatever order applicants and programs are given', () => {
    fc.assert(
      fc.property(anyInstance(12, 4), ({ applicants, programs }) => {
        const turned = { applicants: applicants.toReversed(), programs: programs.toReversed() }
        expect(sorted(solved(turned))).toEqual(sorted(solved({ applicants, programs })))
      }),
      { numRuns: 1000 },
    )
  })

  it('gives nobody less when a program has one seat more', () => {
    fc.assert(
      fc.property(anyInstance(12, 4), fc.integer({ min: 0, max: 3 }), (instance, at) => {
        // Reserved seats beyond the capacity could be filled by whom nobody would have lost a seat to before.
        fc.pre(instance.programs.every((p) => Object.keys(p.reserved ?? {}).length === 0))
        const more = {
          ...instance,
          programs: instance.programs.map((p, i) => (i === at ? { ...p, capacity: p.capacity + 1 } : p)),
        }
        const [before, after] = [solved(instance), solved(more)]
        for (const a of instance.applicants) {
          if (!before.has(a.id)) continue
          expect(after.has(a.id)).toBe(true)
          expect(a.preferences.indexOf(after.get(a.id)!)).toBeLessThanOrEqual(a.preferences.indexOf(before.get(a.id)!))
        }
      }),
      { numRuns: 1000 },
    )
  })

  const person = (id: string, preferences: string[], groups: string[] = []) => ({ id, groups, preferences })
  const program = (
    id: string,
    capacity: number,
    ranking: string[],
    more: Partial<InstanceFile['programs'][number]> = {},
  ) => ({
    id,
    capacity,
    ranking,
    ...more,
  })
  const all = (...ids: string[]) =>
    ids.map((id) => person(id, ['p'], id.startsWith('t') ? ['t'] : id.startsWith('f') ? ['f'] : []))
  it.each<[string, InstanceFile, string[]]>([
    ['nobody', { applicants: [], programs: [program('p', 3, [])] }, []],
    ['the best ranked', { applicants: all('a', 'b', 'c'), programs: [program('p', 2, ['c', 'a', 'b'])] }, ['a', 'c']],
    ['no seats', { applicants: all('a'), programs: [program('p', 0, ['a'])] }, []],
    ['whoever is not ranked', { applicants: all('a', 'b'), programs: [program('p', 2, ['b'])] }, ['b']],
    [
      'reserved seats go to the group first, however it ranks',
      { applicants: all('a', 'b', 't1'), programs: [program('p', 2, ['a', 'b', 't1'], { reserved: { t: 1 } })] },
      ['a', 't1'],
    ],
    [
      'the best of the group have the reserved seats, the others compete',
      {
        applicants: all('t1', 'a', 't2', 'b'),
        programs: [program('p', 2, ['t1', 'a', 't2', 'b'], { reserved: { t: 1 } })],
      },
      ['a', 't1'],
    ],
    [
      'reserved seats without applicants are open to all',
      { applicants: all('a', 'b'), programs: [program('p', 2, ['a', 'b'], { reserved: { t: 2 } })] },
      ['a', 'b'],
    ],
    [
      'a maximum',
      { applicants: all('f1', 'f2', 'a'), programs: [program('p', 3, ['f1', 'f2', 'a'], { maximum: { f: 1 } })] },
      ['a', 'f1'],
    ],
    [
      'a maximum of none',
      { applicants: all('f1', 'a'), programs: [program('p', 3, ['f1', 'a'], { maximum: { f: 0 } })] },
      ['a'],
    ],
    [
      'a maximum below what is reserved: no more than the maximum',
      {
        applicants: all('f1', 'f2', 'a', 'b'),
        programs: [program('p', 3, ['a', 'b', 'f1', 'f2'], { maximum: { f: 1 }, reserved: { f: 2 } })],
      },
      ['a', 'b', 'f1'],
    ],
    [
      'more reserved than seats: the group that stands first is filled first',
      {
        applicants: all('f1', 'f2', 't1', 't2'),
        programs: [program('p', 3, ['f1', 'f2', 't1', 't2'], { reserved: { t: 2, f: 2 } })],
      },
      ['f1', 't1', 't2'],
    ],
  ])('gives seats to: %s', (_, instance, admitted) => {
    expect([...solved(instance).keys()].toSorted()).toEqual(admitted)
    expect([...bestByTheWords(instance).keys()].toSorted()).toEqual(admitted)
  })

  it('sends away whom a better one displaces, along the whole chain', () => {
    const instance = {
      applicants: [person('a', ['p', 'q', 'r']), person('b', ['p', 'q']), person('c', ['q', 'p', 'r'])],
      programs: [program('p', 1, ['b', 'c', 'a']), program('q', 1, ['a', 'c', 'b']), program('r', 1, ['c', 'a'])],
    }
    expect(Object.fromEntries(solved(instance))).toEqual({ a: 'q', b: 'p', c: 'r' })
  })
})

describe('preferences with their slots and ranks', () => {
  it('has a slot of each limited group, and tells what is not ranked and not offered', () => {
    const { ranked, overlapCount } = rankWishes(
      instanceColumns({
        applicants: [
          { id: 'a', groups: ['x', 't'], preferences: ['p', 'nowhere', 'q', 'p'] },
          { id: 'b', preferences: ['q', 'p'] },
        ],
        programs: [
          { id: 'p', capacity: 1, ranking: ['b', 'stranger', 'a'], maximum: { f: 1 }, reserved: { t: 1 } },
          { id: 'q', capacity: 1, ranking: ['b', 'b'] },
        ],
      }),
    )
    expect(overlapCount).toBe(0)
    expect([...ranked.slots]).toEqual([0, NOT_OFFERED, NOT_RANKED, 0, 3, 2])
    // Ranked twice: the later place counts, as in the published rule.
    expect([...ranked.ranks]).toEqual([2, 0, 0, 2, 1, 0])
  })

  it('tells everybody who is in two groups with limits in one program, where it matters', () => {
    const groups = ['t', 'f']
    const { overlaps, overlapCount } = rankWishes(
      instanceColumns({
        applicants: [
          { id: 'a', groups, preferences: ['p', 'q', 'r'] },
          { id: 'b', groups, preferences: ['q'] },
          { id: 'c', groups, preferences: ['p'] },
          { id: 'd', groups: ['t', 't'], preferences: ['p'] },
        ],
        programs: [
          { id: 'p', capacity: 1, ranking: ['a', 'd', 'a'], maximum: { t: 1 }, reserved: { f: 1 } },
          { id: 'q', capacity: 1, ranking: ['a', 'b'], maximum: { f: 1 } },
          { id: 'r', capacity: 1, ranking: ['a'], maximum: { t: 1, f: 1 } },
        ],
      }),
    )
    expect(overlapCount).toBe(2)
    expect(overlaps).toEqual([
      { applicant: 0, program: 0, groups: [0, 1] },
      { applicant: 0, program: 2, groups: [0, 1] },
    ])
  })
})

describe('a program’s choice', () => {
  const groups = new Map(['t1', 't2', 'f1', 'f2', 'f3', 'a', 'b', 'c'].map((id) => [id, [id[0]!]]))
  const choice = fc.record({
    capacity: fc.integer({ min: 0, max: 6 }),
    ranking: fc.shuffledSubarray([...groups.keys()]),
    maximum: fc.dictionary(fc.constantFrom('t', 'f'), fc.integer({ min: 0, max: 3 })),
    reserved: fc.dictionary(fc.constantFrom('f', 't'), fc.integer({ min: 0, max: 4 })),
  })
  // What the proof of the README stands on.
  it('never wants back whom it refused, and never takes fewer when more come', () => {
    fc.assert(
      fc.property(choice, fc.subarray([...groups.keys()]), fc.constantFrom(...groups.keys()), (one, from, more) => {
        const program = { id: 'p', ...one }
        const before = chooseByTheWords(program, groups, from)
        const after = chooseByTheWords(program, groups, [...from, more])
        for (const a of from) if (after.has(a)) expect(before.has(a)).toBe(true)
        expect(after.size).toBeGreaterThanOrEqual(before.size)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('thousands of applicants', () => {
  it.each([
    { seats: 0.5, alike: 0, popular: 1 },
    { seats: 0.9, alike: 0.5, popular: 0.4 },
    { seats: 1.3, alike: 1, popular: 0.6 },
  ])('are distributed and proven, $seats seats each, rankings alike $alike', (how) => {
    const input = madeInput({ applicants: 6000, programs: 40, preferences: 8, quotas: true, ...how }, 7)
    const { given } = assignStably(rankWishes(input).ranked)
    const assigned = Int32Array.from(given, (at) => (at < 0 ? -1 : input.wishes[at]!))
    expect(proveDistribution(input, assigned)).toMatchObject({ count: 0, bestForApplicants: 'yes', applicants: 6000 })
    // Proof and solver are two: one who loses a seat for nothing is noticed.
    const random = chance(3)
    let lost = Math.floor(random() * 6000)
    while (assigned[lost]! < 0) lost = (lost + 1) % 6000
    assigned[lost] = -1
    expect(proveDistribution(input, assigned).blockingPairs).toBeGreaterThan(0)
  })
})

describe('the proof', () => {
  it('says of every assignment what choosing by the words says of it', () => {
    fc.assert(
      fc.property(anyInstance(5, 3), (instance) => {
        const best = sorted(bestByTheWords(instance))
        const input = instanceColumns(instance)
        for (const given of everyAssignment(instance)) {
          const proof = proveDistribution(input, assignedOf(instance, given))
          const stable = isStable(instance, given)
          const same = JSON.stringify(sorted(given)) === JSON.stringify(best)
          expect(proof.bestForApplicants).toBe(stable ? (same ? 'yes' : 'no') : 'not looked at')
          expect(proof.count === 0).toBe(same)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('counts every pair that blocks', () => {
    fc.assert(
      fc.property(anyInstance(9, 3), fc.infiniteStream(fc.nat()), (made, by) => {
        const instance = {
          ...made,
          applicants: made.applicants.map((a) => ({ ...a, preferences: [...new Set(a.preferences)] })),
        }
        const given = new Map(
          instance.applicants.flatMap((a) => {
            const ranked = a.preferences.filter((p) =>
              instance.programs.find(({ id }) => id === p)?.ranking.includes(a.id),
            )
            const p = ranked[by.next().value! % (ranked.length + 1)]
            return p === undefined ? [] : [[a.id, p] as const]
          }),
        )
        // Pairs are counted against what a program keeps: where it may not keep everybody, that is told instead.
        fc.pre(isKept(instance, given))
        const proof = proveDistribution(instanceColumns(instance), assignedOf(instance, given))
        expect(proof.blockingPairs).toBe(blockingByTheWords(instance, given).length)
      }),
      { numRuns: 3000 },
    )
  })
  function isKept(instance: InstanceFile, given: ReadonlyMap<string, string>): boolean {
    const groups = new Map(instance.applicants.map((a) => [a.id, a.groups ?? []]))
    return instance.programs.every((program) => {
      const there = [...given].filter(([, p]) => p === program.id).map(([a]) => a)
      return chooseByTheWords(program, groups, there).size === there.length
    })
  }
})
