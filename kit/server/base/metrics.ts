import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { AreaServer } from '../http/area.ts'
import type { Services } from './context.ts'

/** Upper bounds of the histogram of durations, in milliseconds. */
const BOUNDS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000]

interface Series {
  /** One count per bound, and one for what is above all. */
  readonly buckets: number[]
  readonly statuses: Map<number, number>
  sum: number
  count: number
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

declare module 'fastify' {
  interface FastifyInstance {
    /** The figures of this process in the text format of Prometheus. */
    metrics(): Promise<string>
  }
}

/**
 * Adds `app.metrics()`: requests and durations by call, pool, event loop, memory, jobs, and what areas count. They are
 * no page of the application: see {@link serveMetrics}. Returns the function that notes an answered request.
 */
export function installMetrics(
  app: FastifyInstance,
  { pool }: Services,
  areas: readonly AreaServer[],
): (call: string, status: number, ms: number) => void {
  const series = new Map<string, Series>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => void delay.disable())

  app.decorate('metrics', async () => {
    const out: string[] = []
    const put = (name: string, kind: string, help: string, values: [labels: string, value: number][]) => {
      out.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`)
      for (const [labels, value] of values) out.push(`${name}${labels} ${value}`)
    }
    put(
      'ems_requests_total',
      'counter',
      'Answered requests by call and status.',
      [...series].flatMap(([call, s]) =>
        [...s.statuses].map(([status, n]): [string, number] => [`{call=${quoted(call)},status="${status}"}`, n]),
      ),
    )
    out.push('# HELP ems_request_seconds Time to answer.', '# TYPE ems_request_seconds histogram')
    for (const [call, s] of series) {
      let below = 0
      for (const [i, bound] of BOUNDS.entries()) {
        below += s.buckets[i] ?? 0
        out.push(`ems_request_seconds_bucket{call=${quoted(call)},le="${bound / 1000}"} ${below}`)
      }
      out.push(
        `ems_request_seconds_bucket{call=${quoted(call)},le="+Inf"} ${s.count}`,
        `ems_request_seconds_sum{call=${quoted(call)}} ${s.sum / 1000}`,
        `ems_request_seconds_count{call=${quoted(call)}} ${s.count}`,
      )
    }
    put('ems_db_connections', 'gauge', 'Connections of this process to the database.', [
      ['{state="idle"}', pool.idleCount],
      ['{state="busy"}', pool.totalCount - pool.idleCount],
      ['{state="waited_for"}', pool.waitingCount],
    ])
    put('ems_event_loop_delay_seconds', 'gauge', 'How late the event loop was since the last scrape.', [
      ['{quantile="0.5"}', delay.percentile(50) / 1e9],
      ['{quantile="0.99"}', delay.percentile(99) / 1e9],
      ['{quantile="1"}', delay.max / 1e9],
    ])
    delay.reset()
    const memory = process.memoryUsage()
    put('ems_memory_bytes', 'gauge', 'Memory of the process.', [
      ['{kind="resident"}', memory.rss],
      ['{kind="heap"}', memory.heapUsed],
    ])
    const cpu = process.cpuUsage()
    put('ems_cpu_seconds_total', 'counter', 'Processor time used.', [['', (cpu.user + cpu.system) / 1e6]])
    put('ems_uptime_seconds', 'gauge', 'Since the process started.', [['', process.uptime()]])
    // Without the database the rest is still told.
    const jobs = await pool
      .query<{ state: string; n: number }>(
        `select state, count(*)::int as n from jobs where created_at > now() - interval '1 day' group by state`,
      )
      .catch(() => undefined)
    put('ems_database_up', 'gauge', 'Whether the database answers.', [['', jobs ? 1 : 0]])
    if (jobs) {
      put(
        'ems_jobs',
        'gauge',
        'Jobs of the last day by state.',
        jobs.rows.map((r) => [`{state=${quoted(r.state)}}`, r.n]),
      )
    }
    for (const area of areas) {
      for (const [name, value] of Object.entries((await area.metrics?.()) ?? {})) {
        put(`ems_${name}`, 'gauge', `Counted by ${area.area.name}.`, [['', value]])
      }
    }
    return `${out.join('\n')}\n`
  })

  return (call, status, ms) => {
    let s = series.get(call)
    if (!s) {
      s = { buckets: Array.from({ length: BOUNDS.length + 1 }, () => 0), statuses: new Map(), sum: 0, count: 0 }
      series.set(call, s)
    }
    let i = 0
    while (i < BOUNDS.length && ms > (BOUNDS[i] as number)) i++
    s.buckets[i] = (s.buckets[i] ?? 0) + 1
    s.statuses.set(status, (s.statuses.get(status) ?? 0) + 1)
    s.sum += ms
    s.count++
  }
}

/** Serves `GET /metrics` at an address of its own, which the people who use the application do not reach. */
export async function serveMetrics(app: FastifyInstance, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    app.metrics().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.requestTimeout = 10_000
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
