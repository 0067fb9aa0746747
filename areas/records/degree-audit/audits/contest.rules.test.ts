import { expect, test } from 'vitest'
import type { TreePlace } from './compile.rules.ts'
import { Contest } from './contest.rules.ts'
import type { ContestedCourse, Setting } from './contest.rules.ts'

/** Two requirements that stand for themselves (nodes 1 and 4): leaves 0 and 1 (nodes 2 and 3), and leaf 2 (node 5). */
const tree = (count: 'parts' | 'amounts' = 'parts') => ({
  nodes: [
    { end: 6, one: { kind: 'all' } },
    { end: 4, one: { kind: 'some', count } },
    { end: 3, one: { kind: 'courses' } },
    { end: 4, one: { kind: 'courses' } },
    { end: 6, one: { kind: 'all' } },
    { end: 6, one: { kind: 'courses' } },
  ],
  leaves: [{ node: 2 }, { node: 3 }, { node: 5 }],
})
const setting = (of = tree()) => ({ tree: of, units: [1, 4], unitOf: [-1, 0, 0, 0, 1, 1] }) as unknown as Setting
const place = (leaf: number, slot: number | null = null, equal = false): TreePlace => ({ leaf, slot, equal, domain: 0 })
const course = (id: number, places: readonly TreePlace[], more: Partial<ContestedCourse> = {}): ContestedCourse => ({
  course: id,
  passed: true,
  places,
  weights: places.map(() => 300),
  ...more,
})
const orderOf = (...group: ContestedCourse[]): number[] => new Contest(setting(), group).order.map((one) => one.course)

test('passed courses choose first, then those with fewest places, alike ones together', () => {
  expect(orderOf(course(1, [place(0)], { passed: false }), course(2, [place(0)]))).toEqual([2, 1])
  expect(orderOf(course(1, [place(0), place(1)]), course(2, [place(0)]))).toEqual([2, 1])
  expect(orderOf(course(3, [place(0)]), course(2, [place(1)]), course(1, [place(0)]))).toEqual([1, 3, 2])
})

test.each<[string, ContestedCourse, ContestedCourse, boolean]>([
  ['the same places', course(1, [place(0)]), course(2, [place(0)]), true],
  ['another leaf', course(1, [place(0)]), course(2, [place(1)]), false],
  ['another listed course', course(1, [place(0, 7)]), course(2, [place(0, 8)]), false],
  ['in place of an equal one', course(1, [place(0)]), course(2, [place(0, null, true)]), false],
  ['another weight', course(1, [place(0)]), course(2, [place(0)], { weights: [200] }), false],
  ['passed and not', course(1, [place(0)]), course(2, [place(0)], { passed: false }), false],
])('courses may be exchanged: %s', (_, one, other, alike) => {
  const { kinds } = new Contest(setting(), [one, other])
  expect(kinds[0] === kinds[1]).toBe(alike)
})

test('leaves and requirements are those that the courses reach, in the order of the tree', () => {
  const contest = new Contest(setting(), [course(1, [place(2), place(0)])])
  expect(contest.leaves).toEqual([0, 2])
  expect(contest.partOf).toEqual([0, 1])
  expect(contest.parts).toEqual([
    { first: 1, end: 4, leaves: [0] },
    { first: 4, end: 6, leaves: [1] },
  ])
  expect(contest.at).toEqual([[1, 0]])
  expect(new Contest(setting(), [course(1, [place(2)])]).parts).toEqual([{ first: 4, end: 6, leaves: [0] }])
})

test('a place has a number only where several want it', () => {
  const contest = new Contest(setting(), [
    course(1, [place(0, 7)]),
    course(2, [place(0, 7), place(1, 7)]),
    course(3, [place(0, 7), place(0, 8), place(0)]),
  ])
  expect(contest.slot).toEqual([[0], [0, -1], [0, -1, -1]])
  expect(contest.lastWant).toEqual([2])
})

test('one course that could take a place in two ways does not compete with itself', () => {
  expect(new Contest(setting(), [course(1, [place(0, 7), place(0, 7, true)])]).slot).toEqual([[-1, -1]])
})

test('what is still open after each choice, and how much can still be put', () => {
  const contest = new Contest(setting(), [
    course(1, [place(0)], { weights: [200] }),
    course(2, [place(2), place(1)], { weights: [300, 400] }),
    course(3, [place(2), place(2, 7), place(1)], { passed: false, weights: [100, 250, 150] }),
  ])
  expect(contest.order.map((one) => one.course)).toEqual([1, 2, 3])
  expect(contest.openAfter).toEqual([[0, 1, 2], [0, 1, 2], []])
  expect(contest.rest).toEqual([
    { passed: 400, all: 650, equals: 0 },
    { passed: 0, all: 250, equals: 0 },
    { passed: 0, all: 0, equals: 0 },
  ])
  // A course counts once in a leaf, with the most it can weigh there.
  expect(contest.restOf.map(({ passed, all }) => [[...passed], [...all]])).toEqual([
    [
      [0, 400, 300],
      [0, 550, 550],
    ],
    [
      [0, 0, 0],
      [0, 150, 250],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  ])
  expect([[...contest.total.passed], [...contest.total.all]]).toEqual([
    [200, 400, 300],
    [200, 550, 550],
  ])
})

test.each<[string, TreePlace[], number]>([
  ['only in place of an equal one, where nobody else wants to be', [place(0, 7, true)], 1],
  ['in a place of its own as well', [place(0, 7, true), place(1)], 0],
  ['in place of an equal one that another wants', [place(0, 8, true)], 0],
  ['in two of them, one of which nobody wants', [place(0, 8, true), place(1, 9, true)], 1],
])('a course that counts %s', (_, places, equals) => {
  const contest = new Contest(setting(), [course(1, places), course(2, [place(0, 8), place(1), place(2)])])
  expect(contest.total.equals).toBe(equals)
})

test('what is missing never grows by more than is put, unless a requirement counts its parts by what they amount to', () => {
  expect(new Contest(setting(), [course(1, [place(0)])]).steady).toBe(true)
  expect(new Contest(setting(tree('amounts')), [course(1, [place(0)])]).steady).toBe(false)
  // Elsewhere in the tree it does not matter.
  expect(new Contest(setting(tree('amounts')), [course(1, [place(2)])]).steady).toBe(true)
})
