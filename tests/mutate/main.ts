/**
 * `npm run mutate -- [WORD…]` breaks rules on purpose, one at a time in a copy of the repository, and runs the tests that
 * must notice. It prints which mutations survived: each is a rule that could be lost unseen. With words, only mutations
 * whose file or description has one of them. See docs/HOW-TO.md, "Breaking rules on purpose".
 */
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { copyOfRepository } from '../copy.ts'
import { MUTATIONS } from './mutations.ts'
import type { Mutation } from './mutations.ts'

const words = process.argv.slice(2)
const wanted = MUTATIONS.filter(
  ({ rule, file }) => !words.length || words.some((word) => file.includes(word) || rule.includes(word)),
)
const copy = await copyOfRepository()
/** Test files at a path: one file, or all of a folder. */
const filesOf = (tests: string): string[] =>
  globSync(tests.endsWith('.ts') ? tests : `${tests}/**/*.test.ts`, { cwd: copy.root })
const survived: Mutation[] = []
const stale: Mutation[] = []
const vitest = 'node_modules/vitest/vitest.mjs'
try {
  // What fails by itself would notice everything.
  await copy.run(vitest, 'run', ...new Set(wanted.flatMap(({ tests }) => tests)))
  for (const [i, mutation] of wanted.entries()) {
    const file = path.join(copy.root, mutation.file)
    const before = await readFile(file, 'utf8')
    // Where no test is, none is missed: that would look like a rule that is guarded.
    const untested = mutation.tests.some((tests) => !filesOf(tests).length)
    if (untested || before.split(mutation.find).length !== 2) {
      stale.push(mutation)
      console.log(`${i + 1}/${wanted.length}  stale     ${mutation.file}: ${mutation.rule}`)
      continue
    }
    await writeFile(
      file,
      before.replace(mutation.find, () => mutation.replace),
    )
    const noticed = await copy.run(vitest, 'run', '--bail=1', ...mutation.tests).then(
      () => null,
      (error: Error) => error.message,
    )
    await writeFile(file, before)
    if (noticed === null) survived.push(mutation)
    console.log(
      `${i + 1}/${wanted.length}  ${noticed === null ? 'SURVIVED ' : 'noticed  '} ${mutation.file}: ${mutation.rule}`,
    )
    // Which test it was, and by what: one that ran out of time on a busy machine has noticed nothing.
    const why = noticed?.split('\n').filter((line) => /^ *FAIL |Error: /.test(line)) ?? []
    for (const line of why.slice(0, 2)) console.log(`      ${line.trim().slice(0, 200)}`)
  }
} finally {
  await copy.remove()
}
console.log(
  `${wanted.length - survived.length - stale.length} noticed, ${survived.length} survived, ${stale.length} stale`,
)
if (survived.length || stale.length) process.exitCode = 1
