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

/** A network of capacities and the most that flows through it (by layers, as Dinic has it). */
class Network {
  private readonly to: number[] = []
  private readonly room: number[] = []
  private readonly next: number[] = []
  private readonly first: number[] = []

  node(): number {
    return this.first.push(-1) - 1
  }

  arc(from: number, to: number, room: number): void {
    this.half(from, to, room)
    this.half(to, from, 0)
  }

  private half(from: number, to: number, room: number): void {
    this.next.push(this.first[from]!)
    this.first[from] = this.to.push(to) - 1
    this.room.push(room)
  }

  most(source: number, sink: number): number {
    const { to, room, next, first } = this
    const layer = new Int32Array(first.length)
    const queue = new Int32Array(first.length)
    /** Which arc of a node is tried next: what was full in this round stays full. */
    const turn = new Int32Array(first.length)
    const reaches = (): boolean => {
      layer.fill(-1)
      layer[source] = 0
      queue[0] = source
      for (let head = 0, tail = 1; head < tail; head++) {
        const at = queue[head]!
        for (let arc = first[at]!; arc >= 0; arc = next[arc]!) {
          const on = to[arc]!
          if (room[arc]! <= 0 || layer[on]! >= 0) continue
          layer[on] = layer[at]! + 1
          queue[tail++] = on
        }
      }
      return layer[sink]! >= 0
    }
    const push = (at: number, amount: number): number => {
      if (at === sink) return amount
      let sent = 0
      for (; turn[at]! >= 0; turn[at] = next[turn[at]!]!) {
        const arc = turn[at]!
        const on = to[arc]!
        if (room[arc]! <= 0 || layer[on] !== layer[at]! + 1) continue
        const one = push(on, Math.min(amount - sent, room[arc]!))
        if (one <= 0) continue
        room[arc]! -= one
        room[arc ^ 1]! += one
        sent += one
        if (sent === amount) return sent
      }
      return sent
    }
    let all = 0
    while (reaches()) {
      turn.set(first)
      all += push(source, Infinity)
    }
    return all
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
