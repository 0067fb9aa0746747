/** For tests and benchmarks: instances made by chance, and the published rule word by word, as slow as it is plain. */
import { writeFileWhole } from './files/files.server.ts'
import type { DistributionInput } from './input.rules.ts'

/** An instance as its file has it. */
export interface InstanceFile {
  readonly applicants: readonly {
    readonly id: string
    readonly groups?: readonly string[]
    readonly preferences: readonly string[]
  }[]
  readonly programs: readonly {
    readonly id: string
    readonly capacity: number
    readonly ranking: readonly string[]
    readonly maximum?: Readonly<Record<string, number>>
    readonly reserved?: Readonly<Record<string, number>>
  }[]
}

type Program = InstanceFile['programs'][number]

/** A program's choice, word by word. `groups`: of each applicant. */
export function chooseByTheWords(
  { capacity, ranking, maximum = {}, reserved = {} }: Program,
  groups: ReadonlyMap<string, readonly string[]>,
  who: Iterable<string>,
): Set<string> {
  const rank = new Map(ranking.map((a, i) => [a, i]))
  const sorted = [...new Set(who)].filter((a) => rank.has(a)).toSorted((a, b) => rank.get(a)! - rank.get(b)!)
  const limited = new Set([...Object.keys(maximum), ...Object.keys(reserved)])
  const group = new Map(sorted.map((a) => [a, groups.get(a)!.find((g) => limited.has(g))]))
  const taken = new Set<string>()
  const count = new Map<string | undefined, number>()
  const fits = (a: string): boolean => {
    const g = group.get(a)
    return capacity > taken.size && (g === undefined || (count.get(g) ?? 0) < (maximum[g] ?? Infinity))
  }
  const take = (a: string): void => {
    taken.add(a)
    count.set(group.get(a), (count.get(group.get(a)) ?? 0) + 1)
  }
  for (const [g, n] of Object.entries(reserved))
    for (const a of sorted) if (group.get(a) === g && (count.get(g) ?? 0) < n && fits(a)) take(a)
  for (const a of sorted) if (!taken.has(a) && fits(a)) take(a)
  return taken
}

/** Deferred acceptance in which every program chooses anew at each proposal. Unknown programs are passed over. */
export function bestByTheWords({ applicants, programs }: InstanceFile): Map<string, string> {
  const groups = new Map(applicants.map((a) => [a.id, a.groups ?? []]))
  const wishes = new Map(applicants.map((a) => [a.id, a.preferences]))
  const by = new Map(programs.map((p) => [p.id, p]))
  const held = new Map(programs.map((p) => [p.id, new Set<string>()]))
  const next = new Map<string, number>()
  const free = applicants.map((a) => a.id)
  for (let a = free.pop(); a !== undefined; a = free.pop()) {
    const mine = wishes.get(a)!
    for (;;) {
      const at = next.get(a) ?? 0
      if (at >= mine.length) break
      next.set(a, at + 1)
      const program = by.get(mine[at]!)
      if (!program) continue
      const all = new Set([...held.get(program.id)!, a])
      const kept = chooseByTheWords(program, groups, all)
      held.set(program.id, kept)
      free.push(...[...all].filter((b) => !kept.has(b) && b !== a))
      if (kept.has(a)) break
    }
  }
  return new Map([...held].flatMap(([p, all]) => [...all].map((a) => [a, p] as const)))
}

/** Pairs of an applicant and a dearer program that would choose him or her beside those it has. */
export function blockingByTheWords(instance: InstanceFile, given: ReadonlyMap<string, string>): [string, string][] {
  const groups = new Map(instance.applicants.map((a) => [a.id, a.groups ?? []]))
  const by = new Map(instance.programs.map((p) => [p.id, p]))
  const held = new Map<string, string[]>(instance.programs.map((p) => [p.id, []]))
  for (const [a, p] of given) held.get(p)?.push(a)
  return instance.applicants.flatMap(({ id, preferences }) => {
    const mine = given.get(id)
    const dearer = mine === undefined ? preferences : preferences.slice(0, preferences.indexOf(mine))
    return [...new Set(dearer)].flatMap((p): [string, string][] => {
      const program = by.get(p)
      return program && chooseByTheWords(program, groups, [...held.get(p)!, id]).has(id) ? [[id, p]] : []
    })
  })
}

/** An instance as columns, made of objects: what reading a file has to come to. */
export function instanceColumns({ applicants, programs }: InstanceFile): DistributionInput {
  const numbers = (ids: readonly string[]) => new Map(ids.map((id, i) => [id, i]))
  const applicant = numbers(applicants.map((a) => a.id))
  const program = numbers(programs.map((p) => p.id))
  const names = [
    ...new Set([
      ...applicants.flatMap((a) => a.groups ?? []),
      ...programs.flatMap((p) => [...Object.keys(p.reserved ?? {}), ...Object.keys(p.maximum ?? {})]),
    ]),
  ]
  const group = numbers(names)
  const column = (lists: readonly (readonly number[])[]) => {
    const at = new Int32Array(lists.length + 1)
    for (const [i, list] of lists.entries()) at[i + 1] = at[i]! + list.length
    return { at, rows: Int32Array.from(lists.flat()) }
  }
  const groups = column(applicants.map((a) => (a.groups ?? []).map((g) => group.get(g)!)))
  const wishes = column(applicants.map((a) => a.preferences.map((p) => program.get(p) ?? -1)))
  const ranking = column(programs.map((p) => p.ranking.map((a) => applicant.get(a) ?? -1)))
  return {
    applicants: applicants.length,
    groupCount: names.length,
    groupAt: groups.at,
    groups: groups.rows,
    wishAt: wishes.at,
    wishes: wishes.rows,
    rankAt: ranking.at,
    ranking: ranking.rows,
    programs: programs.map(({ capacity, maximum = {}, reserved = {} }) => ({
      capacity,
      limits: [...new Set([...Object.keys(reserved), ...Object.keys(maximum)])].map((g) => ({
        group: group.get(g)!,
        maximum: maximum[g] ?? null,
        reserved: reserved[g] ?? 0,
      })),
    })),
  }
}

/** Numbers by chance that are the same each time (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface MadeSize {
  readonly applicants: number
  readonly programs: number
  readonly preferences: number
  /** Seats in all, for each applicant; below 1 they are scarce. */
  readonly seats: number
  /** 0: each program wants others, 1: all want the same. */
  readonly alike: number
  readonly quotas: boolean
  /** So many of the programs everybody wants; 1: preferences are even. */
  readonly popular?: number
}

/**
 * A large instance made by chance, as columns. Groups: one of five for half of the applicants, and one more that no program
 * limits. Each program ranks those who prefer it, but for one in fifty.
 */
export function madeInput(size: MadeSize, seed: number): DistributionInput {
  const { applicants, programs: programCount, preferences, seats, alike, quotas, popular = 1 } = size
  const random = chance(seed)
  const wishAt = Int32Array.from({ length: applicants + 1 }, (_, a) => a * preferences)
  const wishes = new Int32Array(applicants * preferences)
  for (let a = 0; a < applicants; a++)
    for (let k = 0; k < preferences; k++) {
      let p: number
      do p = Math.floor(random() ** (1 / popular) * programCount)
      while (wishes.subarray(a * preferences, a * preferences + k).includes(p))
      wishes[a * preferences + k] = p
    }
  const groupAt = new Int32Array(applicants + 1)
  const groups = new Int32Array(applicants * 2)
  for (let a = 0; a < applicants; a++) {
    let at = groupAt[a]!
    if (random() < 0.3) groups[at++] = 5
    if (random() < 0.5) groups[at++] = Math.floor(random() * 5)
    groupAt[a + 1] = at
  }
  const merit = Float64Array.from({ length: applicants }, random)
  const by: number[][] = Array.from({ length: programCount }, () => [])
  for (let i = 0; i < wishes.length; i++) if (random() >= 0.02) by[wishes[i]!]!.push(Math.floor(i / preferences))
  const rankAt = new Int32Array(programCount + 1)
  const ranking = new Int32Array(by.reduce((sum, list) => sum + list.length, 0))
  for (const [p, list] of by.entries()) {
    const score = Float64Array.from(list, (a) => alike * merit[a]! + (1 - alike) * random())
    const order = Uint32Array.from(list.keys()).toSorted((x, y) => score[y]! - score[x]!)
    for (const [i, k] of order.entries()) ranking[rankAt[p]! + i] = list[k]!
    rankAt[p + 1] = rankAt[p]! + list.length
  }
  const programs = Array.from({ length: programCount }, () => {
    const capacity = Math.round(((seats * applicants) / programCount) * (0.5 + random()))
    const limits = [0, 1, 2, 3, 4]
      .filter(() => quotas && random() < 0.6)
      .map((group) => {
        const maximum = random() < 0.6 ? Math.floor(capacity * random() * 0.3) : null
        const reserved = maximum === null || random() < 0.3 ? Math.floor(capacity * random() * 0.2) : 0
        return { group, maximum, reserved }
      })
    return { capacity, limits }
  })
  return {
    applicants,
    programs,
    groupCount: 6,
    groupAt,
    groups: groups.slice(0, groupAt[applicants]),
    wishAt,
    wishes,
    rankAt,
    ranking,
  }
}

/** Writes columns as the file of an instance: applicant 0 is `a1`, program 0 `p1`, group 0 `g1`. */
export function writeInstanceFile(file: string, input: DistributionInput): void {
  writeFileWhole(file, (put) => {
    const list = (name: string, rows: Int32Array, at: Int32Array, i: number): string =>
      Array.from(rows.subarray(at[i], at[i + 1]), (row) => `"${name}${row + 1}"`).join(',')
    const limits = (pairs: readonly (readonly [number, number])[]): string =>
      pairs.map(([group, count]) => `"g${group + 1}":${count}`).join(',')
    put(Buffer.from('{"applicants":['))
    for (let a = 0; a < input.applicants; a++) {
      const groups = list('g', input.groups, input.groupAt, a)
      const preferences = list('p', input.wishes, input.wishAt, a)
      put(Buffer.from(`${a ? ',' : ''}{"id":"a${a + 1}","groups":[${groups}],"preferences":[${preferences}]}`))
    }
    put(Buffer.from('],"programs":['))
    for (const [p, { capacity, limits: all }] of input.programs.entries()) {
      const maximum = limits(all.flatMap((one) => (one.maximum === null ? [] : [[one.group, one.maximum] as const])))
      const reserved = limits(all.flatMap((one) => (one.reserved ? [[one.group, one.reserved] as const] : [])))
      const ranking = list('a', input.ranking, input.rankAt, p)
      put(
        Buffer.from(
          `${p ? ',' : ''}{"id":"p${p + 1}","capacity":${capacity},"ranking":[${ranking}],"maximum":{${maximum}},"reserved":{${reserved}}}`,
        ),
      )
    }
    put(Buffer.from(']}'))
  })
}
