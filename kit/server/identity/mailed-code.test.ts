import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { addressOfTicket, newMailedCode, takeMailedCode, ticketOf } from './mailed-code.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
const refused = (code: string) => ({ status: 403, reasons: [{ code }] })

test('a code is right once, also when it is typed in two processes at once; wrong, used and old ones are refused', async () => {
  const { code } = await newMailedCode(database, 'a@x.example')
  const take = (typed = code, email = 'a@x.example') => takeMailedCode(database, email, typed)
  await expect(take(code === '00000000' ? '1' : '00000000')).rejects.toMatchObject(refused('mailed_code_wrong'))
  // Of whom no code was sent nothing else is told.
  await expect(take(code, 'b@x.example')).rejects.toMatchObject(refused('mailed_code_over'))
  const both = await Promise.allSettled([take(), take(), take()])
  expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  for (const one of both) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused('mailed_code_over'))
  const late = await newMailedCode(database, 'c@x.example')
  await database.pool.query(`update intake_codes set expires_at = now() - interval '1 second'`)
  await expect(take(late.code, 'c@x.example')).rejects.toMatchObject(refused('mailed_code_over'))
})

test('a ticket tells its address for an hour, to this university, as it was signed', async () => {
  const ticket = await ticketOf(database, 'a@x.example')
  expect(await addressOfTicket(database, ticket)).toBe('a@x.example')
  const [text = '', signature] = ticket.split('.')
  const other = Buffer.from(Buffer.from(text, 'base64url').toString().replace('a@x.example', 'b@x.example')).toString(
    'base64url',
  )
  for (const wrong of [`${other}.${signature}`, text, '', `${text}.${'A'.repeat(43)}`])
    await expect(addressOfTicket(database, wrong)).rejects.toMatchObject(refused('mailed_code_over'))
  vi.useFakeTimers({ now: Date.now() + 61 * 60_000, toFake: ['Date'] })
  try {
    await expect(addressOfTicket(database, ticket)).rejects.toMatchObject(refused('mailed_code_over'))
  } finally {
    vi.useRealTimers()
  }
})
