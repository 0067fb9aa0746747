/** Who wants no mails: nobody who reads the database can test an address, and no refusal is lost when its key is made or changed. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#kit/server/base/config.ts'
import { sealOf, sealWith } from '#kit/server/identity/sealed.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok } from '#tests/university.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { questionnaireClock } from '../planning/clock.server.ts'
import { questionnaireWorld, type QuestionnaireWorld } from '../testing.server.ts'
import { REFUSALS, keyRefusals, refusalOf, refusedAmong } from './refusal.server.ts'

const KEY = 'of tests: 7hQ2vX9mB4tR8kD1sW6yJ3nF5cL0zP'
const NEXT = 'J4kd8Qm2vXz7Rt1Ws9Yb5Nc3Lp6Hg0Fa'
let w: QuestionnaireWorld
beforeAll(async () => {
  w = await questionnaireWorld({ SECRETS_KEY: KEY })
}, 180_000)
afterAll(() => w?.uni.close())
beforeEach(() => w.q('delete from questionnaire_refusals'))

const WHO = 'Nadia@Company.Example'
const plain = createHash('sha256').update('nadia@company.example').digest()
const say = async (refused: boolean, stop?: string) =>
  w.uni.nobody('PUT', '/questionnaires/invited/refuse', {
    stop: stop ?? (await refusalOf(w.uni.database.pool, WHO)),
    refused,
  })
const refuses = async () => (await refusedAmong(w.uni.services, w.uni.services.db, [WHO, 'other@x.example'])).has(WHO)
/** As a release before the key wrote it. */
const before = () =>
  w.q(`insert into questionnaire_refusals (email_hash, day) values ($1, university_today() - 40)`, [plain])
const rows = () =>
  w.q<{ email_hash: Buffer; sealed: Buffer | null; day: string }>('select * from questionnaire_refusals')
const run = () =>
  questionnaireClock.run(asSystem(w.uni.services, 'test'), {}, (async () => undefined) as unknown as never)

test('a guessed address cannot be tried against what is kept, not even with all that the database holds', async () => {
  expect((await say(true)).status).toBe(200)
  expect(await refuses()).toBe(true)
  const [{ found }] = await w.q(
    `select count(*)::int as found from questionnaire_refusals r where strpos(r::text, $1) > 0 or strpos(r::text, $2) > 0`,
    [plain.toString('hex'), 'nadia'],
  )
  expect(found).toBe(0)
  const [kept] = await rows()
  const without = await sealWith({ pool: w.uni.database.pool }, '', REFUSALS)
  expect(without.digest(plain.toString('hex'))).not.toEqual(kept!.email_hash)
  expect(() => without.open(kept!.sealed!, 'questionnaire refusal')).toThrow()
  // Twice is once; and taken back it is gone.
  ok(await say(true))
  expect(await rows()).toHaveLength(1)
  ok(await say(false))
  expect(await rows()).toEqual([])
  expect(await refuses()).toBe(false)
})

test('who refused before there was a key is left out all the time, and is brought under it with the day', async () => {
  await before()
  expect(await refuses()).toBe(true)
  const [old] = await rows()
  await run()
  const [kept, ...more] = await rows()
  expect(more).toEqual([])
  expect(kept!.email_hash).not.toEqual(plain)
  expect(kept!.day).toEqual(old!.day)
  expect(await refuses()).toBe(true)
  await run()
  expect(await rows()).toEqual([kept])
  // The link that was sent then ends it.
  ok(await say(false))
  expect(await rows()).toEqual([])
  // Refused once more before it was brought under the key: one row is left, and the link ends that.
  await before()
  ok(await say(true))
  await run()
  expect(await rows()).toHaveLength(1)
  await before()
  ok(await say(false))
  expect(await rows()).toEqual([])
})

test('a changed key forgets no refusal', async () => {
  ok(await say(true))
  const { pool, db } = w.uni.database
  const services = (env: Record<string, string>) => ({
    ...w.uni.services,
    pool: Object.create(pool) as typeof pool,
    config: readConfig(env),
  })
  const knows = async (env: Record<string, string>) => (await refusedAmong(services(env), db, [WHO])).has(WHO)
  expect(await knows({ SECRETS_KEY: NEXT })).toBe(false)
  const both = { SECRETS_KEY: NEXT, SECRETS_KEY_BEFORE: KEY }
  expect(await knows(both)).toBe(true)
  const seal = await sealOf(services(both), REFUSALS)
  expect(await keyRefusals(db, seal)).toBe(0)
  expect(await keyRefusals(db, seal, true)).toBe(1)
  expect(await keyRefusals(db, seal, true)).toBe(0)
  expect(await knows({ SECRETS_KEY: NEXT })).toBe(true)
  expect(await knows({ SECRETS_KEY: KEY })).toBe(false)
})

test('who wants mails again in the moment in which the refusal is brought under the key gets them', async () => {
  await before()
  const seal = await sealOf(w.uni.services, REFUSALS)
  let answer: ReturnType<typeof say> | undefined
  await w.uni.database.db.transaction().execute(async (tx) => {
    expect(await keyRefusals(tx, seal)).toBe(1)
    answer = say(false)
    for (let waited = 0; waited < 100; waited++) {
      const [{ n }] = await w.q(`select count(*)::int as n from pg_locks where not granted`)
      if (n) break
      await sleep(20)
    }
  })
  ok(await answer!)
  expect(await rows()).toEqual([])
})
