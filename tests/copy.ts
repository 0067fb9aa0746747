import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '..')

/** A copy of the repository as it stands, to be changed and run without touching the real one. */
export interface Copy {
  readonly root: string
  /** Runs a script of the copy by this Node, and answers what it printed. @throws {Error} with what it printed */
  run(...args: string[]): Promise<string>
  /** The same with more in its environment. */
  runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string>
  remove(): Promise<void>
}

/**
 * Copies every file that git knows or would; packages are shared, what the compiler keeps is not.
 * @param stopped ends what runs in the copy
 */
export async function copyOfRepository(stopped?: AbortSignal): Promise<Copy> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'ems-copy-'))
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of stdout.trim().split('\n')) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true })
    // A file that was moved is listed and not there.
    await copyFile(path.join(ROOT, file), path.join(root, file)).catch(() => undefined)
  }
  await mkdir(path.join(root, 'node_modules'))
  for (const name of await readdir(path.join(ROOT, 'node_modules')))
    if (name !== '.cache' && !name.startsWith('.vite'))
      await symlink(path.join(ROOT, 'node_modules', name), path.join(root, 'node_modules', name))
  // What runs in a copy is tried whole.
  const { EMS_TEST_SERVER: _server, VITEST: _vitest, SHARE_OF_DAY: _share, ...env } = process.env
  const runWith: Copy['runWith'] = async (more, ...args) => {
    try {
      const options = { cwd: root, env: { ...env, NO_COLOR: '1', ...more }, maxBuffer: 1 << 26, signal: stopped }
      return (await run(process.execPath, args, options)).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${args.join(' ')}\n${stdout.slice(-6000)}\n${stderr.slice(-2000)}`, { cause: error })
    }
  }
  return {
    root,
    run: (...args) => runWith({}, ...args),
    runWith,
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
