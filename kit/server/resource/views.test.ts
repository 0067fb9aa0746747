import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { MOST_VIEWS } from '../../contract/views.contract.ts'
import { kitServer } from '../kit.server.ts'

let u: TestUniversity
beforeAll(async () => {
  u = await testUniversity([kitServer])
})
afterAll(() => u.close())

const view = { name: 'First years', query: 'filters=%7B%22level%22%3A1%7D', prefs: { hidden: ['email'] } }

test('views of lists are kept for each person, by list and name, and only the own ones are read and removed', async () => {
  const [one, other] = [await u.as(null), await u.as(null)]
  const saved = ok(await one('PUT', '/views/students', view))
  expect(saved).toMatchObject(view)
  expect(ok(await one('GET', '/views/students'))).toMatchObject([view])
  expect(ok(await one('GET', '/views/offering'))).toEqual([])
  expect(ok(await other('GET', '/views/students'))).toEqual([])
  expect(ok(await other('DELETE', `/views/students/${saved.id}`))).toEqual({ removed: false })
  // The same name replaces it, at its place.
  ok(await one('PUT', '/views/students', { ...view, name: 'Second' }))
  ok(await one('PUT', '/views/students', { ...view, query: 'search=a' }))
  expect(ok(await one('GET', '/views/students'))).toMatchObject([{ ...view, query: 'search=a' }, { name: 'Second' }])
  expect((await u.nobody('GET', '/views/students')).status).toBe(401)
})

test('a removed view comes back at its place when it is kept again', async () => {
  const one = await u.as(null)
  const first = ok(await one('PUT', '/views/students', view))
  ok(await one('PUT', '/views/students', { ...view, name: 'Second' }))
  expect(ok(await one('DELETE', `/views/students/${first.id}`))).toEqual({ removed: true })
  expect(ok(await one('GET', '/views/students'))).toMatchObject([{ name: 'Second' }])
  ok(await one('PUT', '/views/students', view))
  expect(ok(await one('GET', '/views/students'))).toMatchObject([{ id: first.id }, { name: 'Second' }])
})

test('somebody keeps so many views of a list and no more; replacing one is always possible', async () => {
  const one = await u.as(null)
  for (let i = 0; i < MOST_VIEWS; i++) ok(await one('PUT', '/views/students', { ...view, name: `View ${i}` }))
  const refused = await one('PUT', '/views/students', { ...view, name: 'One more' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toMatchObject([{ code: 'too_many_views', field: 'name', data: { max: MOST_VIEWS } }])
  ok(await one('PUT', '/views/students', { ...view, name: 'View 3', query: 'search=b' }))
})
