/** How far each requirement of a tree is, given what its courses weigh. */
import type { CompiledTree } from './compile.rules.ts'
import { COURSE_WEIGHT } from './compile.rules.ts'

/** Of what no course decides (a total, a GPA, training, what is confirmed): whether it is met, and its amount in hundredths. */
export interface GivenProgress {
  met: boolean
  units: number
}

/** What each requirement amounts to; by the index of its node. */
export class Progress {
  readonly tree: CompiledTree
  /** What is still missing: at least so much has to be passed until it is met. */
  readonly miss: Float64Array
  /** What its courses weigh, and what they weigh once its own minimum and those of its parts are met. */
  readonly cover: Float64Array
  readonly filled: Float64Array
  /** In the unit in which it counts in a requirement that adds amounts, in hundredths. */
  readonly units: Float64Array
  readonly met: Uint8Array

  constructor(tree: CompiledTree) {
    const size = tree.nodes.length
    this.tree = tree
    this.miss = new Float64Array(size)
    this.cover = new Float64Array(size)
    this.filled = new Float64Array(size)
    this.units = new Float64Array(size)
    this.met = new Uint8Array(size)
  }

  /**
   * Computes the nodes from `first` up to `end`, parts before the whole.
   * @param covers what the courses of each leaf weigh
   */
  compute(
    first: number,
    end: number,
    covers: ArrayLike<number>,
    given: ReadonlyMap<number, GivenProgress>,
    waived: ReadonlySet<number>,
    leafAt: ReadonlyMap<number, number>,
  ): void {
    const { nodes } = this.tree
    for (let i = end - 1; i >= first; i--) {
      const node = nodes[i]!
      const { one } = node
      let miss = 0
      let cover = 0
      let filled = 0
      let units = 0
      switch (one.kind) {
        case 'courses':
          cover = covers[leafAt.get(i)!]!
          miss = Math.max(0, node.need - cover)
          filled = Math.max(cover, node.need)
          units = node.each ? (cover * 100) / COURSE_WEIGHT : cover
          break
        case 'sum': {
          let within = 0
          for (const part of node.parts) {
            miss += this.miss[part]!
            cover += Math.min(nodes[part]!.cap, this.cover[part]!)
            within += Math.min(nodes[part]!.cap, this.filled[part]!)
          }
          miss += Math.max(0, node.need - within)
          filled = Math.max(within, node.need)
          units = node.each ? (cover * 100) / COURSE_WEIGHT : cover
          break
        }
        case 'all':
          for (const part of node.parts) miss += this.miss[part]!
          break
        case 'some':
          if (one.count === 'amounts') {
            for (const part of node.parts)
              if (this.met[part]) units += Math.min(capUnits(nodes[part]!.one.max_counted), this.units[part]!)
            miss = Math.max(0, node.need - (units * COURSE_WEIGHT) / 100)
          } else {
            const misses = node.parts.map((part) => this.miss[part]!).toSorted((a, b) => a - b)
            for (let k = 0; k < one.min; k++) miss += misses[k] ?? COURSE_WEIGHT
            for (const part of node.parts) units += this.met[part] ? 100 : 0
          }
          break
        default: {
          const known = given.get(i)
          // Totals overlap with the rest; what is to be confirmed weighs like a course.
          miss = !known?.met && one.kind === 'hand' ? COURSE_WEIGHT : 0
          units = known?.units ?? 0
          this.met[i] = known?.met ? 1 : 0
        }
      }
      if (one.kind === 'all') {
        let met = 1
        for (const part of node.parts) if (!this.met[part]) met = 0
        this.met[i] = met
        units = met ? 100 : 0
      } else if (one.kind === 'some') {
        this.met[i] = units >= Math.round(one.min * 100) ? 1 : 0
      } else if (one.kind === 'sum') {
        let met = cover >= node.need ? 1 : 0
        for (const part of node.parts) if (!this.met[part]) met = 0
        this.met[i] = met
      } else if (one.kind === 'courses') this.met[i] = miss === 0 ? 1 : 0
      if (waived.has(i)) {
        miss = 0
        this.met[i] = 1
        cover = Math.max(cover, node.need)
        filled = cover
        units = Math.max(units, 100)
      }
      this.miss[i] = miss
      this.cover[i] = cover
      this.filled[i] = filled
      this.units[i] = units
    }
  }
}

const capUnits = (max: number | undefined): number => (max === undefined ? Infinity : Math.round(max * 100))
