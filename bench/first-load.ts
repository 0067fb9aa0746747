import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { openChromium } from '../tests/journeys/chromium.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench, Server } from './setup.ts'

const root = path.join(import.meta.dirname, '..')
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1366, height: 768 }

/** What is opened first, by whom, when it stands, and how many kB of JavaScript it may take until then. */
const SCREENS = [
  { path: '/home', role: 'student', viewport: PHONE, stands: 'main h2', most: 230 },
  { path: '/offering/registration', role: 'student', viewport: PHONE, stands: 'main h3', most: 280 },
  { path: '/students', role: 'registrar', viewport: DESK, stands: 'main tbody tr:nth-child(5)', most: 260 },
  { path: '/overview', role: 'super_admin', viewport: DESK, stands: 'main figure svg path', most: 320 },
] as const

interface Loaded {
  /** Bytes over the wire by file. */
  readonly scripts: ReadonlyMap<string, number>
  readonly other: number
  readonly ms: number
}

/** Opens one screen in a browser that has nothing yet, as somebody who is signed in. */
async function load(
  browser: Browser,
  server: Server,
  session: { token: string; id: number },
  { path: address, viewport, stands }: (typeof SCREENS)[number],
): Promise<Loaded> {
  const context = await browser.newContext({ locale: 'ar-EG', viewport })
  try {
    const user = encodeURIComponent(JSON.stringify({ id: session.id, is_super_admin: false, is_root: false }))
    await context.addCookies(
      [
        ['session', session.token],
        ['user', user],
      ].map(([name, value]) => ({ name: name!, value: value!, url: server.origin })),
    )
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    const names = new Map<string, string>()
    const scripts = new Map<string, number>()
    let other = 0
    network.on('Network.responseReceived', ({ requestId, response, type }) => {
      if (type === 'Script' || /\.js$/.test(new URL(response.url).pathname))
        names.set(requestId, path.basename(new URL(response.url).pathname))
    })
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const name = names.get(requestId)
      if (name) scripts.set(name, (scripts.get(name) ?? 0) + encodedDataLength)
      else other += encodedDataLength
    })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    const started = performance.now()
    await page.goto(`${server.origin}${address}`)
    await page.locator(stands).first().waitFor({ timeout: 30_000 })
    const ms = performance.now() - started
    // What is fetched ahead once the screen stands there counts as well.
    await page.waitForTimeout(2000)
    if (errors.length) throw new Error(errors.join('\n'))
    return { scripts, other, ms }
  } finally {
    await context.close()
  }
}

/** Slow 3G and an old phone: bytes a second, milliseconds of each answer's way, and how often slower its processor is. */
const SLOW = { bytes: 50_000, latency: 400, processor: 4 } as const
/** Seconds until the first question of the public form can be typed into there, and until its screen has taken over what was typed. */
async function applying(browser: Browser, server: Server): Promise<{ typed: number; taken: number }> {
  const context = await browser.newContext({ locale: 'ar-EG', viewport: PHONE })
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: SLOW.latency,
      downloadThroughput: SLOW.bytes,
      uploadThroughput: SLOW.bytes,
    })
    await network.send('Emulation.setCPUThrottlingRate', { rate: SLOW.processor })
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    await page.goto(`${server.origin}/apply`, { waitUntil: 'commit' })
    await page.locator('#first details[data-key] summary').first().click({ timeout: 30_000 })
    await page.locator('#first input:visible').fill('mona@example.com')
    const typed = seconds()
    await page.locator('#first').waitFor({ state: 'detached', timeout: 60_000 })
    if ((await page.locator('input[name=email]').inputValue()) !== 'mona@example.com')
      throw new Error('what was typed before the scripts were there is lost')
    return { typed, taken: seconds() }
  } finally {
    await context.close()
  }
}

/** kB of 1000 bytes over the wire, texts included, that signed-in people load until their screen stands there. */
export async function firstLoad(bench: Bench): Promise<Result> {
  const built = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'],
    { cwd: root, stdio: 'inherit' },
  )
  if (built.status !== 0) throw new Error('the web application does not build')
  const { url, pool } = await bench.database('bench_first_load')
  const server = await bench.server(url)
  const browser = await openChromium()
  try {
    const lines: Line[] = []
    for (const screen of SCREENS) {
      const { email } = bench.demo.accounts.find((a) => a.role === screen.role)!
      const token = await bench.signIn(pool, email)
      const { rows } = await pool.query<{ id: number }>('select id from users where email = $1', [email])
      const { scripts, other, ms } = await load(browser, server, { token, id: rows[0]!.id }, screen)
      const total = [...scripts.values()].reduce((sum, n) => sum + n, 0)
      lines.push(
        most(screen.path, total / 1000, screen.most, 'kB'),
        { what: '  everything else', value: `${(other / 1000).toFixed(0)} kB` },
        { what: '  until it stands', value: `${ms.toFixed(0)} ms` },
        ...[...scripts]
          .toSorted((a, b) => b[1] - a[1])
          .map(([name, n]): Line => ({ what: `    ${(n / 1000).toFixed(1)} kB`, value: name })),
      )
    }
    const { typed, taken } = await applying(browser, server)
    lines.push(most('/apply on slow 3G: an address was typed', typed, 3, 's'), {
      what: '  until its screen has taken that over',
      value: `${taken.toFixed(1)} s`,
    })
    return { name: 'first-load', title: 'JavaScript of a browser that has nothing yet, by screen', lines }
  } finally {
    await browser.close()
    await server.stop()
  }
}
