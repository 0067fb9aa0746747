import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { openChromium } from '../tests/journeys/chromium.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench } from './setup.ts'

const root = path.join(import.meta.dirname, '..')

/**
 * What a browser that has nothing yet loads until a signed-in person sees the list of students: JavaScript over the
 * wire, in kB of 1000 bytes, chunks of texts included.
 */
export async function firstLoad(bench: Bench): Promise<Result> {
  const built = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'],
    { cwd: root, stdio: 'inherit' },
  )
  if (built.status !== 0) throw new Error('the web application does not build')
  const { url, pool } = await bench.database('bench_first_load')
  const server = await bench.server(url)
  const email = bench.demo.accounts.find((a) => a.role === 'registrar')!.email
  const token = await bench.signIn(pool, email)
  const { rows } = await pool.query<{ id: number }>('select id from users where email = $1', [email])
  const browser = await openChromium()
  try {
    const context = await browser.newContext({ locale: 'ar-EG' })
    const user = encodeURIComponent(JSON.stringify({ id: rows[0]!.id, is_super_admin: false, is_root: false }))
    await context.addCookies(
      [
        ['session', token],
        ['user', user],
      ].map(([name, value]) => ({ name: name!, value: value!, url: server.origin })),
    )
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    const scripts = new Map<string, string>()
    const bytes = new Map<string, number>()
    let other = 0
    network.on('Network.responseReceived', ({ requestId, response, type }) => {
      if (type === 'Script' || /\.js$/.test(new URL(response.url).pathname))
        scripts.set(requestId, path.basename(new URL(response.url).pathname))
    })
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const name = scripts.get(requestId)
      if (name) bytes.set(name, (bytes.get(name) ?? 0) + encodedDataLength)
      else other += encodedDataLength
    })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    const started = performance.now()
    await page.goto(`${server.origin}/students`)
    await page.getByRole('row').nth(5).waitFor({ timeout: 30_000 })
    const took = performance.now() - started
    // What is fetched ahead once the list stands there counts as well.
    await page.waitForTimeout(2000)
    if (errors.length) throw new Error(errors.join('\n'))
    const total = [...bytes.values()].reduce((sum, n) => sum + n, 0)
    const each = [...bytes].toSorted((a, b) => b[1] - a[1])
    return {
      name: 'first-load',
      title: 'A signed-in list of students in a browser that has nothing yet',
      lines: [
        most('JavaScript', total / 1000, 320, 'kB'),
        { what: 'everything else', value: `${(other / 1000).toFixed(0)} kB` },
        { what: 'until rows are seen', value: `${took.toFixed(0)} ms, with a cold server` },
        ...each.map(([name, n]): Line => ({ what: `  ${(n / 1000).toFixed(1)} kB`, value: name })),
      ],
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}
