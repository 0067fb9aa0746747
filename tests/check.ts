import { spawn } from 'node:child_process'
import path from 'node:path'

/**
 * Everything that can be said about the code without running it: types (one project per side, so that a web file which
 * reaches for the server does not compile), lint with the direction of dependencies, format, unused files and exports.
 *
 *   npm run check
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

/** Runs every check; answers how many passed and failed. */
export async function check(): Promise<{ passed: number; failed: number }> {
  const result = { passed: 0, failed: 0 }
  for (const [title, command, ...args] of CHECKS) {
    const started = Date.now()
    const ok = await run(command, args)
    result[ok ? 'passed' : 'failed']++
    console.log(`${ok ? '✓' : '✗'} ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  }
  return result
}

if (import.meta.main) {
  const { failed } = await check()
  process.exit(failed ? 1 : 0)
}
