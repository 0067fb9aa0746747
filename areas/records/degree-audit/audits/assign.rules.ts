/**
 * Which course counts where. Each course counts once, except in requirements that share; it goes where most is met.
 *
 * The choice is exact: for each part of the tree whose requirements compete for the same courses, ways are followed side by
 * side (`search.rules.ts`) until one comes to what nothing can exceed (`bound.rules.ts`), or all have been looked at. An
 * order of preference makes it the same every time. Only where there are too many ways the least promising are given up;
 * then the answer is not said to be proved, unless it comes to that bound.
 */
import type { CompiledTree, TreePlace } from './compile.rules.ts'
import { Progress, type GivenProgress } from './progress.rules.ts'
import type { ContestedCourse } from './contest.rules.ts'
import { better, AuditSearch } from './search.rules.ts'

/**
 * How many ways are followed at once. One (each course to where most is met) is mostly enough, and is known to be where it
 * comes to what nothing can exceed; else a few, and then so many that the work is the same however many places there are.
 */
const FEW = 8
const MANY = { least: 24, work: 5e5 }

export interface Assigned {
  /** By index of the course: which of its places; -1: none. */
  chosen: ReadonlyMap<number, number>
  proved: boolean
}

export class Assigner {
  readonly tree: CompiledTree
  readonly leafAt: ReadonlyMap<number, number>
  private readonly progress: Progress
  /** Requirements that stand for themselves: what is met in one does not depend on another. */
  private readonly units: readonly number[]
  private readonly unitOf: Int32Array
  /** More than that in a leaf gives nothing more. */
  private readonly enough: readonly number[]

  constructor(tree: CompiledTree) {
    this.tree = tree
    this.progress = new Progress(tree)
    this.leafAt = new Map(tree.leaves.map((leaf, i) => [leaf.node, i]))
    const units: number[] = []
    const descend = (index: number): void => {
      const node = tree.nodes[index]!
      if (node.one.kind === 'all') node.parts.forEach(descend)
      else units.push(index)
    }
    if (tree.nodes.length) descend(0)
    this.units = units
    this.unitOf = new Int32Array(tree.nodes.length).fill(-1)
    for (const [i, unit] of units.entries()) for (let n = unit; n < tree.nodes[unit]!.end; n++) this.unitOf[n] = i
    this.enough = tree.leaves.map((leaf) => {
      const node = tree.nodes[leaf.node]!
      if (node.cap !== Infinity) return Math.max(node.cap, node.need)
      let most = node.need
      for (let at = node.parent; at >= 0; at = tree.nodes[at]!.parent) {
        const above = tree.nodes[at]!.one
        if (above.kind === 'some' && above.count === 'amounts') return Infinity
        if (above.kind === 'sum') most = Math.max(most, tree.nodes[at]!.need)
      }
      return most
    })
  }

  /**
   * Chooses a place for each course.
   * @param passed,all what is in each leaf already; `slots` the places of listed courses that are taken
   */
  assign(
    choices: readonly ContestedCourse[],
    passed: readonly number[],
    all: readonly number[],
    slots: ReadonlySet<number>,
    waived: ReadonlySet<number>,
    given: ReadonlyMap<number, GivenProgress>,
  ): Assigned {
    const chosen = new Map<number, number>()
    let proved = true
    for (const group of this.groups(choices)) {
      const found = this.best(group, passed, all, slots, waived, given)
      proved &&= found.proved
      for (const [course, place] of found.chosen) chosen.set(course, place)
    }
    return { chosen, proved }
  }

  /** Choices that have to do with each other: over a requirement that stands for itself, or over a place. */
  private groups(choices: readonly ContestedCourse[]): ContestedCourse[][] {
    const root = this.units.map((_, i) => i)
    const find = (i: number): number => {
      while (root[i] !== i) i = root[i] = root[root[i]!]!
      return i
    }
    const unit = (place: TreePlace): number => this.unitOf[this.tree.leaves[place.leaf]!.node]!
    for (const { places } of choices) for (const place of places) root[find(unit(place))] = find(unit(places[0]!))
    return [...Map.groupBy(choices, ({ places }) => find(unit(places[0]!))).values()]
  }

  private best(
    group: readonly ContestedCourse[],
    passed: readonly number[],
    all: readonly number[],
    slots: ReadonlySet<number>,
    waived: ReadonlySet<number>,
    given: ReadonlyMap<number, GivenProgress>,
  ): Assigned {
    const { tree, progress, leafAt, units, unitOf, enough } = this
    const setting = { tree, progress, leafAt, units, unitOf, enough, passed, all, waived, given }
    const search = new AuditSearch(setting, group)
    let found = search.run(1, null)!
    const places = group.reduce((sum, choice) => sum + choice.places.length, 0)
    for (const width of [FEW, Math.max(MANY.least, Math.floor(MANY.work / places ** 2))]) {
      if (found.whole || !better(search.least, found.value, 3)) break
      found = search.run(width, found)!
    }
    return { chosen: found.chosen, proved: found.whole || !better(search.least, found.value, 2) }
  }
}
