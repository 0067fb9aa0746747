import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { NOWHERE } from '#access/reach.contract.ts'
import type { Bond, ReachSet, Unit } from '#access/reach.contract.ts'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import type { Call, ResponseOf } from '#kit/contract/index.ts'
import { createApp } from './http/app.ts'
import type { AreaServer } from './http/area.ts'
import { readConfig } from './base/config.ts'
import type { Actor, Services } from './base/context.ts'
import type { ErrorBody } from './base/errors.ts'
import { createFiles } from './files/files.ts'
import { createSecurityLog } from './identity/security-log.ts'
import { openStorage } from './storage/index.ts'

/** How far a right of a test's person reaches: everywhere, parts of the university, or what is bound to the person. */
export type TestReach = 'all' | Bond | Partial<Record<Unit, number[]>>

const reachSet = (reach: TestReach): ReachSet =>
  typeof reach === 'object' ? { ...NOWHERE, ...reach } : { ...NOWHERE, [reach]: true }

/** A person for tests, with exactly the rights named. The user's row must exist where the test needs its name. */
export const testActor = (rights: Partial<Record<PermissionKey, TestReach>>, more: Partial<Actor> = {}): Actor => ({
  user_id: 1,
  type: 2,
  name: 'Test Person',
  name_local: 'شخص للاختبار',
  email: 'test@university.example',
  is_super_admin: false,
  is_root: false,
  student_id: null,
  instructor_id: null,
  session_id: randomUUID(),
  impersonator_id: null,
  rights: new Map(Object.entries(rights).map(([key, reach]) => [key as PermissionKey, reachSet(reach)])),
  ...more,
})

interface Sent {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: unknown
  file?: { field?: string; name: string; content: Uint8Array; mime?: string }
  headers?: Record<string, string>
}
export interface Answer<T> {
  status: number
  /** What was answered when it was not refused. */
  body: T
  /** The refusal. */
  error: ErrorBody
  headers: Record<string, string | string[] | number | undefined>
  bytes: Buffer
}
/** Makes one person's calls through HTTP and everything before a handler. */
export interface TestClient {
  send<C extends Call>(call: C, sent?: Omit<Sent, 'body'> & { body?: unknown }): Promise<Answer<ResponseOf<C>>>
  /** The same; fails the test when the call is refused. */
  ask<C extends Call>(call: C, sent?: Omit<Sent, 'body'> & { body?: unknown }): Promise<ResponseOf<C>>
}
export interface TestApp {
  readonly app: FastifyInstance
  readonly database: TestDatabase
  readonly services: Services
  as(actor: Actor | null): TestClient
  close(): Promise<void>
}

/**
 * The server with some areas on its own test database. The caller is given, not signed in: sign-in has its own tests.
 * `services` supplies what the areas need besides database, files and configuration.
 */
export async function openTestApp(
  areas: readonly AreaServer[],
  options: { services?: Partial<Services>; dist?: string } = {},
): Promise<TestApp> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-test-'))
  const storage = openStorage(pathToFileURL(folder).href)
  const { db, pool } = database.program
  const security = await createSecurityLog({ pool, log: pino({ level: 'silent' }) })
  const services = {
    db,
    pool,
    storage,
    config: readConfig({}),
    files: await createFiles({ pool, storage }),
    security,
    events: { on: () => () => {}, onGap: () => () => {}, heardAll: async () => {} },
    ...options.services,
  } as Services
  const actors = new Map<string, Actor>()
  const app = createApp({
    areas,
    services,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    partial: true,
    ...(options.dist && { dist: options.dist }),
    auth: {
      authenticate: async (request) => actors.get(String(request.headers['x-actor'])) ?? null,
      demandProof: async () => {},
    },
  })
  await app.ready()

  const as = (actor: Actor | null): TestClient => {
    const key = randomUUID()
    if (actor) actors.set(key, actor)
    const send = async (call: Call, { params = {}, query, body, file, headers }: Sent = {}): Promise<Answer<never>> => {
      const url = `/api${call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))}`
      const form = file && new FormData()
      if (form && file) {
        for (const [name, value] of Object.entries((body ?? {}) as Record<string, string>)) form.set(name, value)
        form.set(
          file.field ?? call.upload?.field ?? 'file',
          new Blob([new Uint8Array(file.content)], { type: file.mime }),
          file.name,
        )
      }
      // The form's own encoding, boundary included, is what a browser would send.
      const encoded = form && new Response(form)
      const answer = await app.inject({
        method: call.method,
        url,
        query: query as Record<string, string>,
        headers: {
          'x-actor': key,
          ...(encoded && { 'content-type': encoded.headers.get('content-type') ?? '' }),
          ...headers,
        },
        ...(encoded
          ? { payload: Buffer.from(await encoded.arrayBuffer()) }
          : body === undefined
            ? {}
            : { payload: body as object }),
      })
      const isJson = String(answer.headers['content-type']).includes('json') && !answer.headers['content-encoding']
      const parsed: unknown = isJson ? answer.json() : undefined
      return {
        status: answer.statusCode,
        body: parsed as never,
        error: parsed as ErrorBody,
        headers: answer.headers,
        bytes: answer.rawPayload,
      }
    }
    const ask = async (call: Call, sent?: Sent): Promise<never> => {
      const answer = await send(call, sent)
      if (answer.status !== 200)
        throw new Error(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.error)}`)
      return answer.body
    }
    return { send, ask } as TestClient
  }
  return {
    app,
    database,
    services,
    as,
    close: async () => {
      await app.close()
      await security.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
