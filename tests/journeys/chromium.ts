/** A Chromium for journeys and benchmarks: the system's, without a desktop where there is one, else that of an npm package. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const run = promisify(execFile)
/** The headless shell draws the same pages by a quarter less work than a whole browser without its windows. */
const SYSTEM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** As root there is no sandbox, and in containers little shared memory. */
const ARGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // A camera that shows a test picture, and a person who lets it be used.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]
// Of the package's own arguments only these: its `--single-process` makes the browser die between two pages.
const PACKED_ARGS = [...ARGS, '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

/** Unpacks the browser of the npm package, once for all processes; answers its folder. */
async function unpacked(): Promise<string> {
  const root = path.join(import.meta.dirname, '../..')
  const { version } = JSON.parse(
    await readFile(path.join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  ) as { version: string }
  const folder = path.join(os.tmpdir(), `ems-chromium-${version}`)
  if (existsSync(folder)) return folder
  const own = await mkdtemp(`${folder}-`)
  await run(process.execPath, [path.join(import.meta.dirname, 'unpack.ts')], {
    cwd: root,
    env: { ...process.env, TMPDIR: own },
  })
  // Whoever unpacked at the same moment did the same.
  await rename(own, folder).catch(() => rm(own, { recursive: true, force: true }))
  return folder
}

/** The libraries that come with the package, where the system lacks some that the browser needs. */
async function libraries(folder: string): Promise<Record<string, string>> {
  const { stdout } = await run('ldd', [path.join(folder, 'chromium')]).catch(() => ({ stdout: 'not found' }))
  return stdout.includes('not found') ? { LD_LIBRARY_PATH: path.join(folder, 'al2023/lib') } : {}
}

/** Starts the Chromium of the npm package, whatever the system has. */
export async function openPackedBrowser(args: readonly string[] = []): Promise<Browser> {
  const folder = await unpacked()
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    args: [...PACKED_ARGS, ...args],
    env: { ...process.env, ...(await libraries(folder)) } as Record<string, string>,
  })
}

/** Starts a Chromium: that of `CHROMIUM` or of the system, else the packed one. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM ?? '', ...SYSTEM].find((at) => at && existsSync(at))
  return executablePath ? chromium.launch({ executablePath, args: [...ARGS, ...args] }) : openPackedBrowser(args)
}
