import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { degreeAuditServer } from '../degree-audit.server.ts'
import type { Requirement } from './tree.rules.ts'

let u: TestUniversity
let registrar: Caller
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

beforeAll(async () => {
  u = await testUniversity([degreeAuditServer])
  for (const code of ['ENG', 'MED']) {
    await one(code, `insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`, [code])
    await one(
      `${code} bylaw`,
      `insert into bylaws (faculty_id, code, name, name_local) values ($1, $2, $2, 'لائحة') returning id`,
      [id[code], code],
    )
    await one(
      `${code} program`,
      `insert into programs (bylaw_id, faculty_id, code, name, name_local) values ($1, $2, $3, $3, 'برنامج') returning id`,
      [id[`${code} bylaw`], id[code], code],
    )
  }
  for (const code of ['C1', 'C2', 'C3'])
    await one(code, `insert into courses (code, name, name_local, credit_hours) values ($1, $1, 'م', 3) returning id`, [
      code,
    ])
  registrar = await u.as('registrar')
})
afterAll(() => u.close())

const courses = (key: string, codes: string[], more: object = {}) =>
  ({
    kind: 'courses',
    key,
    name: key,
    name_local: 'متطلب',
    unit: 'courses',
    min: 1,
    from: codes.map((code) => ({ by: 'course', course_id: id[code] })),
    ...more,
  }) as Requirement
const all = (...parts: Requirement[]): Requirement => ({
  kind: 'all',
  key: 'root',
  name: 'Degree',
  name_local: 'الدرجة',
  parts,
})
const path = (of: 'program' | 'bylaw' = 'program', code = 'ENG') => `/requirement-trees/${of}/${id[`${code} ${of}`]}`
const save = (revision: number, tree: Requirement | null, more: object = {}, who = registrar, at = path()) =>
  who('PUT', at, { revision, mode: 'adds', tree, ...more })

test('requirements are saved as revisions, compared requirement by requirement, and an earlier one is restored', async () => {
  expect(ok(await registrar('GET', path()))).toMatchObject({
    revision: 0,
    tree: null,
    bylaw: null,
    abilities: ['edit', 'audits'],
  })
  const first = ok(await save(0, all(courses('core', ['C1', 'C2']), courses('free', ['C3'])), { reason: 'As decided' }))
  expect(first).toMatchObject({ revision: 1, last: 1, reason: 'As decided', by: { id: registrar.user_id } })
  expect(first.names.courses.map((course: { code: string }) => course.code)).toEqual(['C1', 'C2', 'C3'])
  // Saved again without a change: no new revision.
  expect(ok(await save(1, all(courses('core', ['C1', 'C2']), courses('free', ['C3'])))).revision).toBe(1)
  ok(await save(1, all(courses('free', ['C3']), courses('core', ['C1', 'C2'], { min: 2 }), courses('new', ['C2']))))
  const { differences } = ok(await registrar('GET', `${path()}/compare?from=1&to=2`))
  expect(differences).toEqual([
    expect.objectContaining({ key: 'free', kind: 'changed', moved: true, fields: [] }),
    expect.objectContaining({
      key: 'core',
      kind: 'changed',
      moved: true,
      fields: [{ field: 'min', before: 1, after: 2 }],
    }),
    expect.objectContaining({ key: 'new', kind: 'added' }),
  ])
  expect(ok(await registrar('POST', `${path()}/restore`, { revision: 2, to: 1 }))).toMatchObject({
    revision: 3,
    tree: first.tree,
  })
  expect(ok(await registrar('GET', `${path()}/revisions`)).map((row: { revision: number }) => row.revision)).toEqual([
    3, 2, 1,
  ])
  expect(ok(await registrar('GET', `${path()}?revision=2`))).toMatchObject({ revision: 2, last: 3 })
  const [trail] = await q(
    `select count(*)::int as count, max(actor_id) as actor from audit_log where table_name = 'requirement_trees'`,
  )
  expect(trail).toEqual({ count: 3, actor: registrar.user_id })
})

test('who saves over what somebody else has changed is told, and everything wrong is told with its place', async () => {
  const tree = all(courses('core', ['C1']))
  const two = await Promise.all([save(3, tree), save(3, all(courses('core', ['C2'])))])
  expect(two.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  expect(reasons(two.find((answer) => answer.status === 409)!)).toContain('requirements_changed')
  // Also when the other one was done long before.
  expect(reasons(await save(3, all(courses('core', ['C3']))))).toContain('requirements_changed')
  const wrong = await save(4, all(courses('core', ['C1'], { min: 5 }), courses('core', [])))
  expect(wrong.status).toBe(422)
  expect(wrong.body.errors.map((e: { field: string; code: string }) => [e.field, e.code])).toEqual([
    ['tree.parts.0.min', 'requirement_min_beyond'],
    ['tree.parts.1.key', 'requirement_key_twice'],
    ['tree.parts.1.from', 'requirement_no_courses'],
  ])
  await q('update programs set removed_at = now() where id = $1', [id['MED program']])
  expect((await save(0, tree, {}, registrar, path('program', 'MED'))).status).toBe(409)
})

test('requirements are changed within the part of the university, by who may; a bylaw shows in its programs', async () => {
  const engineer = await u.as('program_coordinator', ['faculty', id.ENG!])
  const tree = all(courses('university', ['C3']))
  ok(await save(0, tree, {}, registrar, path('bylaw')))
  expect(ok(await registrar('GET', path())).bylaw).toMatchObject({
    owner: { code: 'ENG' },
    revision: 1,
    requirements: 2,
  })
  expect((await save(0, tree, {}, engineer, path('bylaw', 'MED'))).status).toBe(404)
  expect((await engineer('GET', path('bylaw', 'MED'))).status).toBe(404)
  expect((await engineer('GET', `${path('bylaw', 'MED')}/revisions`)).status).toBe(404)
  const nobody = await u.as(null)
  expect((await nobody('GET', path())).status).toBe(403)
  expect((await save(4, null, {}, nobody)).status).toBe(403)
})
