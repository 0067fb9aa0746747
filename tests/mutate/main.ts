/**
 * `npm run mutate` breaks rules on purpose, one at a time in a copy of the repository, and runs the tests that must notice.
 * It prints which mutants survived: each is a rule that could be lost unseen. See docs/HOW-TO.md, "Breaking rules on purpose".
 *
 *   npm run mutate -- [WORD…]          those of the list; with words, only where file or description has one of them
 *   npm run mutate -- --check          only whether each of the list still finds its text and its tests
 *   npm run mutate -- --sample 20 [--seed N] [WORD…]   so many refusals, drawn by chance, that are not thrown
 *   npm run mutate -- --all-refusals [WORD…]           every one of them, which takes many hours; a word may be FILE:LINE
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import startsTestServer from '#db/testing.setup.ts'
import { testServerVariable } from '#db/testing.ts'
import { copyOfRepository } from '../copy.ts'
import { staleMutations } from './check.ts'
import { read } from './codes.ts'
import { MUTATIONS } from './mutations.ts'
import { allMutants, askedOf, describeMutant, drawn, mutated } from './refusals.ts'

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string' },
    'all-refusals': { type: 'boolean' },
  },
})

/** One rule to break, and the tests to ask, some after the others, until one notices. */
interface Broken {
  readonly title: string
  readonly file: string
  readonly break: (source: string) => string
  readonly tests: readonly (readonly string[])[]
}
const about = (...texts: string[]): boolean =>
  !words.length || words.some((word) => texts.some((text) => text.includes(word)))

const stale = staleMutations(MUTATIONS.filter(({ rule, file }) => about(rule, file)))

function listed(): Broken[] {
  const gone = new Set(stale.map(({ mutation }) => mutation))
  return MUTATIONS.filter((one) => about(one.rule, one.file) && !gone.has(one)).map(
    ({ rule, file, find, replace, tests }) => ({
      title: `${file}: ${rule}`,
      file,
      break: (source) => source.replace(find, () => replace),
      tests: [tests],
    }),
  )
}

function refusals(): Broken[] {
  const asked = askedOf()
  const all = allMutants().filter((one) => about(`${one.file}:${one.line}`, ...one.codes))
  const seed = Number(values.seed ?? Date.now() % 100_000)
  const length = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + (file.endsWith('.ts') ? read(file).length : 0), 0)
  // What is soon answered comes first.
  const chosen = (values.sample === undefined ? all : drawn(all, Number(values.sample), seed))
    .map((one) => ({ one, tests: asked(one) }))
    .toSorted((a, b) => length(a.tests[0]!) - length(b.tests[0]!))
  console.log(
    `${chosen.length} of ${all.length} refusals are not thrown${values.sample === undefined ? '' : `, seed ${seed}`}`,
  )
  return chosen.map(({ one, tests }) => ({
    title: describeMutant(one),
    file: one.file,
    break: (source) => mutated(source, one),
    tests,
  }))
}

const vitest = 'node_modules/vitest/vitest.mjs'

async function run(list: readonly Broken[]): Promise<void> {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  // The real repository is only read: whatever ends this leaves it as it was.
  const copy = await copyOfRepository(stopped.signal)
  // One server with one migrated database serves all runs but those in which a migration is another.
  const stopServer = startsTestServer()
  const server = { [testServerVariable]: process.env[testServerVariable] ?? '' }
  const survived: Broken[] = []
  const noticing = new Set<string>()
  /** Those of which a part alone was asked. */
  const inPart = new Map<string, readonly string[]>()
  let done = 0
  try {
    for (const one of list) {
      if (stopped.signal.aborted) break
      const file = path.join(copy.root, one.file)
      const before = await readFile(file, 'utf8')
      await writeFile(file, one.break(before))
      let noticed: string | null = null
      for (const tests of one.tests) {
        noticed = await copy
          .runWith(one.file.startsWith('db/') ? {} : server, vitest, 'run', '--bail=1', ...tests)
          .then(
            () => null,
            (error: Error) => error.message,
          )
        if (noticed !== null) break
      }
      await writeFile(file, before)
      if (stopped.signal.aborted) break
      done++
      if (noticed === null) survived.push(one)
      console.log(`${done}/${list.length}  ${noticed === null ? 'SURVIVED ' : 'noticed  '} ${one.title}`)
      // Which test it was, and by what: one that ran out of time on a busy machine has noticed nothing.
      const why = noticed?.split('\n').filter((line) => /^ *FAIL |Error: /.test(line)) ?? []
      for (const line of why.slice(0, 2)) console.log(`      ${line.trim().slice(0, 200)}`)
      const failed = /FAIL +(?:\|?\w+\|? +)?(\S+\.test\.tsx?)/.exec(noticed ?? '')?.[1]
      const part = one.tests.find((tests) => tests.includes('-t') && tests.includes(failed ?? ''))
      if (failed && part) inPart.set(failed, part)
      else if (failed) noticing.add(failed)
      else if (noticed !== null) console.log(noticed.slice(-600))
    }
    // What fails by itself would notice everything.
    for (const tests of [[...noticing], ...inPart.values()])
      if (tests.length && !stopped.signal.aborted)
        await copy.runWith(server, vitest, 'run', ...tests).catch((error: Error) => {
          process.exitCode = 1
          console.log(`Some tests fail although nothing is broken, and have noticed nothing:\n${error.message}`)
        })
  } finally {
    await stopServer()
    await copy.remove()
  }
  console.log(`${done - survived.length} noticed, ${survived.length} survived, of ${list.length}`)
  for (const { title } of survived) console.log(`  ${title}`)
  if (survived.length || done < list.length) process.exitCode = 1
}

const byChance = values.sample !== undefined || values['all-refusals']
if (!byChance) {
  for (const { mutation, why } of stale) console.log(`stale  ${mutation.file}: ${mutation.rule} (${why})`)
  console.log(`${stale.length} stale`)
  if (stale.length) process.exitCode = 1
}
if (!values.check) await run(byChance ? refusals() : listed())
