import { findDoubles, type ComparedWork } from '#areas/research/publications/doubles/doubles.rules.ts'
import { readReferences } from '#areas/research/publications/references/read.server.ts'
import { least, most, type Result } from './report.ts'
import type { Bench } from './setup.ts'

const WORKS = 100_000
/** One work in so many stands there twice. */
const EVERY = 20
const ENTRIES = 20_000

/** Numbers that are the same every time (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
/** How each letter is written in Latin by those who follow one of the usual ways; several ways of one letter. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  ب: ['b'],
  ت: ['t'],
  ث: ['th'],
  ج: ['j', 'g'],
  ح: ['h'],
  خ: ['kh'],
  د: ['d'],
  ذ: ['dh'],
  ر: ['r'],
  ز: ['z'],
  س: ['s'],
  ش: ['sh'],
  ص: ['s'],
  ض: ['d'],
  ط: ['t'],
  ظ: ['z', 'dh'],
  ع: ["'", ''],
  غ: ['gh'],
  ف: ['f'],
  ق: ['q', 'k'],
  ك: ['k'],
  ل: ['l'],
  م: ['m'],
  ن: ['n'],
  ه: ['h'],
  و: ['u', 'w'],
  ي: ['i', 'y'],
  ا: ['a', 'aa'],
}
const CONSONANTS = [...'بتثجحخدذرزسشصضطغفقكلمن']
const VOWELS = [...'اوي']

/** A set of works with planted doubles: other case, other order, other marks, the other script, a word less. */
function generated() {
  const random = chance(7)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const arabicWord = () =>
    Array.from(
      { length: 2 + Math.floor(random() * 2) },
      () => one(CONSONANTS) + (random() < 0.6 ? one(VOWELS) : ''),
    ).join('')
  const latinWord = () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => one([...'bcdfghjklmnprstvz']) + one([...'aeiou'])).join(
      '',
    )
  const words = { ar: Array.from({ length: 5000 }, arabicWord), en: Array.from({ length: 5000 }, latinWord) }
  const people = Array.from({ length: 8000 }, () => [latinWord(), latinWord()].join(' '))
  const arabicPeople = Array.from({ length: 8000 }, () => [arabicWord(), arabicWord()].join(' '))
  const latinOf = (text: string) =>
    [...text].map((letter) => (LETTERS[letter] ? one(LETTERS[letter]) : letter)).join('')
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((x) => [random(), x] as const)
      .toSorted((a, b) => a[0] - b[0])
      .map(([, x]) => x)
  const works: ComparedWork[] = []
  const planted = new Set<string>()
  const kinds = new Map<string, string>()
  for (let i = 0; works.length < WORKS; i++) {
    const arabic = random() < 0.4
    const list = arabic ? words.ar : words.en
    const title = Array.from({ length: 5 + Math.floor(random() * 6) }, () => one(list))
    const names = Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(arabic ? arabicPeople : people))
    const base: ComparedWork = {
      id: works.length + 1,
      doi: random() < 0.4 ? `10.1000/w.${i}` : null,
      titles: [title.join(' ')],
      year: 1990 + Math.floor(random() * 36),
      volume: random() < 0.6 ? String(1 + Math.floor(random() * 60)) : null,
      pages: random() < 0.6 ? `${1 + Math.floor(random() * 900)}–${900 + Math.floor(random() * 90)}` : null,
      names,
    }
    works.push(base)
    if (i % EVERY !== 0 || works.length >= WORKS) continue
    const how = arabic
      ? one(['order', 'script', 'marks', 'less'] as const)
      : one(['order', 'case', 'less', 'doi'] as const)
    const changed = {
      order: [shuffled(title).join(' ')],
      case: [title.join(' ').toUpperCase()],
      marks: [title.map((word) => `${word.slice(0, 1)}َ${word.slice(1)}ـ`).join('  ')],
      script: [latinOf(title.join(' '))],
      less: [title.toSpliced(Math.floor(random() * title.length), 1).join(' ')],
      doi: [title.slice(0, 2).join(' ')],
    }[how]
    works.push({
      ...base,
      id: works.length + 1,
      doi: how === 'doi' ? base.doi : null,
      titles: how === 'doi' && base.doi === null ? base.titles : changed,
      names: how === 'script' ? names.map(latinOf) : shuffled(names),
      volume: null,
      pages: null,
    })
    const pair = `${base.id} ${works.length}`
    planted.add(pair)
    kinds.set(pair, how)
  }
  return { works, planted }
}

/** Doubles among 100,000 works, and 20,000 BibTeX entries read. */
export async function publications(_bench: Bench): Promise<Result> {
  const { works, planted } = generated()
  const began = performance.now()
  const found = findDoubles(works)
  const seconds = (performance.now() - began) / 1000
  const right = found.filter(({ first_id, second_id }) => planted.has(`${first_id} ${second_id}`)).length
  const entries = Array.from(
    { length: ENTRIES },
    (_, i) =>
      `@article{key${i},\n  title = {On the {Keeping} of L{\\"a}mps number ${i}},\n  author = {M{\\"u}ller, J{\\'e}r{\\^o}me and Fahmy, Nadia A. and others},\n  journal = {Journal of Lighthouses \\& Lamps},\n  year = ${1980 + (i % 45)}, month = mar, volume = {${i % 60}}, pages = {${i}--${i + 9}},\n  doi = {10.1000/l.${i}}\n}\n`,
  ).join('\n')
  const readBegan = performance.now()
  const read = await readReferences(new TextEncoder().encode(entries))
  const readSeconds = (performance.now() - readBegan) / 1000
  return {
    name: 'publications',
    title: `${works.length} works with ${planted.size} planted doubles; ${ENTRIES} BibTeX entries`,
    lines: [
      most('compared', seconds, 60, 's'),
      least('planted doubles found, of a hundred', (100 * right) / planted.size, 95),
      most('false ones among those found, of a hundred', (100 * (found.length - right)) / found.length, 2, '%'),
      most('20,000 entries read', readSeconds, 30, 's'),
      least('entries told of', read.entries.length, ENTRIES),
    ],
  }
}
