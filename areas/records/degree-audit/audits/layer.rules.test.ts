import { expect, test } from 'vitest'
import { Layer } from './layer.rules.ts'
import type { Put } from './layer.rules.ts'

const LEAVES = 2
/** Places stand as bits in words of 32. */
const SLOTS = 40
const better = (one: Float64Array, other: Float64Array, _: number, from: number, otherFrom: number): boolean =>
  one[from]! < other[otherFrom]!
const value = (...figures: number[]) => Float64Array.from({ length: Layer.FIGURES }, (_, i) => figures[i] ?? 0)
const put = (more: Partial<Put> = {}): Put => ({
  way: 0,
  place: 0,
  slot: -1,
  leaf: 0,
  weight: 300,
  passed: true,
  ...more,
})

/** One way, in which nothing is put. */
function start(): Layer {
  const layer = new Layer(LEAVES, SLOTS)
  layer.begin([], [], false, () => false)
  layer.reach(new Layer(LEAVES, SLOTS), put({ place: -1, leaf: -1, weight: 0 }), value(), better)
  return layer
}
function next(
  open: number[],
  enough: number[],
  more: { ofPassed?: boolean; wanted?: (slot: number) => boolean } = {},
): Layer {
  const layer = new Layer(LEAVES, SLOTS)
  layer.begin(open, enough, more.ofPassed ?? false, more.wanted ?? (() => false))
  return layer
}

test('a way says what it has put, where, and from which it comes', () => {
  const from = start()
  expect(from.count).toBe(1)
  const layer = next([0, 1], [900, 900])
  layer.reach(from, put({ place: 4, leaf: 1, weight: 200 }), value(5), better)
  layer.reach(from, put({ place: 6, leaf: 0, weight: 300, passed: false }), value(6), better)
  layer.reach(from, put({ place: -1, leaf: -1 }), value(7), better)
  expect(layer.count).toBe(3)
  expect(layer.all.slice(0, 6)).toEqual(Int32Array.of(0, 200, 300, 0, 0, 0))
  expect(layer.passed.slice(0, 6)).toEqual(Int32Array.of(0, 200, 0, 0, 0, 0))
  expect([...layer.place.slice(0, 3), ...layer.before.slice(0, 3)]).toEqual([4, 6, -1, 0, 0, 0])
})

const twice = (layer: Layer, one: Partial<Put>, other: Partial<Put>): number => {
  const from = start()
  layer.reach(from, put(one), value(1), better)
  layer.reach(from, put(other), value(2), better)
  return layer.count
}
test.each<[string, Layer, Partial<Put>, Partial<Put>, number]>([
  ['in a leaf that still matters', next([0, 1], [900, 900]), { leaf: 0 }, { leaf: 1 }, 2],
  ['in one that matters no more', next([], []), { leaf: 0 }, { leaf: 1 }, 1],
  ['in more than is enough', next([0], [200]), { weight: 200 }, { weight: 300 }, 1],
  ['in as much as is enough', next([0], [300]), { weight: 200 }, { weight: 300 }, 2],
  ['in what is being taken', next([0], [900]), { passed: true }, { passed: false, weight: 200 }, 2],
  [
    'in what is put, passed or not',
    next([0], [900], { ofPassed: true }),
    { passed: true },
    { passed: true, weight: 200 },
    2,
  ],
  ['in a place that is still wanted', next([], [], { wanted: (slot) => slot === 3 }), { slot: 3 }, { slot: 2 }, 2],
  [
    'in a place that nobody wants any more',
    next([], [], { wanted: (slot) => slot === 3 }),
    { slot: 1 },
    { slot: 2 },
    1,
  ],
  ['in a place of the second word', next([], [], { wanted: (slot) => slot === 35 }), { slot: 35 }, { slot: 3 }, 2],
])('ways that differ %s', (_, layer, one, other, count) => {
  expect(twice(layer, one, other)).toBe(count)
})

test.each([
  [1, 2, 1],
  [2, 1, 1],
  [1, 1, 1],
])('of two that are the same, %i and %i, the better stays', (first, second, kept) => {
  const [from, layer] = [start(), next([], [])]
  layer.reach(from, put({ place: 10 }), value(first), better)
  layer.reach(from, put({ place: 20 }), value(second), better)
  expect([layer.count, layer.value[0], layer.place[0]]).toEqual([1, kept, second < first ? 20 : 10])
})

test('taken places are remembered while they are wanted', () => {
  const one = next([], [], { wanted: (slot) => slot === 3 || slot === 35 })
  one.reach(start(), put({ slot: 35 }), value(), better)
  expect([3, 35, 36].map((slot) => one.isTaken(0, slot))).toEqual([false, true, false])
  const two = next([], [], { wanted: (slot) => slot === 3 || slot === 35 })
  two.reach(one, put({ slot: 3 }), value(), better)
  expect([3, 35].map((slot) => two.isTaken(0, slot))).toEqual([true, true])
  const three = next([], [], { wanted: (slot) => slot === 3 })
  three.reach(two, put(), value(), better)
  expect([3, 35].map((slot) => three.isTaken(0, slot))).toEqual([true, false])
})

test('many ways have room, and each is found again', () => {
  const [from, layer] = [start(), next([0, 1], [1e6, 1e6], { wanted: (slot) => slot < 5 || slot > 33 })]
  const ways = Array.from({ length: 500 }, (_, i) =>
    put({ weight: 1 + (i >> 1), leaf: i & 1, slot: i % 7 === 0 ? 34 : -1, place: i }),
  )
  for (const [i, one] of ways.entries()) layer.reach(from, one, value(i), better)
  expect(layer.count).toBe(500)
  for (const [i, one] of ways.entries()) layer.reach(from, one, value(i - 1), better)
  expect(layer.count).toBe(500)
  for (const [i, { weight, leaf, slot }] of ways.entries()) {
    expect([layer.all[i * LEAVES + leaf], layer.value[i * Layer.FIGURES], layer.place[i]]).toEqual([weight, i - 1, i])
    expect(layer.isTaken(i, 34)).toBe(slot === 34)
  }
})

function three(): Layer {
  const [from, layer] = [start(), next([0], [900], { wanted: (slot) => slot === 2 })]
  layer.reach(from, put({ weight: 300, place: 1, slot: 2 }), value(5, 1), better)
  layer.reach(from, put({ weight: 200, place: 2 }), value(3, 2), better)
  layer.reach(from, put({ weight: 100, place: 3, slot: 2, passed: false }), value(4, 1), better)
  return layer
}
const places = (layer: Layer): number[] => Array.from(layer.place.subarray(0, layer.count))
test('only ways of which a figure is the least stay, with all that they are', () => {
  const layer = three()
  layer.keepLeast(1)
  expect(places(layer)).toEqual([1, 3])
  expect([layer.all[2], layer.passed[2], layer.value[Layer.FIGURES], layer.isTaken(1, 2)]).toEqual([100, 0, 4, true])
  layer.keepLeast(0)
  expect(places(layer)).toEqual([3])
  layer.keepLeast(3)
  expect(places(layer)).toEqual([3])
})
test.each([
  [1, [2]],
  [2, [2, 3]],
  [9, [1, 2, 3]],
])('the best %i stay, in their order', (width, kept) => {
  const layer = three()
  layer.keepBest(width, better)
  expect(places(layer)).toEqual(kept)
})
test('a layer that begins anew has no ways', () => {
  const layer = three()
  layer.begin([0, 1], [900, 900], false, () => false)
  expect(layer.count).toBe(0)
  layer.reach(start(), put({ place: 8 }), value(), better)
  expect(places(layer)).toEqual([8])
})
