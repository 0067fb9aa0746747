import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { check, run } from './check.ts'
import { compare } from './rows/compare.ts'
import { unseenToday } from './turns.ts'

/**
 * All tests: the checks, the build of the web application, then every test file, journeys in a browser included.
 *
 *   npm test            everything
 *   npm test -- PART    only test files whose path contains PART, without checks
 *   npm test -- --every everything: every case of the tests that take a share each day otherwise (`share.ts`), and every file
 *                       of those that take turns (`turns.ts`)
 *   npm test -- --unseen   also names the statements whose rows no test of this run has read, where that is no failure:
 *                       those of a part that was not run, or that only files of other days run (`RUN_IN_TURN`)
 *
 * A run of everything fails where a statement is left whose rows no test has read.
 * Ends with a line `N passed, N failed`.
 */
const given = process.argv.slice(2)
const only = given.filter((one) => one !== '--every' && one !== '--unseen')
/** One day for all processes of the run, whenever midnight comes. */
const SHARE: Record<string, string> =
  only.length || given.includes('--every') ? {} : { SHARE_OF_DAY: String(Math.floor(Date.now() / 86_400_000)) }
const total = { passed: 0, failed: 0 }
/** What this run finds out before its tests, for them. */
const before = await mkdtemp(path.join(os.tmpdir(), 'ems-run-'))
const BUILT: Record<string, string> = only.length ? {} : { BUILT: path.join(before, 'built.json') }

if (!only.length) {
  // The build is long and keeps one core busy; the checks, one after the other, have the rest.
  const [{ passed, failed }, built] = await Promise.all([check(), run('vite', ['build', '--logLevel', 'warn'], BUILT)])
  total.passed += passed
  total.failed += failed
  total[built ? 'passed' : 'failed']++
  console.log(`${built ? '✓' : '✗'} build of the web application`)
}

/** A report of Vitest in its JSON form, as far as it is read here. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numTotalTestSuites: number
  readonly numFailedTestSuites: number
  readonly testResults: readonly { readonly name: string; readonly status: 'passed' | 'failed' }[]
}

/** Where every process of the tests leaves what SQL answered it; see `rows/record.ts`. */
const seen = await mkdtemp(path.join(os.tmpdir(), 'ems-rows-'))
const recorder = pathToFileURL(path.join(import.meta.dirname, 'rows/record.ts')).href

/** Runs test files and counts. What does not even load, or reports nothing, is one that failed. */
async function tests(...files: readonly string[]): Promise<{ passed: number; failed: number; files: string[] }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-report-'))
  const file = path.join(folder, 'report.json')
  try {
    const ok = await run(
      'vitest',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...files],
      {
        JOURNEYS: '1',
        ROWS_SEEN: seen,
        ...SHARE,
        ...BUILT,
        NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${recorder}`].filter(Boolean).join(' '),
      },
    )
    const report = JSON.parse(await readFile(file, 'utf8')) as Report
    const { numPassedTests: passed, numFailedTests, numFailedTestSuites, numTotalTestSuites } = report
    return {
      passed,
      failed: numFailedTests || (ok && numTotalTestSuites ? 0 : numFailedTestSuites || 1),
      files: report.testResults.flatMap(({ name, status }) => (status === 'failed' ? [name] : [])),
    }
  } catch {
    return { passed: 0, failed: 1, files: [] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const first = await tests(...only)
total.passed += first.passed
total.failed += first.failed

/**
 * A browser beside three other files on two cores is now and then too late for a journey. One or two that failed are run
 * again alone, and told: what only failed beside others is to be looked at, what fails again has failed.
 */
if (first.files.length && first.files.length <= 2 && first.files.every((file) => file.includes('/tests/journeys/'))) {
  const again = await tests(...first.files)
  if (!again.failed) {
    console.log(`Failed beside others, passed alone:\n${first.files.map((file) => `  ${file}`).join('\n')}`)
    total.passed += first.failed
    total.failed -= first.failed
  }
}

const rows = compare(seen)
/** A part of the tests need not run every statement; all of them must, but for what only files of other days run. */
const missed = only.length ? [] : unseenToday(rows.unseen, SHARE.SHARE_OF_DAY)
const whole = !rows.wrong.length && !missed.length
total[whole ? 'passed' : 'failed']++
console.log(
  `${whole ? '✓' : '✗'} rows are what the code says (${rows.places - rows.unseen.length} of ${rows.places} statements seen)`,
)
for (const line of rows.wrong) console.log(`  ${line}`)
for (const place of given.includes('--unseen') ? rows.unseen : missed)
  console.log(`  unseen: ${place}${missed.includes(place) ? '' : ' (by files of other days, or not asked for)'}`)
for (const folder of [seen, before]) await rm(folder, { recursive: true, force: true })

console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)
