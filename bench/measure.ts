import { readFileSync, readdirSync } from 'node:fs'

/** CPU milliseconds that a process has used so far; with `children`, those of children it has waited for as well. */
function cpuOf(pid: number, children = false): number {
  // The name, in brackets, may hold anything: what follows it is fixed.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  const ticks = fields[11]! + fields[12]! + (children ? fields[13]! + fields[14]! : 0)
  return ticks * 10
}

/** Processes of a server of PostgreSQL: the postmaster and its children. */
function family(postmaster: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]
      return Number(parent) === postmaster
    } catch {
      return false
    }
  })
  return children.map(Number)
}

export interface Cpu {
  /** CPU milliseconds of the server's process, all its threads. */
  server: number
  /** CPU milliseconds of all processes of the database. */
  database: number
}
/** What server and database have used so far. Linux only. */
export function cpu(serverPid: number | undefined, postmaster: number): Cpu {
  let database = cpuOf(postmaster, true)
  for (const pid of family(postmaster)) {
    try {
      database += cpuOf(pid)
    } catch {
      // It ended meanwhile, and the postmaster has counted it.
    }
  }
  return { server: serverPid ? cpuOf(serverPid) : 0, database }
}
/** Resident memory of a process in megabytes. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

export interface Run {
  /** Answers per second. */
  perSecond: number
  /** Milliseconds of one answer: the middle one, and the one that 99 of 100 are below. */
  p50: number
  p99: number
  count: number
}

/** So many loops beside each other, each sending its next request when the last is answered, for so many seconds. */
export async function load(
  work: (loop: number, n: number) => Promise<void>,
  options: { loops?: number; seconds?: number } = {},
): Promise<Run> {
  const { loops = 32, seconds = 5 } = options
  const times: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      for (let n = 0; performance.now() < end; n++) {
        const at = performance.now()
        await work(loop, n)
        times.push(performance.now() - at)
      }
    }),
  )
  const took = performance.now() - started
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: (times.length / took) * 1000, p50: at(0.5), p99: at(0.99), count: times.length }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

export interface Comparison {
  ratio: number
  ours: Run
  bare: Run
  /** Per request, in milliseconds. */
  cpu: Cpu
  bareDatabase: number
}
/**
 * The program against bare SQL that does the same work, in turns, so that what else the machine does hits both.
 * Medians of the rounds.
 */
export async function compare(
  pids: { server: number; postmaster: number },
  ours: (loop: number, n: number) => Promise<void>,
  bare: (loop: number, n: number) => Promise<void>,
  { rounds = 5, seconds = 4, loops = 32 }: { rounds?: number; seconds?: number; loops?: number } = {},
): Promise<Comparison> {
  await load(ours, { seconds: 2, loops })
  await load(bare, { seconds: 1, loops })
  const all: Comparison[] = []
  for (let round = 0; round < rounds; round++) {
    const a = cpu(pids.server, pids.postmaster)
    const one = await load(ours, { seconds, loops })
    const b = cpu(pids.server, pids.postmaster)
    const other = await load(bare, { seconds, loops })
    const c = cpu(pids.server, pids.postmaster)
    all.push({
      ratio: one.perSecond / other.perSecond,
      ours: one,
      bare: other,
      cpu: { server: (b.server - a.server) / one.count, database: (b.database - a.database) / one.count },
      bareDatabase: (c.database - b.database) / other.count,
    })
  }
  const middle = (pick: (c: Comparison) => number) => median(all.map(pick))
  const run = (of: (c: Comparison) => Run): Run => ({
    perSecond: middle((c) => of(c).perSecond),
    p50: middle((c) => of(c).p50),
    p99: middle((c) => of(c).p99),
    count: middle((c) => of(c).count),
  })
  return {
    ratio: middle((c) => c.ratio),
    ours: run((c) => c.ours),
    bare: run((c) => c.bare),
    cpu: { server: middle((c) => c.cpu.server), database: middle((c) => c.cpu.database) },
    bareDatabase: middle((c) => c.bareDatabase),
  }
}
