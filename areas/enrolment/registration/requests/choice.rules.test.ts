import { describe, expect, it, test } from 'vitest'
import { seededRandom } from '#demo/random.ts'
import { meetingsClash } from '../registration.rules.ts'
import { alternativesByGroup, chooseSlots, type ChoosableSlot } from './choice.rules.ts'

const slot = (id: number, of: Partial<ChoosableSlot> = {}): ChoosableSlot => ({
  id,
  group_id: 1,
  type: 'Lecture',
  section: null,
  meetings: [{ day: id % 7, from: 480, to: 570 }],
  free: 10,
  ...of,
})

describe('ways to attend', () => {
  it('are a slot by itself, or all slots of a section', () => {
    const slots = [
      slot(1),
      slot(2, { type: 'Lab', section: 'A' }),
      slot(3, { type: 'Lab', section: 'A' }),
      slot(4, { type: 'Lab' }),
      slot(5, { group_id: 2 }),
    ]
    const ids = [...alternativesByGroup(slots)].map(([group, ways]) => [
      group,
      ways.map((way) => [way.type, way.slots.map(({ id }) => id)]),
    ])
    expect(ids).toEqual([
      [
        1,
        [
          ['Lecture', [1]],
          ['Lab', [2, 3]],
          ['Lab', [4]],
        ],
      ],
      [2, [['Lecture', [5]]]],
    ])
  })
})

test.each<[string, ChoosableSlot[], { day: number; from: number; to: number }[], number[] | null]>([
  ['nothing to choose from', [], [], null],
  ['one of each type', [slot(1), slot(2, { type: 'Lab' })], [], [1, 2]],
  ['the freer of two', [slot(1, { free: 3 }), slot(2, { free: 4 })], [], [2]],
  ['what is full is no choice', [slot(1, { free: 0 })], [], null],
  [
    'a section with one full slot is full',
    [slot(1, { section: 'A' }), slot(2, { section: 'A', free: 0 }), slot(3, { free: 1 })],
    [],
    [3],
  ],
  ['what clashes with something else', [slot(1), slot(2, { free: 1 })], [{ day: 1, from: 560, to: 600 }], [2]],
  ['what ends when the other begins is no clash', [slot(1)], [{ day: 1, from: 570, to: 600 }], [1]],
  [
    'lecture and lab of one group at once: the other group',
    [
      slot(1, { free: 20 }),
      slot(8, { type: 'Lab', free: 20 }),
      slot(2, { group_id: 2, free: 1 }),
      slot(3, { group_id: 2, type: 'Lab', free: 1 }),
    ],
    [],
    [2, 3],
  ],
  [
    // The full section of the first group keeps nobody out of its other one.
    'the group with more seats left',
    [slot(1, { free: 0 }), slot(2, { free: 30 }), slot(3, { group_id: 2, free: 5 })],
    [],
    [2],
  ],
  [
    'a slot that is not placed yet clashes with nothing',
    [slot(1, { meetings: [] })],
    [{ day: 1, from: 0, to: 1440 }],
    [1],
  ],
])('%s', (_, slots, busy, chosen) => {
  expect(chooseSlots(slots, busy)?.toSorted((a, b) => a - b) ?? null).toEqual(chosen)
})

/** Every way through a group: one way of each of its types. */
function* choices(slots: readonly ChoosableSlot[]): Generator<ChoosableSlot[]> {
  for (const ways of alternativesByGroup(slots).values()) {
    let some: ChoosableSlot[][] = [[]]
    for (const of of Map.groupBy(ways, (way) => way.type).values())
      some = some.flatMap((chosen) => of.map((way) => [...chosen, ...way.slots]))
    yield* some
  }
}

test('there is a choice exactly where trying all of them finds one, and it is one of them', () => {
  const random = seededRandom(20261130)
  const below = (n: number) => random.int(0, n - 1)
  let found = 0
  for (let round = 0; round < 1500; round++) {
    const meeting = () => {
      const from = 480 + 30 * below(4)
      return { day: below(2), from, to: from + 30 * (1 + below(3)) }
    }
    const slots = Array.from({ length: 1 + below(7) }, (_, id) =>
      slot(id, {
        group_id: 1 + below(2),
        type: (['Lecture', 'Lab', 'Tutorial'] as const)[below(3)]!,
        section: [null, null, 'A', 'B'][below(4)]!,
        meetings: Array.from({ length: below(3) }, meeting),
        free: below(3),
      }),
    )
    const busy = Array.from({ length: below(3) }, meeting)
    const apart = (ones: ChoosableSlot['meetings'], others: ChoosableSlot['meetings']) =>
      !ones.some((one) => others.some((other) => meetingsClash(one, other)))
    // Slots of one way are attended together as they are; different types must not meet at once.
    const right = (chosen: readonly ChoosableSlot[]) =>
      chosen.every((one) => one.free > 0 && apart(one.meetings, busy)) &&
      chosen.every((one) => chosen.every((other) => one.type === other.type || apart(one.meetings, other.meetings)))
    const possible = [...choices(slots)].filter(right).map((chosen) => chosen.map(({ id }) => id).toSorted())
    const chosen = chooseSlots(slots, busy)
    if (chosen === null) expect(possible).toEqual([])
    else expect(possible).toContainEqual(chosen.toSorted())
    found += chosen === null ? 0 : 1
  }
  expect(found).toBeGreaterThan(300)
  expect(found).toBeLessThan(1200)
})
