import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Everything that can be said about the code without running it: types (one project per side, so that a web file which
 * reaches for the server does not compile), lint with the direction of dependencies, format, unused files and exports.
 *
 *   npm run check            lint that needs types looks at the files that changed since the last commit (since the one before,
 *                            where nothing did)
 *   npm run check -- --all   at all files, as `npm test` does
 */
const bin = (name: string) => path.join(import.meta.dirname, '..', 'node_modules', '.bin', name)

export const CHECKS: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '-b'],
  ['lint and direction of dependencies', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  ['unused code', 'knip', '--no-progress'],
]

/** Runs one command of the project; answers whether it went well. Its words go to the terminal. */
export const run = (command: string, args: readonly string[], env: Record<string, string> = {}): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(bin(command), args, {
      stdio: 'inherit',
      cwd: path.join(import.meta.dirname, '..'),
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
    })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })

/** Files that changed, as Git tells; null where it does not. */
function changedFiles(): string[] | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path.join(import.meta.dirname, '..'), encoding: 'utf8', stdio: 'pipe' })
      .split('\n')
      .filter(Boolean)
  try {
    const open = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
    const files = open.length ? open : git('diff', '--name-only', 'HEAD~1')
    return files.filter((file) => /\.tsx?$/.test(file) && existsSync(path.join(import.meta.dirname, '..', file)))
  } catch {
    return null
  }
}

/** The checks, with what needs types asked of changed files alone: it is two thirds of the work. */
function quickChecks(): typeof CHECKS {
  const changed = changedFiles()
  if (!changed || changed.length > MANY) return CHECKS
  return CHECKS.flatMap((one) =>
    one[1] === 'oxlint'
      ? [
          ['lint and direction of dependencies', 'oxlint', '--deny-warnings'] as const,
          ...(changed.length
            ? [
                [
                  `lint of ${changed.length} changed files`,
                  'oxlint',
                  '--type-aware',
                  '--deny-warnings',
                  ...changed,
                ] as const,
              ]
            : []),
        ]
      : [one],
  )
}
/** More changed files than these are no change of an area. */
const MANY = 300

/** Runs every check; answers how many passed and failed. */
export async function check(checks = CHECKS): Promise<{ passed: number; failed: number }> {
  const result = { passed: 0, failed: 0 }
  for (const [title, command, ...args] of checks) {
    const started = Date.now()
    const ok = await run(command, args)
    result[ok ? 'passed' : 'failed']++
    console.log(`${ok ? '✓' : '✗'} ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  }
  return result
}

if (import.meta.main) {
  const { failed } = await check(process.argv.includes('--all') ? CHECKS : quickChecks())
  process.exit(failed ? 1 : 0)
}
