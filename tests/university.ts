import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { seedRoles } from '#access/rights.server.ts'
import type { TestDatabase } from '#db/testing.ts'
import { addDays, setZone } from '#kit/contract/day.ts'
import type { AreaServer } from '#kit/server/http/area.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { openUniversity } from '../apps/server/assemble.ts'
import { copyOf } from './copies.ts'
import type { University } from '../apps/server/assemble.ts'

/** An answer: status, parsed body where it is JSON, and bytes. */
export interface Answer {
  readonly status: number
  readonly body: any
  readonly bytes: Buffer
  readonly headers: Record<string, string | string[] | number | undefined>
}
/** Somebody signed in, who calls the API. */
export interface Caller {
  readonly user_id: number
  readonly token: string
  /** @example await registrar('PUT', '/faculties', { code: 'FEC', … }) */
  (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>
}
type Unit = 'faculty' | 'department' | 'bylaw' | 'program'

/** A server of some areas on a database of its own, for the tests of one file. */
export interface TestUniversity extends University {
  readonly database: TestDatabase
  /** Somebody new with a seeded role, for the whole university or a part of it. Without role: no rights at all. */
  as(
    role: string | null,
    scope?: readonly [Unit, number],
    user?: { type?: 1 | 2 | 3 | 4; email?: string; name?: string },
  ): Promise<Caller>
  /** Somebody who is there already. */
  signIn(user_id: number): Promise<Caller>
  /** Somebody, acted as by another one who is signed in. */
  actAs(user_id: number, by: Caller): Promise<Caller>
  /** Calls without signing in. */
  readonly nobody: Caller
  close(): Promise<void>
}

/** Brings a migrated database to where tests begin: seeded roles, room for the audit trail. */
export async function prepareTestDatabase({ db }: TestDatabase): Promise<void> {
  await db.transaction().execute(seedRoles)
  await sql`select ensure_audit_partitions(1)`.execute(db)
}

/**
 * Opens the areas on a fresh migrated database with the seeded roles. Close it in `afterAll`.
 * @param options.work true: this process takes jobs too
 * @param options.database a database that is prepared already, which is dropped at the end; see `demoDatabase`
 * @param options.env further settings of the server
 */
export async function testUniversity(
  areas: readonly AreaServer[],
  options: { work?: boolean; database?: TestDatabase; env?: Readonly<Record<string, string>> } = {},
): Promise<TestUniversity> {
  const database = options.database ?? (await copyOf('prepared', prepareTestDatabase))
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-test-'))
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: process.env.TEST_LOG ?? 'error',
    POOL_SIZE: '5',
    ...options.env,
  })
  const university = await openUniversity({
    config: { ...config, databaseUrl: database.url },
    log: createLog(config),
    areas,
    partial: true,
    work: options.work ?? false,
  })
  const caller = (user_id: number, token: string): Caller =>
    Object.assign(
      async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<Answer> => {
        const answer = await university.app.inject({
          method,
          url: `/api${url}`,
          headers: token ? { authorization: `Bearer ${token}` } : {},
          ...(body !== undefined && { payload: body as object }),
        })
        const json = String(answer.headers['content-type']).startsWith('application/json')
        return {
          status: answer.statusCode,
          body: json ? answer.json() : undefined,
          bytes: answer.rawPayload,
          headers: answer.headers,
        }
      },
      { user_id, token },
    )
  const signIn = async (user_id: number): Promise<Caller> => {
    const { token } = await createSession(database.pool, { user_id, ip: null })
    return caller(user_id, token)
  }
  const actAs = async (user_id: number, by: Caller): Promise<Caller> => {
    const { rows } = await database.pool.query<{ id: string }>('select id from sessions where user_id = $1 limit 1', [
      by.user_id,
    ])
    const impersonator = { user_id: by.user_id, session_id: rows[0]!.id, read_only: false }
    const { token } = await createSession(database.pool, { user_id, ip: null, impersonator })
    return caller(user_id, token)
  }
  let people = 0
  return {
    ...university,
    database,
    signIn,
    actAs,
    nobody: caller(0, ''),
    async as(role, scope, user = {}) {
      const name = user.name ?? `${role ?? 'person'} ${++people}`
      const { rows } = await database.pool.query<{ id: number }>(
        'insert into users (type, name, name_local, email) values ($1, $2, $2, $3) returning id',
        [user.type ?? 2, name, user.email ?? null],
      )
      const { id } = rows[0]!
      if (role) {
        const given = await database.pool.query(
          `insert into role_assignments (user_id, role_id, scope_type, scope_id) select $1, id, $3, $4 from roles where key = $2`,
          [id, role, scope?.[0] ?? null, scope?.[1] ?? null],
        )
        if (given.rowCount !== 1) throw new Error(`There is no role ${role}`)
      }
      return signIn(id)
    },
    async close() {
      await university.stop()
      // Whoever comes next in this process reads instants as on this machine, until it opens a university of its own.
      setZone(null)
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The codes of a refusal, sorted, each with its field: `code@field`. */
export const reasons = (answer: Answer): string[] =>
  ((answer.body?.errors ?? []) as { code: string; field: string | null }[])
    .map(({ code, field }) => (field ? `${code}@${field}` : code))
    .toSorted()

/**
 * The day at the university of a test, `YYYY-MM-DD`, so many days from now: in Cairo it is tomorrow two hours before it is in
 * UTC, in which tests run.
 */
export const dayThere = (after = 0): string =>
  addDays(new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Cairo' }).format(), after)

/** Expects success, and gives what was answered. */
export function ok(answer: Answer): any {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data ?? answer.body
}
