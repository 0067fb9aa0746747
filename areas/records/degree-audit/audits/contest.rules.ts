/** Courses that compete for the same requirements: in which order they choose, and what each choice leaves open. */
import type { TreePlace } from './compile.rules.ts'
import type { Computing } from './figures.rules.ts'

/** A course that could count in several places, or whose place another wants as well. */
export interface ContestedCourse {
  /** Index of the course. */
  course: number
  passed: boolean
  places: readonly TreePlace[]
  /** What it weighs in each of them. */
  weights: readonly number[]
}

/** What stays the same while courses are put. */
export interface Setting extends Computing {
  /** Requirements that stand for themselves, and in which of them each node is. */
  readonly units: readonly number[]
  readonly unitOf: ArrayLike<number>
  /** More than that in a leaf gives nothing more. */
  readonly enough: readonly number[]
  /** What is in each leaf already. */
  readonly passed: readonly number[]
  readonly all: readonly number[]
}

/** A requirement that stands for itself, with the leaves of it that the courses can reach. */
interface Part {
  readonly first: number
  readonly end: number
  /** Among the leaves of the contest. */
  readonly leaves: readonly number[]
}

/** The most that is still to be put after a choice. */
interface Rest {
  passed: number
  all: number
  /** Courses that can only count in place of an equal one, and never have to leave it. */
  equals: number
}

const slotId = (place: TreePlace): number => (place.slot === null ? -1 : place.leaf * 2 ** 31 + place.slot)
/** Courses that may be exchanged for each other. */
const kindOf = (choice: ContestedCourse): string =>
  choice.places.map((place, i) => `${place.leaf}:${place.slot ?? ''}:${place.equal}:${choice.weights[i]}`).join() +
  (choice.passed ? '+' : '')

/** Passed courses choose before those being taken; of those who have fewest places first, alike ones together. */
export class Contest {
  readonly order: readonly ContestedCourse[]
  readonly kinds: readonly string[]
  /** Leaves that the courses can reach, as they stand in the tree. */
  readonly leaves: readonly number[]
  readonly parts: readonly Part[]
  readonly partOf: readonly number[]
  /** By choice, by place: its leaf here; the number of its slot where others want it too, else -1. */
  readonly at: readonly (readonly number[])[]
  readonly slot: readonly (readonly number[])[]
  /** By number of a slot: the last choice that wants it. */
  readonly lastWant: readonly number[]
  /** By choice: leaves that still matter after it, the most that is still to be put, and into each leaf. */
  readonly openAfter: readonly (readonly number[])[]
  readonly rest: readonly Rest[]
  readonly restOf: readonly { passed: Int32Array; all: Int32Array }[]
  /** The same before the first choice. */
  readonly total: { passed: Int32Array; all: Int32Array; equals: number }
  /** What is missing never grows by more than what is put: no requirement counts its parts by what they amount to. */
  readonly steady: boolean

  constructor(setting: Setting, group: readonly ContestedCourse[]) {
    const { tree, units, unitOf } = setting
    const { nodes } = tree
    this.leaves = [...new Set(group.flatMap(({ places }) => places.map(({ leaf }) => leaf)))].toSorted((a, b) => a - b)
    const local = new Map(this.leaves.map((leaf, i) => [leaf, i]))
    const unit = (leaf: number): number => unitOf[tree.leaves[leaf]!.node]!
    const used = [...new Set(this.leaves.map(unit))].toSorted((a, b) => a - b)
    this.partOf = this.leaves.map((leaf) => used.indexOf(unit(leaf)))
    this.parts = used.map((one, i) => ({
      first: units[one]!,
      end: nodes[units[one]!]!.end,
      leaves: this.leaves.flatMap((_, at) => (this.partOf[at] === i ? [at] : [])),
    }))
    this.steady = this.parts.every(({ first, end }) =>
      nodes.slice(first, end).every((node) => !(node.one.kind === 'some' && node.one.count === 'amounts')),
    )

    const kinds = Map.groupBy(
      group.toSorted((a, b) => a.course - b.course),
      kindOf,
    )
    const sorted = [...kinds].toSorted(
      ([, [a]], [, [b]]) => Number(b!.passed) - Number(a!.passed) || a!.places.length - b!.places.length,
    )
    this.order = sorted.flatMap(([, list]) => list)
    this.kinds = sorted.flatMap(([kind, list]) => list.map(() => kind))
    const wanted = new Map<number, { times: number; last: number }>()
    for (const [k, { places }] of this.order.entries())
      for (const id of new Set(places.map(slotId)))
        if (id >= 0) wanted.set(id, { times: (wanted.get(id)?.times ?? 0) + 1, last: k })
    const numbers = new Map([...wanted].filter(([, { times }]) => times > 1).map(([id], i) => [id, i]))
    this.lastWant = [...numbers.keys()].map((id) => wanted.get(id)!.last)
    this.at = this.order.map(({ places }) => places.map(({ leaf }) => local.get(leaf)!))
    this.slot = this.order.map(({ places }) => places.map((place) => numbers.get(slotId(place)) ?? -1))

    const openAfter: (readonly number[])[] = []
    const rest: Rest[] = []
    const restOf: { passed: Int32Array; all: Int32Array }[] = []
    let later: Rest = { passed: 0, all: 0, equals: 0 }
    const into = { passed: new Int32Array(this.leaves.length), all: new Int32Array(this.leaves.length) }
    const open = new Set<number>()
    for (let k = this.order.length - 1; k >= 0; k--) {
      openAfter[k] = this.leaves.flatMap((_, i) => (open.has(this.partOf[i]!) ? [i] : []))
      rest[k] = later
      restOf[k] = { passed: into.passed.slice(), all: into.all.slice() }
      const choice = this.order[k]!
      const heaviest = Math.max(...choice.weights)
      const forced = choice.places.every(({ equal }) => equal) && this.slot[k]!.includes(-1)
      later = {
        passed: later.passed + (choice.passed ? heaviest : 0),
        all: later.all + heaviest,
        equals: later.equals + Number(forced),
      }
      const once = new Map<number, number>()
      for (const [place, i] of this.at[k]!.entries()) {
        open.add(this.partOf[i]!)
        once.set(i, Math.max(once.get(i) ?? 0, choice.weights[place]!))
      }
      for (const [i, weight] of once) {
        if (choice.passed) into.passed[i]! += weight
        into.all[i]! += weight
      }
    }
    this.openAfter = openAfter
    this.rest = rest
    this.restOf = restOf
    this.total = { ...into, equals: later.equals }
  }
}
