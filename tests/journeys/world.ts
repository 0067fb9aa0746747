/** The demo university as people reach it: a server of all areas with the built web application, on a database of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LANGUAGES } from '#kit/contract/index.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { AREA_SERVERS } from '../../apps/server/areas.server.ts'
import { DIST, openUniversity } from '../../apps/server/assemble.ts'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
import { demoDatabase } from '../demo.ts'
import type { Lang, Person } from './browser.ts'

export interface DemoWorld {
  /** Such as `http://127.0.0.1:41234`. */
  readonly address: string
  /** The same as people know it: passkeys are for a name, not for a number. */
  readonly publicAddress: string
  /** Its database. */
  readonly url: string
  /** What a demo person is answered by the API; the name is the part of the address before the @. */
  read<T>(who: string, path: string): Promise<T>
  /** The same of a call that changes something: what a journey needs and does not look at. @throws when it is refused */
  send<T>(who: string, method: 'POST' | 'PUT', path: string, body: unknown): Promise<T>
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** What the clock does by itself: runs a job that needs nothing to be told, and waits until it is done. @throws when it fails */
  job(name: string): Promise<void>
  close(): Promise<void>
}

/** Builds the web application where nobody has yet. */
async function built(): Promise<void> {
  if (existsSync(path.join(DIST, 'index.html'))) return
  const root = path.join(import.meta.dirname, '../..')
  const child = spawn(
    process.execPath,
    [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error('The web application could not be built')
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Opens the demo university for a journey; jobs are worked on too. @param env settings, such as a mail server */
export async function openDemo(env: Readonly<Record<string, string>> = {}): Promise<DemoWorld> {
  await built()
  const database = await demoDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-journey-'))
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    LOG_LEVEL: process.env.TEST_LOG ?? 'error',
    POOL_SIZE: '8',
    ...env,
  })
  const university = await openUniversity({
    config: { ...config, databaseUrl: database.url },
    log: createLog(config),
    areas: AREA_SERVERS,
    dist: DIST,
  })
  const address = await university.listen()
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = async (who: string): Promise<string> => {
    const signedIn = await fetch(`${address}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${who}@canopus.example.edu`, password: DEMO_PASSWORD }),
    })
    return ((await signedIn.json()) as { data: { token: string } }).data.token
  }
  /** Everybody signs in once. */
  const authorization = async (who: string): Promise<string> => {
    if (!tokens.has(who)) tokens.set(who, tokenOf(who))
    return `Bearer ${await tokens.get(who)!}`
  }
  return {
    address,
    publicAddress: config.publicUrl,
    url: database.url,
    async read<T>(who: string, at: string) {
      const answer = await fetch(`${address}/api${at}`, { headers: { authorization: await authorization(who) } })
      return (await answer.json()) as T
    },
    async send<T>(who: string, method: 'POST' | 'PUT', at: string, body: unknown) {
      const answer = await fetch(`${address}/api${at}`, {
        method,
        headers: { authorization: await authorization(who), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${(await answer.text()).slice(0, 500)}`)
      return (await answer.json()) as T
    },
    async job(name) {
      const { db, jobs } = university.services
      const id = await db.transaction().execute((tx) => jobs.send(tx, name, {}, { actor: null }))
      for (let tries = 0; tries < 600; tries++) {
        const { rows } = await database.pool.query<{ state: string }>('select state from jobs where id = $1', [id])
        if (rows[0]?.state === 'failed') throw new Error(`The job ${name} failed`)
        if (rows[0]?.state === 'done') return
        await sleep(100)
      }
      throw new Error(`The job ${name} did not end`)
    },
    query: async (text, values = []) => (await database.pool.query(text, [...values])).rows as never,
    async close() {
      await university.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Signs in through the page, at the entry of one's own kind, and waits for the own start page. */
export async function signIn(person: Person, as: 'student' | 'instructor' | 'employee', email: string): Promise<void> {
  const { page } = person
  await person.go('/login')
  const agree = person.button(person.say('kit', 'cookie_accept'))
  if (await agree.isVisible()) await agree.click()
  await page
    .getByRole('radiogroup')
    .getByText(person.say('kit', `as_${as}`), { exact: true })
    .click()
  await page.getByLabel(person.say('kit', 'email')).fill(email)
  await page.getByLabel(person.say('kit', 'password'), { exact: true }).fill(DEMO_PASSWORD)
  await person.picture('sign in')
  await person.button(person.say('kit', 'sign_in')).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  await person.settled()
}

const asked = process.env.JOURNEY_LANGS?.split(',')
/**
 * Languages a journey is made in: its usual one, or those of `JOURNEY_LANGS` (`en,ar,de,fr,pt`). Half of the journeys are
 * made in English, half in Arabic, so that every run has both directions of reading and none has all of it twice.
 */
export const langsOf = (usual: Lang): readonly Lang[] => LANGUAGES.filter((lang) => (asked ?? [usual]).includes(lang))
