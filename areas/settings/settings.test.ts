import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type TestUniversity } from '#tests/university.ts'
import { settingsServer } from './settings.server.ts'

let u: TestUniversity
beforeAll(async () => {
  u = await testUniversity([settingsServer])
})
afterAll(() => u.close())

const setting = async (name: string): Promise<number> => {
  const groups = ok(await (await u.as('admin'))('GET', '/university/data_grouped')) as {
    settings: { id: number; name: string }[]
  }[]
  return groups.flatMap((g) => g.settings).find((s) => s.name === name)!.id
}

test('settings are told to anyone, changed by who may, each by its kind', async () => {
  expect(ok(await u.nobody('GET', '/university/data'))).toMatchObject({
    pay_with_fawry: 'false',
    lazy_admission: 'false',
  })
  // What only staff need to know is not told to strangers.
  expect(Object.keys(ok(await u.nobody('GET', '/university/data')))).not.toContain('read_only')
  const admin = await u.as('admin')
  const fawry = await setting('pay_with_fawry')
  ok(await admin('POST', `/university/update/${fawry}`, { value: 'true' }))
  expect(ok(await u.nobody('GET', '/university/data')).pay_with_fawry).toBe('true')
  expect((await admin('POST', `/university/update/${fawry}`, { value: 'yes' })).status).toBe(422)
  const colour = await setting('accent_colour')
  expect(reasons(await admin('POST', `/university/update/${colour}`, { value: 'red' }))).toEqual([
    'colour_not_valid@value',
  ])
  const zone = await setting('time_zone')
  for (const value of ['Cairo', '+02:00', ''])
    expect(reasons(await admin('POST', `/university/update/${zone}`, { value }))).toEqual(['time_zone_not_valid@value'])
  ok(await admin('POST', `/university/update/${zone}`, { value: 'Asia/Riyadh' }))
  expect((await u.database.pool.query('select university_zone() as zone')).rows).toEqual([{ zone: 'Asia/Riyadh' }])
  const link = await setting('admission_link')
  expect((await admin('POST', `/university/update/${link}`, { value: 'javascript:alert(1)' })).status).toBe(422)
  expect((await admin('POST', '/university/update/999999', { value: 'x' })).status).toBe(404)
})

test('read-only mode is switched by a setting, and by nothing but it while it is on', async () => {
  const admin = await u.as('admin')
  const [mode, fawry] = [await setting('read_only'), await setting('pay_with_fawry')]
  const other = () => admin('POST', `/university/update/${fawry}`, { value: 'false' })
  ok(await admin('POST', `/university/update/${mode}`, { value: 'true' }))
  expect((await other()).body.message).toBe('you are in readonly mode')
  ok(await admin('POST', `/university/update/${mode}`, { value: 'false' }))
  ok(await other())
})

test('the wrong person changes nothing', async () => {
  const id = await setting('pay_with_fawry')
  for (const role of ['student', 'instructor', null]) {
    const who = await u.as(role)
    expect((await who('POST', `/university/update/${id}`, { value: 'false' })).status).toBe(403)
    expect((await who('GET', '/university/data_grouped')).status).toBe(403)
  }
  expect((await u.nobody('POST', `/university/update/${id}`, { value: 'false' })).status).toBe(401)
})
