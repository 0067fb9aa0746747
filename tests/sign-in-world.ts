/** Two processes on one database, and people who sign in to them: what tests of signing in work with. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { seedRoles } from '#access/rights.server.ts'
import { createTestDatabase, emptyTables } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { hashPassword } from '#kit/server/identity/passwords.ts'
import { openUniversity } from '../apps/server/assemble.ts'
import type { University } from '../apps/server/assemble.ts'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'

export const PASSWORD = 'three quiet rivers'

export interface Answer {
  readonly status: number
  // oxlint-disable-next-line no-explicit-any -- any call's answer
  readonly body: any
  readonly cookies: Readonly<Record<string, string>>
}
interface Sent {
  readonly body?: unknown
  readonly token?: string
  /** Cookies of a browser; those it is given are kept in it. */
  readonly jar?: Record<string, string>
  readonly at?: University
  readonly headers?: Readonly<Record<string, string>>
}

export interface SignInWorld {
  readonly database: TestDatabase
  readonly one: University
  readonly two: University
  /** One more process on this database that is set up otherwise; it ends with the world. */
  process(change: Partial<University['services']['config']>): Promise<University>
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, sent?: Sent): Promise<Answer>
  person(email: string, fields?: { type?: number; roles?: string[]; is_super_admin?: boolean }): Promise<number>
  /** The first step with the password. */
  password(email: string, sent?: Sent): Promise<Answer>
  empty(): Promise<void>
  close(): Promise<void>
}

/** @param env settings of both processes */
export async function openSignIn(env: Record<string, string> = {}): Promise<SignInWorld> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'ems-sign-in-'))
  const hash = await hashPassword(PASSWORD)
  const config = {
    ...readConfig({
      DATA_DIR: folder,
      STORAGE_URL: pathToFileURL(path.join(folder, 'files')).href,
      PUBLIC_URL: 'https://ems.example',
      ...env,
    }),
    databaseUrl: database.url,
  }
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const areas = [kitServer, accessAndPeopleServer]
  const one = await openUniversity({ config, log, areas, partial: true, supervise: 1 })
  const two = await openUniversity({ config, log, areas, partial: true, supervise: 1, work: false })
  const more: University[] = []

  const send: SignInWorld['send'] = async (method, url, { body, token, jar, at = one, headers } = {}) => {
    const response = await at.app.inject({
      method,
      url: `/api${url}`,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(jar && {
          cookie: Object.entries(jar)
            .map(([name, value]) => `${name}=${value}`)
            .join('; '),
        }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
    })
    const cookies = Object.fromEntries(response.cookies.map((c) => [c.name, c.value]))
    if (jar) Object.assign(jar, cookies)
    return { status: response.statusCode, body: response.json(), cookies }
  }
  return {
    database,
    one,
    two,
    async process(change) {
      const other = await openUniversity({
        config: { ...config, ...change, databaseUrl: database.url },
        log,
        areas,
        partial: true,
        supervise: 1,
        work: false,
      })
      more.push(other)
      return other
    },
    send,
    async person(email, { type = 2, roles = [], is_super_admin = false } = {}) {
      const { rows } = await database.pool.query<{ id: number }>(
        `insert into users (type, email, name, name_local, password_hash, is_super_admin)
         values ($1, $2, 'Layla Fouad', 'ليلى فؤاد', $3, $4) returning id`,
        [type, email, hash, is_super_admin],
      )
      const [{ id }] = rows as [{ id: number }]
      await database.pool.query(
        `insert into role_assignments (user_id, role_id) select $1, r.id from roles r where r.key = any($2)`,
        [id, roles],
      )
      return id
    },
    password: (email, sent = {}) => send('POST', '/login', { ...sent, body: { email, password: PASSWORD } }),
    async empty() {
      await emptyTables(database.db, ['secrets'])
      await database.db.transaction().execute(seedRoles)
      one.auth.forget()
      two.auth.forget()
    },
    async close() {
      await one.stop()
      await two.stop()
      for (const other of more) await other.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
