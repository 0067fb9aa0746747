import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { check, run } from './check.ts'

/**
 * All tests: the checks, the build of the web application, then every test file, journeys in a browser included.
 *
 *   npm test            everything
 *   npm test -- PART    only test files whose path contains PART, without checks
 *
 * Ends with a line `N passed, N failed`.
 */
const only = process.argv.slice(2)
const total = { passed: 0, failed: 0 }

if (!only.length) {
  const { passed, failed } = await check()
  total.passed += passed
  total.failed += failed
  const built = await run('vite', ['build', '--logLevel', 'warn'])
  total[built ? 'passed' : 'failed']++
  console.log(`${built ? '✓' : '✗'} build of the web application`)
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-report-'))
const report = path.join(folder, 'report.json')
const ok = await run(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only],
  { JOURNEYS: '1' },
)
try {
  const { numPassedTests, numFailedTests, numTotalTestSuites, numFailedTestSuites } = JSON.parse(
    await readFile(report, 'utf8'),
  ) as Record<string, number>
  total.passed += numPassedTests ?? 0
  total.failed += numFailedTests ?? 0
  // A file that does not even load has no failed test of its own.
  if (!ok && !numFailedTests) total.failed += numFailedTestSuites || 1
  if (!numTotalTestSuites) total.failed++
} catch {
  total.failed++
}
await rm(folder, { recursive: true, force: true })

console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)
