import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { load, memoryOf } from './measure.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

/** Requests sent at the same moment. */
const AT_ONCE = 20
const WAVES = 12

const keys = (n: number) => `{${Array.from({ length: n }, (_, i) => `"key_number_${i}":1`).join()}}`
const cell = (mark: string) => `{"registration_id":1,"offering_mark_id":1,"mark":${mark},"version":null}`

/** Bodies made to keep a server busy, to fill its memory, or to make it answer much. `open`: without a session. */
const BODIES: readonly { to: 'open' | 'grid' | 'finish' | 'list' | 'lookups'; body: string }[] = [
  { to: 'open', body: keys(300_000) },
  { to: 'open', body: keys(700) },
  { to: 'grid', body: keys(100_000) },
  { to: 'grid', body: `{"offering_id":1,"cells":[${Array(19_900).fill('{}').join()}]}` },
  { to: 'grid', body: `{"offering_id":1,"cells":[${Array(19_900).fill(cell('[]')).join()}]}` },
  { to: 'grid', body: `{"offering_id":1,"cells":${'['.repeat(1_900_000)}` },
  { to: 'finish', body: `{"ids":[${'"a",'.repeat(140_000)}1]}` },
  { to: 'list', body: `{"filters":${keys(12_000)}}` },
  { to: 'list', body: `{"filters":{"program_id":[${'1,'.repeat(30_000)}1]}}` },
  { to: 'lookups', body: `{"lookups":[${'{},'.repeat(30_000)}{}]}` },
]
const PATHS = {
  open: 'POST /login',
  grid: 'PUT /offerings/offering-students-grades/update',
  finish: 'POST /control/students/finish',
  list: 'POST /students',
  lookups: 'POST /lookups/index',
} as const

/** Twenty hostile bodies at once, again and again, while others work: what they cost in memory, and how long the others wait. */
export async function hostile(bench: Bench): Promise<Result> {
  const { url, pool } = await bench.database('bench_hostile', 4)
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const other = await bench.signIn(pool, 'registrar@canopus.example.edu')
  const list = async (): Promise<void> => {
    await server.send(other, 'POST', '/students', { page: 1, perPage: 10, search: '', filters: {} })
  }
  await load(list, { loops: 4, seconds: 3 })
  const calm = await load(list, { loops: 4, seconds: 3 })
  const before = memoryOf(server.pid)

  const client = new Pool(server.origin, { connections: AT_ONCE, pipelining: 1 })
  let answered = 0
  let largest = 0
  const send = async ({ to, body }: (typeof BODIES)[number]): Promise<void> => {
    const [method, path] = PATHS[to].split(' ') as ['POST' | 'PUT', string]
    try {
      const answer = await client.request({
        method,
        path: `/api${path}`,
        headers: {
          'content-type': 'application/json',
          ...(to !== 'open' && { authorization: `Bearer ${token}` }),
        },
        body,
      })
      const bytes = (await answer.body.arrayBuffer()).byteLength
      if (![413, 422, 429].includes(answer.statusCode)) throw new Error(`${PATHS[to]}: ${answer.statusCode}`)
      largest = Math.max(largest, bytes)
      answered++
    } catch (error) {
      // The server may close the connection of one who still sends what it has refused.
      if (!/ECONNRESET|EPIPE|other side closed/.test(String((error as Error).cause ?? error))) throw error
    }
  }
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(server.pid))), 20)
  let sent = 0
  const waves = (async () => {
    for (let wave = 0; wave < WAVES; wave++) {
      // By turns all of one kind, and all kinds beside each other.
      const bodies = Array.from({ length: AT_ONCE }, (_, i) => BODIES[(wave % 2 ? i : wave >> 1) % BODIES.length]!)
      sent += bodies.length
      await Promise.all(bodies.map(send))
      await sleep(500)
    }
  })()
  const busy = { waves: false }
  void waves.then(
    () => (busy.waves = true),
    () => (busy.waves = true),
  )
  const times: number[] = []
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!busy.waves) {
        const at = performance.now()
        await list()
        times.push(performance.now() - at)
        await sleep(5)
      }
    }),
  )
  await waves
  clearInterval(watch)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  await client.destroy()
  await server.stop()
  return {
    name: 'hostile',
    title: `${AT_ONCE} hostile bodies at once, ${WAVES} times, ${sent} in all`,
    lines: [
      most('memory grown', Math.max(0, peak - before), 300, 'MB'),
      most('other calls, 95 of 100', at(0.95), 100, 'ms'),
      {
        what: 'other calls',
        value: `${at(0.5).toFixed(1)} ms half, ${at(0.99).toFixed(1)} ms 99 of 100; alone ${calm.p50.toFixed(1)} and ${calm.p99.toFixed(1)}`,
      },
      most('largest answer', largest / 1000, 30, 'kB'),
      { what: 'refused', value: `${answered} answered, ${sent - answered} cut off` },
    ],
  }
}
