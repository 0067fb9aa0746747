import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, emptyTables } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { addressLimit, attempt, limitsOf } from './attempts.ts'
import { Refusal } from '../base/errors.ts'

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
const tryOnce = (account: string, ip: string | null = '10.1.2.3', device: Buffer | null = null) =>
  attempt(database.pool, limitsOf({ what: 'login', account, ip, device }))
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
  const { rows } = await database.pool.query(
    'select split_part(key, $1, 2) as what, failures from login_attempts order by key',
    [' '],
  )
  // Of the account over all addresses every success takes back its own attempt only.
  expect(rows).toEqual([
    { what: 'account', failures: 45 },
    { what: 'address', failures: 45 },
  ])
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

describe('what an attempt counts for', () => {
  const device = Buffer.from('a browser')
  const keys = (account: string, ip: string | null, known: Buffer | null = null) =>
    limitsOf({ what: 'login', account, ip, device: known }).map((limit) => limit.key)
  test.each([
    // account, address, known browser, against account, address, known browser: how many counts they share
    ['a@x', '10.0.0.1', null, ' A@X ', '10.0.0.1', null, 3],
    ['a@x', '10.0.0.1', null, 'a@x', '10.0.0.2', null, 1],
    ['a@x', '10.0.0.1', null, 'b@x', '10.0.0.1', null, 1],
    ['a@x', '10.0.0.1', null, 'b@x', '10.0.0.2', null, 0],
    ['a@x', '2001:db8:1:2::1', null, 'a@x', '2001:db8:1:2:aaaa::9', null, 3],
    // A stranger shares nothing with a known browser, wherever both are.
    ['a@x', '10.0.0.1', null, 'a@x', '10.0.0.1', device, 0],
    ['a@x', '10.0.0.1', device, 'a@x', '10.9.9.9', device, 1],
    // Two who share a browser are two.
    ['a@x', '10.0.0.1', device, 'b@x', '10.0.0.1', device, 0],
    ['a@x', '10.0.0.1', device, 'a@x', '10.0.0.1', Buffer.from('another'), 0],
  ] as const)('%s %s %s and %s %s %s share %i', (account, ip, known, other, otherIp, otherKnown, shared) => {
    const first = new Set(keys(account, ip, known))
    expect(keys(other, otherIp, otherKnown).filter((key) => first.has(key))).toHaveLength(shared)
  })
})

test('a stranger locks an account nowhere but where the stranger is', async () => {
  const owner = Buffer.from('the owner')
  await Promise.all(Array.from({ length: 30 }, () => wait(tryOnce('root@x', '10.6.6.6'))))
  expect(await wait(tryOnce('root@x', '10.6.6.6'))).toBeGreaterThan(0)
  expect(await wait(tryOnce('root@x', '10.1.1.1'))).toBe(0)
  // Even from the stranger's own address the owner's browser is let in.
  expect(await wait(tryOnce('root@x', '10.6.6.6', owner))).toBe(0)
})

test('guesses from many addresses slow an account without locking it, and never the browser of its owner', async () => {
  const owner = Buffer.from('the owner')
  const many = await Promise.all(Array.from({ length: 120 }, (_, i) => wait(tryOnce('root@x', `10.7.${i}.1`))))
  expect(many.filter((seconds) => seconds === 0)).toHaveLength(50)
  for (let round = 0; round < 12; round++) {
    await later(31)
    await wait(tryOnce('root@x', `10.8.${round}.1`))
  }
  const slowed = await wait(tryOnce('root@x', '10.9.9.9'))
  expect(slowed).toBeGreaterThan(0)
  expect(slowed).toBeLessThanOrEqual(30)
  for (let i = 0; i < 10; i++) expect(await wait(tryOnce('root@x', '10.9.9.9', owner))).toBe(0)
  // A browser that was taken is no way to guess for ever.
  expect(await wait(tryOnce('root@x', '10.9.9.9', owner))).toBe(1)
})
