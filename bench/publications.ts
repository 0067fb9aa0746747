import { findDoubles, type ComparedWork } from '#areas/research/publications/doubles/doubles.rules.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpu, memoryOf } from './measure.ts'
import { least, most, type Line, type Result } from './report.ts'
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

/** A file of so many entries, of which one in a hundred is broken, one in fifty repeats another, and one in ten has an abstract. */
const abstract = `abstract = {${'Lamps were kept by people who saw them from afar. '.repeat(20)}},\n  `
const bibtex = (): string =>
  Array.from({ length: ENTRIES }, (_, i) => {
    const n = i % 50 === 49 ? i - 7 : i
    const end = i % 100 === 99 ? '' : '}'
    return `@article{key${i},\n  title = {On the {Keeping} of L{\\"a}mps number ${n}},\n  author = {M{\\"u}ller, J{\\'e}r{\\^o}me and Fahmy, Nadia A. and others},\n  journal = {Journal of Lighthouses \\& Lamps},\n  year = ${1980 + (n % 45)}, month = mar, volume = {${n % 60}}, pages = {${n}--${n + 9}},\n  ${i % 10 === 0 ? abstract : ''}doi = {10.1000/l.${n}}\n${end}\n`
  }).join('\n')

/** The file handed in by an instructor and kept by a job, on a server of its own. */
async function imported(bench: Bench): Promise<readonly Line[]> {
  const { url, pool } = await bench.database('bench_publications', 4)
  const server = await bench.server(url)
  const { rows } = await pool.query<{ email: string }>(
    `select u.email from users u join instructors i on i.user_id = u.id and i.removed_at is null
      join role_assignments a on a.user_id = u.id join roles r on r.id = a.role_id and r.key = 'instructor'
      where u.email is not null order by u.id limit 1`,
  )
  const token = await bench.signIn(pool, rows[0]!.email)
  const form = new FormData()
  form.set('file', new Blob([bibtex()]), 'others.bib')
  await server.send(token, 'GET', '/publications/imports')
  const before = memoryOf(server.pid)
  const from = cpu(server.pid, bench.postmaster)
  const began = performance.now()
  const answer = await fetch(`${server.origin}/api/publications/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const { data } = (await answer.json()) as { data: { import: { id: number }; job: string } }
  let largest = 0
  let state = ''
  while (state !== 'done') {
    await sleep(100)
    largest = Math.max(largest, memoryOf(server.pid))
    state = JSON.parse(await server.send(token, 'GET', `/jobs/${data.job}`)).data.state
    if (state === 'failed') throw new Error('the import failed')
  }
  const seconds = (performance.now() - began) / 1000
  const to = cpu(server.pid, bench.postmaster)
  const told = JSON.parse(await server.send(token, 'GET', `/publications/imports/${data.import.id}`)).data
  await server.stop()
  const { entries, added, known, wrong } = told.import
  return [
    most('20,000 entries read and kept', seconds, 30, 's'),
    {
      what: 'CPU of server and database',
      value: `${((to.server - from.server) / 1000).toFixed(1)} s and ${((to.database - from.database) / 1000).toFixed(1)} s`,
    },
    {
      what: 'entries told of',
      value: `${entries}: ${added} added, ${known} known, ${wrong} wrong`,
      target: `= ${ENTRIES}`,
      met: entries === ENTRIES && added + known + wrong === ENTRIES,
    },
    most('memory above before', largest - before, 400, 'MB'),
  ]
}

/** Doubles among 100,000 works; 20,000 BibTeX entries read, and kept. */
export async function publications(bench: Bench): Promise<Result> {
  const { works, planted } = generated()
  const began = performance.now()
  const found = findDoubles(works)
  const seconds = (performance.now() - began) / 1000
  const right = found.filter(({ first_id, second_id }) => planted.has(`${first_id} ${second_id}`)).length
  return {
    name: 'publications',
    title: `${works.length} works with ${planted.size} planted doubles; ${ENTRIES} BibTeX entries`,
    lines: [
      most('compared', seconds, 60, 's'),
      least('planted doubles found, of a hundred', (100 * right) / planted.size, 95),
      most('false ones among those found, of a hundred', (100 * (found.length - right)) / found.length, 2, '%'),
      ...(await imported(bench)),
    ],
  }
}
