import { sql } from 'kysely'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createDb, createPool } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { startEmbedded } from '#db/embedded.ts'
import { programUrl } from '#db/roles.ts'
import { temporaryFolder, withDatabase } from '#db/testing.ts'
import { createLog } from '#kit/server/base/log.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { Pool } from 'undici'
import { prepareDatabase } from '../apps/server/assemble.ts'
import { loadDemo } from '../apps/demo/load.ts'
import { buildDemo } from '../apps/demo/index.ts'
import type { DemoUniversity } from '../apps/demo/index.ts'

/** A server of this program as a process of its own, and a client to it. */
export interface Server {
  readonly pid: number
  readonly origin: string
  /** Sends a call with a session; fails unless it is answered 200. */
  send(token: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<string>
  /** Sends a call, whatever is answered. */
  ask(
    token: string,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Buffer }>
  stop(): Promise<void>
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
}
export interface Bench {
  readonly demo: DemoUniversity
  /** A copy of the demo university's database, with a pool of so many connections. */
  database(name: string, connections?: number): Promise<{ url: string; pool: pg.Pool; db: Db }>
  readonly postmaster: number
  server(databaseUrl: string, env?: Record<string, string>): Promise<Server>
  /** A session of a demo account. */
  signIn(pool: pg.Pool, email: string): Promise<string>
  stop(): Promise<void>
}

/** The program that is measured: this one, or another checkout of it (to compare two versions on one bench). */
const root = process.env.BENCH_ROOT ?? path.join(import.meta.dirname, '..')

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/**
 * The embedded PostgreSQL with its own settings (writes are synchronised), and the demo university in it. With `BENCH_DIR`
 * its folder, and the demo university in it, are kept for the next run of the same day.
 */
export async function openBench(): Promise<Bench> {
  const kept = process.env.BENCH_DIR
  if (kept) mkdirSync(kept, { recursive: true })
  const folder = kept ?? temporaryFolder('bench')
  const embedded = await startEmbedded({ folder })
  const log = createLog(readConfig({ LOG_LEVEL: 'error' }))
  const admin = new pg.Client({ connectionString: embedded.url })
  await admin.connect()
  const template = 'bench_demo'
  let demo: DemoUniversity | undefined
  const { rows: there } = await admin.query('select from pg_database where datname = $1', [template])
  if (!there.length) await admin.query(`create database ${template} template template0`)
  const own = withDatabase(embedded.url, template)
  await prepareDatabase({ program: programUrl(own), owner: own }, log, async (db) => {
    const { rows: loaded } = await sql<{ id: number }>`select id from students limit 1`.execute(db)
    demo = loaded.length ? buildDemo({ today: new Date().toISOString().slice(0, 10) }) : await loadDemo(db)
  })

  const pools: pg.Pool[] = []
  const servers = new Set<Server>()
  return {
    demo: demo!,
    get postmaster() {
      return embedded.pid
    },
    async database(name, connections = 32) {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query(`create database ${name} template ${template}`)
      const own = withDatabase(embedded.url, name)
      const pool = createPool(own, { max: connections })
      pools.push(pool)
      // As in production, the server has the role that only reads and writes.
      return { url: programUrl(own), pool, db: createDb(createPool(own, { max: 4 })) }
    },
    async server(databaseUrl, env = {}) {
      const port = await freePort()
      const out = openSync(path.join(folder, 'server.log'), 'a')
      const child: ChildProcess = spawn(
        process.execPath,
        [...(process.env.BENCH_NODE?.split(' ') ?? []), path.join(root, 'apps/server/main.ts')],
        {
          cwd: root,
          // As in production: it logs each request.
          env: {
            ...process.env,
            DATABASE_URL: databaseUrl,
            DATA_DIR: path.join(folder, 'data'),
            MAIL_FOLDER: path.join(folder, 'mail'),
            HOST: '127.0.0.1',
            PORT: String(port),
            NODE_ENV: 'production',
            SECRETS_KEY: 'of the bench: 7hQ2vX9mB4tR8kD1sW6yJ3nF5cL0zP',
            ...env,
          },
          stdio: ['ignore', out, out],
        },
      )
      const origin = `http://127.0.0.1:${port}`
      for (let tries = 0; ; tries++) {
        if (child.exitCode !== null || tries > 300) {
          const log = readFileSync(path.join(folder, 'server.log'), 'utf8')
          throw new Error(`the server did not start (${child.exitCode ?? 'still starting'}): ${log.slice(-2000)}`)
        }
        const up = await fetch(`${origin}/api/ready`).then(
          (r) => r.ok,
          () => false,
        )
        if (up) break
        await sleep(100)
      }
      const client = new Pool(origin, { connections: 32, pipelining: 1 })
      const ask: Server['ask'] = async (token, method, url, body) => {
        const answer = await client.request({
          method,
          path: `/api${url}`,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        return { status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) }
      }
      const server: Server = {
        pid: child.pid!,
        origin,
        ask,
        async send(token, method, url, body) {
          const answer = await ask(token, method, url, body)
          if (answer.status !== 200)
            throw new Error(`${method} ${url}: ${answer.status} ${answer.body.toString().slice(0, 500)}`)
          return answer.body.toString()
        },
        async stop() {
          servers.delete(server)
          await client.close()
          if (child.exitCode !== null) return
          child.kill('SIGTERM')
          await once(child, 'exit')
        },
        async kill() {
          servers.delete(server)
          child.kill('SIGKILL')
          await once(child, 'exit')
          await client.destroy()
        },
      }
      servers.add(server)
      return server
    },
    async signIn(pool, email) {
      const { rows } = await pool.query<{ id: number }>('select id from users where email = $1', [email])
      if (!rows[0]) throw new Error(`There is no account ${email}`)
      return (await createSession(pool, { user_id: rows[0].id, ip: null })).token
    },
    async stop() {
      for (const server of servers) await server.stop()
      await Promise.all(pools.map((pool) => pool.end().catch(() => {})))
      await admin.end()
      await embedded.stop()
      if (!kept) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What the figures were measured on. */
export function machine(): string {
  const cpu = os.cpus()[0]?.model ?? 'unknown processor'
  const cores = os.cpus().length
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0]
  return `${cpu} × ${cores}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}, load ${load}`
}
