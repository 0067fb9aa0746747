import { fold } from '#kit/contract/fold.ts'
import { soundOf } from '../sources/names.rules.ts'

/** A work as it is compared. */
export interface ComparedWork {
  readonly id: number
  readonly doi: string | null
  readonly titles: readonly string[]
  readonly year: number | null
  readonly volume: string | null
  readonly pages: string | null
  /** Names of its first members. */
  readonly names: readonly string[]
}
export type DoubleReason = 'doi' | 'title' | 'near_title' | 'place'
export interface Double {
  readonly first_id: number
  readonly second_id: number
  readonly why: DoubleReason
  /** Percent. */
  readonly score: number
}

/** Words that titles have and that say nothing. */
const IDLE = new Set(
  'the a an of and or in on for to with from by at as is its der die das und von zur le la les de des du et o os as e do da في من على عن الى او و مع بين عند هذا هذه دراسه'.split(
    ' ',
  ),
)
/** Sounds of words, each worked out once: titles share most of theirs. */
export function soundCache(): (word: string) => string {
  const known = new Map<string, string>()
  return (word) => {
    let sound = known.get(word)
    if (sound === undefined) {
      sound = /\d/.test(word) ? word : soundOf(word)
      known.set(word, sound)
    }
    return sound
  }
}
const wordsOf = (title: string): string[] =>
  fold(title)
    .replace(/['’ʼʿʾ`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !IDLE.has(word))

interface Prepared {
  readonly work: ComparedWork
  /** Of each title: its words in order of the alphabet, and their sounds. */
  readonly keys: readonly string[]
  readonly sounds: readonly (readonly string[])[]
  readonly people: ReadonlySet<string>
}
/** Words of a title that are enough to say which it is: fewer are those of many works. */
const ENOUGH = 3
/** Works under one key that are compared with each other: more have a heading, not a title. */
const LARGEST = 60
const first = (pages: string | null): string | null => /[\p{L}\d]+/u.exec(pages ?? '')?.[0] ?? null

function near(a: readonly string[], b: readonly string[]): number {
  const [less, more] = a.length < b.length ? [a, b] : [b, a]
  const rest = [...more]
  let same = 0
  for (const word of less) {
    const at = rest.indexOf(word)
    if (at < 0) continue
    rest.splice(at, 1)
    same++
  }
  return (2 * same) / (a.length + b.length)
}

const numbers = (words: readonly string[]): string => words.filter((word) => /\d/.test(word)).join(' ')

/** Why two works may be one, and how sure that is; null: they are two. */
function judge(a: Prepared, b: Prepared): { why: DoubleReason; score: number } | null {
  if (a.work.doi !== null && a.work.doi === b.work.doi) return { why: 'doi', score: 100 }
  // What has two DOIs was published twice, whatever it is called.
  if (a.work.doi !== null && b.work.doi !== null) return null
  const years = a.work.year === null || b.work.year === null ? null : Math.abs(a.work.year - b.work.year)
  if (years !== null && years > 1) return null
  const unnamed = a.people.size === 0 || b.people.size === 0
  const shared = [...a.people].filter((one) => b.people.has(one)).length
  if (!unnamed && shared === 0) return null
  const sameYear = years === 0
  if (a.keys.some((key) => key.split(' ').length >= ENOUGH && b.keys.includes(key)))
    return { why: 'title', score: unnamed || !sameYear ? 85 : 97 }
  let best = 0
  for (const one of a.sounds)
    for (const other of b.sounds)
      // Parts of a series differ by a number alone.
      if (Math.min(one.length, other.length) >= ENOUGH && numbers(one) === numbers(other))
        best = Math.max(best, near(one, other))
  if (best >= 0.999 && !unnamed) return { why: 'title', score: sameYear ? 93 : 82 }
  if (best >= 0.8 && !unnamed && sameYear) return { why: 'near_title', score: Math.round(best * 90) }
  const page = first(a.work.pages)
  if (
    sameYear &&
    !unnamed &&
    page !== null &&
    page === first(b.work.pages) &&
    a.work.volume !== null &&
    a.work.volume === b.work.volume
  )
    // Two titles in two languages: nothing of them is alike, and nothing else starts on that page of that volume.
    return { why: 'place', score: shared > 1 || a.people.size === 1 ? 75 : 65 }
  return null
}

/**
 * Pairs that may be one work. Compared are those alone that have something in common: a DOI, a title in another order, case or
 * script, most of its words, or the page on which they begin.
 *
 * @param told is called now and then with the share that is done
 */
export function findDoubles(works: readonly ComparedWork[], told: (share: number) => void = () => {}): Double[] {
  const sound = soundCache()
  const blocks = new Map<string, number[]>()
  const put = (key: string, i: number): void => {
    const block = blocks.get(key)
    if (block) {
      if (block.at(-1) !== i) block.push(i)
    } else blocks.set(key, [i])
  }
  const prepared = works.map((work, i): Prepared => {
    const titles = work.titles.map(wordsOf).filter((words) => words.length > 0)
    const keys = titles.map((words) => words.toSorted().join(' '))
    const sounds = titles.map((words) =>
      words
        .map(sound)
        .filter((one) => one.length > 1 || /\d/.test(one))
        .toSorted(),
    )
    const people = new Set(
      work.names.flatMap((name) => wordsOf(name).map(sound)).filter((one) => one.length > 1 && one !== 'bn'),
    )
    if (work.doi !== null) put(`d ${work.doi}`, i)
    for (const key of keys) put(`t ${key}`, i)
    for (const words of sounds) {
      if (words.length < ENOUGH) continue
      put(`s ${words.join(' ')}`, i)
      // Any three of the four longest sounds: a word that was left out or written otherwise is one of four.
      const long = [...new Set(words)].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 4)
      for (let out = 0; out < long.length; out++)
        put(
          `n ${work.year} ${long
            .filter((_, at) => at !== out)
            .toSorted()
            .join(' ')}`,
          i,
        )
    }
    const page = first(work.pages)
    if (page !== null && work.volume !== null && work.year !== null) put(`p ${work.year} ${work.volume} ${page}`, i)
    return { work, keys, sounds, people }
  })
  told(0.5)
  const found = new Map<string, Double>()
  const seen = new Set<number>()
  for (const [key, block] of blocks) {
    if (block.length < 2 || (block.length > LARGEST && !key.startsWith('d '))) continue
    for (const [at, i] of block.entries())
      for (const j of block.slice(at + 1)) {
        const pair = i * works.length + j
        if (seen.has(pair)) continue
        seen.add(pair)
        const [a, b] = [prepared[i]!, prepared[j]!]
        const judged = judge(a, b)
        if (!judged) continue
        const [first_id, second_id] = a.work.id < b.work.id ? [a.work.id, b.work.id] : [b.work.id, a.work.id]
        found.set(`${first_id} ${second_id}`, { first_id, second_id, ...judged })
      }
  }
  told(1)
  return [...found.values()]
}
