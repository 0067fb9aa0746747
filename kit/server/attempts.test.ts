import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, emptyTables } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { accountLimit, addressLimit, attempt } from './attempts.ts'
import { Refusal } from './errors.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => emptyTables(database.db))

const wait = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 0,
    (error) => {
      if (error instanceof Refusal && error.status === 429) return error.reasons[0]!.data!.seconds as number
      throw error
    },
  )
const tryOnce = (account: string, ip: string | null = '10.1.2.3') =>
  attempt(database.pool, accountLimit('login', account), addressLimit('login', ip))
/** As if the time had passed. */
const later = (seconds: number) =>
  database.pool.query(
    `update login_attempts set blocked_until = blocked_until - make_interval(secs => $1), last_failed_at = last_failed_at - make_interval(secs => $1)`,
    [seconds],
  )

test('five attempts are free, then each doubles the wait', async () => {
  for (let i = 0; i < 5; i++) expect(await wait(tryOnce('a@x'))).toBe(0)
  expect(await wait(tryOnce(' A@X '))).toBe(1)
  let seconds = 1
  for (let i = 0; i < 9; i++) {
    await later(seconds)
    expect(await wait(tryOnce('a@x'))).toBe(0)
    seconds = await wait(tryOnce('a@x'))
    expect(seconds).toBe(2 ** (i + 1))
  }
  await later(seconds)
  await tryOnce('a@x')
  expect(await wait(tryOnce('a@x'))).toBe(900)
  // Others go on.
  expect(await wait(tryOnce('b@x'))).toBe(0)
  // An hour without a failure forgives.
  await later(3700)
  for (let i = 0; i < 5; i++) expect(await wait(tryOnce('a@x'))).toBe(0)
})

test('a success makes the account new and gives the address its attempt back', async () => {
  for (let round = 0; round < 15; round++) {
    for (let i = 0; i < 3; i++) await tryOnce('a@x')
    await (
      await tryOnce('a@x')
    )()
  }
  const { rows } = await database.pool.query('select key, failures from login_attempts')
  expect(rows).toEqual([{ key: 'login address 10.1.2.3', failures: 45 }])
})

test('many at once are no way around', async () => {
  const waits = await Promise.all(Array.from({ length: 40 }, () => wait(tryOnce('a@x'))))
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(5)
})

test('one address tries many accounts: it waits as well, others do not', async () => {
  const waits = await Promise.all(Array.from({ length: 340 }, (_, i) => wait(tryOnce(`${i}@x`))))
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(300)
  expect(await wait(tryOnce('new@x', '10.9.9.9'))).toBe(0)
  // Neighbours in one IPv6 network are one.
  expect(addressLimit('login', '2001:db8:1:2::1').key).toBe(addressLimit('login', '2001:db8:1:2:aaaa::9').key)
  expect(addressLimit('login', '2001:db8:1:2::1').key).not.toBe(addressLimit('login', '2001:db8:1:3::1').key)
  expect(addressLimit('login', '::ffff:10.1.2.3').key).not.toBe(addressLimit('login', '::ffff:10.1.2.4').key)
})

test('nothing of what was typed is kept', async () => {
  await tryOnce('secret-person@x')
  const { rows } = await database.pool.query('select key from login_attempts')
  expect(JSON.stringify(rows)).not.toContain('secret-person')
})

test('many behind one address sign in at once, and nobody is told to wait', async () => {
  const lane = async (lane: number): Promise<number[]> => {
    const waits: number[] = []
    for (let i = 0; i < 10; i++) {
      waits.push(await wait(tryOnce(`student-${lane}-${i}@x`).then((succeeded) => succeeded())))
    }
    return waits
  }
  const waits = await Promise.all(Array.from({ length: 40 }, (_, i) => lane(i)))
  expect(waits.flat().filter((seconds) => seconds > 0)).toEqual([])
})
