/**
 * How little can be missing at best: a bound that no assignment of courses goes below, by letting a course count in parts
 * (a flow through the tree). Where an assignment reaches it, nothing meets more.
 */
import type { CompiledTree } from './compile.rules.ts'
import type { Progress } from './progress.rules.ts'

/** Flows that are computed for one bound: of alternatives (`some`) each choice is one of its own. */
const FLOWS = 48

/** Courses that weigh the same wherever they may count, or those that want one place. */
export interface Supply {
  amount: number
  readonly to: readonly { readonly leaf: number; amount: number; readonly slot: number }[]
}

/** A network of capacities and the most that flows through it. */
class Network {
  private readonly to: number[] = []
  private readonly room: number[] = []
  private readonly next: number[] = []
  private readonly first: number[] = []
  private seen: number[] = []
  private round = 0

  node(): number {
    this.seen.push(0)
    return this.first.push(-1) - 1
  }

  arc(from: number, to: number, room: number): void {
    for (const [a, b, r] of [
      [from, to, room],
      [to, from, 0],
    ] as const) {
      this.to.push(b)
      this.room.push(r)
      this.next.push(this.first[a]!)
      this.first[a] = this.to.length - 1
    }
  }

  most(source: number, sink: number): number {
    const push = (at: number, amount: number): number => {
      if (at === sink) return amount
      this.seen[at] = this.round
      for (let arc = this.first[at]!; arc >= 0; arc = this.next[arc]!) {
        const room = this.room[arc]!
        if (room <= 0 || this.seen[this.to[arc]!] === this.round) continue
        const sent = push(this.to[arc]!, Math.min(amount, room))
        if (sent > 0) {
          this.room[arc]! -= sent
          this.room[arc ^ 1]! += sent
          return sent
        }
      }
      return 0
    }
    let all = 0
    for (;;) {
      this.round++
      const sent = push(source, Infinity)
      if (sent <= 0) return all
      all += sent
    }
  }
}

interface Known {
  readonly waived: ReadonlySet<number>
  readonly leafAt: ReadonlyMap<number, number>
  /** As if each course counted in all of its places. */
  readonly progress: Progress
}

/**
 * A lower bound of what is missing in all of some requirements.
 * @param tops the requirements, by index of their nodes
 * @param covers what is in each leaf already
 */
export function leastMissing(
  tree: CompiledTree,
  tops: readonly number[],
  covers: ArrayLike<number>,
  supplies: readonly Supply[],
  { waived, leafAt, progress: most }: Known,
): number {
  const { nodes } = tree
  let flows = 0
  /** Contested places: one course takes each, the heaviest at most. */
  const heaviest = new Map<number, { leaf: number; amount: number }>()
  for (const { to } of supplies)
    for (const { slot, leaf, amount } of to)
      if (slot >= 0 && amount > (heaviest.get(slot)?.amount ?? -1)) heaviest.set(slot, { leaf, amount })

  /** With some alternatives chosen; the first open one is told. */
  const flow = (chosen: ReadonlyMap<number, readonly number[]>): { least: number; open: number } => {
    flows++
    const net = new Network()
    const [source, sink] = [net.node(), net.node()]
    const leafNodes = new Map<number, number>()
    let asked = 0
    let open = -1
    /** Adds what is inside; answers where what is too much for it flows, and what it gives the one above as it is. */
    const build = (index: number): { over: number; filled: number } => {
      const node = nodes[index]!
      const { one } = node
      const known = { over: -1, filled: most.filled[index]! }
      if (waived.has(index)) return known
      switch (one.kind) {
        case 'courses': {
          const at = net.node()
          const leaf = leafAt.get(index)!
          leafNodes.set(leaf, at)
          const lacks = Math.max(0, node.need - covers[leaf]!)
          asked += lacks
          net.arc(at, sink, lacks)
          return { over: at, filled: Math.max(node.need, covers[leaf]!) }
        }
        case 'all':
          node.parts.forEach(build)
          return { over: -1, filled: 0 }
        case 'sum': {
          const at = net.node()
          let within = 0
          for (const part of node.parts) {
            const { over, filled } = build(part)
            const { cap } = nodes[part]!
            within += Math.min(cap, filled)
            if (over >= 0 && cap > filled) net.arc(over, at, cap - filled)
          }
          const lacks = Math.max(0, node.need - within)
          asked += lacks
          net.arc(at, sink, lacks)
          return { over: at, filled: Math.max(within, node.need) }
        }
        case 'some': {
          const parts =
            one.count === 'amounts' || one.min > node.parts.length
              ? undefined
              : one.min === node.parts.length
                ? node.parts
                : chosen.get(index)
          if (parts) parts.forEach(build)
          else {
            asked += most.miss[index]!
            if (open < 0 && one.count !== 'amounts' && one.min < node.parts.length) open = index
          }
          return { over: -1, filled: 0 }
        }
        default:
          asked += most.miss[index]!
          return known
      }
    }
    tops.forEach(build)
    const slots = new Map<number, number>()
    for (const [slot, { leaf, amount }] of heaviest) {
      const at = leafNodes.get(leaf)
      if (at === undefined) continue
      const place = net.node()
      slots.set(slot, place)
      net.arc(place, at, amount)
    }
    for (const supply of supplies) {
      const from = net.node()
      net.arc(source, from, supply.amount)
      for (const { leaf, amount, slot } of supply.to) {
        const at = leafNodes.get(leaf)
        if (at === undefined) continue
        if (slot < 0) net.arc(from, at, amount)
        else net.arc(from, slots.get(slot)!, amount)
      }
    }
    return { least: asked - net.most(source, sink), open }
  }

  let best = Infinity
  const visit = (chosen: ReadonlyMap<number, readonly number[]>): void => {
    const { least, open } = flow(chosen)
    if (least >= best) return
    if (open < 0) {
      best = least
      return
    }
    const { one, parts } = nodes[open]!
    const ways = [...subsets(parts, 'min' in one && typeof one.min === 'number' ? one.min : 0)]
    if (flows + ways.length > FLOWS) best = least
    else for (const way of ways) visit(new Map([...chosen, [open, way]]))
  }
  visit(new Map())
  return best
}

function* subsets(from: readonly number[], count: number): Generator<number[]> {
  if (count === 0) yield []
  else
    for (const [i, first] of from.entries())
      for (const rest of subsets(from.slice(i + 1), count - 1)) yield [first, ...rest]
}
