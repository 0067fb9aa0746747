import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { kitServer } from '../kit.server.ts'
import { notify } from './notifications.ts'

let u: TestUniversity
beforeAll(async () => {
  u = await testUniversity([kitServer])
})
afterAll(() => u.close())

test('everybody reads the own notifications, and nobody those of others', async () => {
  const [one, other] = [await u.as(null), await u.as(null)]
  await u.services.db
    .transaction()
    .execute((tx) => notify(tx, [one.user_id, one.user_id, null], { key: 'kit.hello', data: { n: 3 }, link: '/help' }))
  expect(ok(await one('GET', '/notifications'))).toMatchObject([
    { key: 'kit.hello', data: { n: 3 }, link: '/help', read_at: null },
  ])
  expect(ok(await other('GET', '/notifications'))).toEqual([])
  const [{ id }] = ok(await one('GET', '/notifications'))
  expect(ok(await other('POST', '/notifications/read', { ids: [id] }))).toEqual({ read: 0 })
  expect(ok(await one('POST', '/notifications/read', {}))).toEqual({ read: 1 })
  expect(ok(await one('GET', '/notifications'))[0].read_at).not.toBeNull()
  expect((await u.nobody('GET', '/notifications')).status).toBe(401)
})

test('what is rolled back was never told', async () => {
  const one = await u.as(null)
  await expect(
    u.services.db.transaction().execute(async (tx) => {
      await notify(tx, [one.user_id], { key: 'kit.hello' })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(ok(await one('GET', '/notifications'))).toEqual([])
})
