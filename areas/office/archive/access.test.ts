import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf } from '#kit/contract/index.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { archiveArea } from './archive.contract.ts'
import { archiveServer } from './archive.server.ts'
import { pdf, sendFile } from './testing.server.ts'

let u: TestUniversity
/** May change the archive everywhere but in what is limited to others. */
let editor: Caller
/** Is let into the secret folder, to change it. */
let keeper: Caller
let student: Caller
const id = { top: 0, open: 0, secret: 0, inner: 0, file: 0, page: 0, below: 0 }
const make = async (who: Caller, parent_id: number, name: string, more: object = {}): Promise<number> =>
  ok(await who('PUT', '/archive', { parent_id, name, ...more })).id
const limit = (who: Caller, folder: number, access: readonly object[]) =>
  who('PUT', `/archive/${folder}`, { inherits: false, access })

beforeAll(async () => {
  u = await testUniversity([archiveServer])
  editor = await u.as('registrar')
  keeper = await u.as('registrar')
  student = await u.as(null, undefined, { type: 3 })
  id.top = await make(keeper, 1, 'Library')
  id.open = await make(keeper, id.top, 'Open')
  id.secret = await make(keeper, id.top, 'Secret plans', { short_name: 'secret-plans' })
  ok(await limit(keeper, id.secret, [{ user_id: keeper.user_id, level: 'edit' }]))
  id.inner = await make(keeper, id.secret, 'Secret inner', { short_name: 'secret-inner' })
  id.page = await make(keeper, id.inner, 'Secret page', { kind: 'page' })
  ok(await keeper('POST', `/archive/update_page/${id.page}`, { body: '<p>Secret words</p>', language: 'en' }))
  const sent = await sendFile(
    u,
    keeper,
    '/archive/upload',
    { parent_id: id.inner },
    { name: 'Secret.pdf', content: pdf('Secret') },
  )
  id.file = sent.body.data.id
})
afterAll(() => u?.close())

describe('the wrong person gets nothing', () => {
  /** Every call of the archive about something that the person does not see. */
  const attempts = (): Record<string, (who: Caller) => Promise<{ status: number; body?: any; bytes?: Buffer }>> => ({
    'POST /archive': (who) => who('POST', '/archive', { parent_id: id.secret }),
    'GET /archive/parents/{a}/{b}/{n}': (who) => who('GET', `/archive/parents/${id.inner}/1/9`),
    'GET /archive/download/{id}': (who) => who('GET', `/archive/download/${id.file}`),
    'GET /archive/zip/files/{id}': async (who) => {
      // The address of somebody who is in, tried by somebody else.
      const { zip } = ok(await keeper('GET', `/archive/${id.secret}`))
      return who('GET', zip.replace('/api', ''))
    },
    'POST /archive/upload': (who) =>
      sendFile(u, who, '/archive/upload', { parent_id: id.inner }, { name: 'a.pdf', content: pdf() }),
    'POST /archive/upload/{suffix}': (who) =>
      who('POST', '/archive/upload/begin', { parent_id: id.inner, name: 'a.pdf', size: 9 }),
    'POST /archive/update/{id}': (who) =>
      sendFile(u, who, `/archive/update/${id.file}`, {}, { name: 'a.pdf', content: pdf() }),
    'POST /archive/import': (who) =>
      sendFile(
        u,
        who,
        '/archive/import',
        { parent_id: id.inner },
        { name: 'a.zip', content: Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64') },
      ),
    'POST /archive/order': (who) => who('POST', '/archive/order', { parent_id: id.secret, ids: [id.inner] }),
    'POST /archive/update_page/{id}': (who) =>
      who('POST', `/archive/update_page/${id.page}`, { body: 'x', language: 'en' }),
    'POST /archive/move_to/{id}': (who) => who('POST', `/archive/move_to/${id.open}`, { ids: [id.inner] }),
    'POST /archive/paste_to/{id}': (who) => who('POST', `/archive/paste_to/${id.open}`, { ids: [id.inner] }),
    'POST /archive/check_short_name/{id}/{name}': (who) =>
      who('POST', `/archive/check_short_name/${id.inner}/secret-inner`),
    'POST /archive/download_files/{id}': (who) => who('POST', `/archive/download_files/${id.inner}`, {}),
    'PUT /archive': (who) => who('PUT', '/archive', { id: id.inner, name: 'Mine' }),
    'PUT /archive/{id}': (who) =>
      who('PUT', `/archive/${id.secret}`, { access: [{ user_id: who.user_id, level: 'edit' }] }),
    'POST /archive/empty': (who) => who('POST', '/archive/empty', { ids: [id.secret] }),
    'DELETE /archive/{id}': (who) => who('DELETE', `/archive/${id.secret}`),
    'POST /archive/restore/{id}': (who) => who('POST', `/archive/restore/${id.secret}`),
    'GET /archive/{id}': (who) => who('GET', `/archive/${id.page}`),
    // It tells of no entry; who may not change the archive learns no names by it.
    'POST /archive/names/users_roles': async (who) =>
      who === student ? who('POST', '/archive/names/users_roles', { search: 'registrar' }) : { status: 404 },
  })

  test('each of the calls is tried', () => {
    expect(Object.keys(attempts()).toSorted()).toEqual(
      callsOf(archiveArea)
        .map((c) => `${c.method} ${c.path}`)
        .toSorted(),
    )
  })
  test.each([
    ['who changes everything else', () => editor],
    ['a student', () => student],
  ])('%s', async (_who, person) => {
    const before = (await u.database.pool.query('select sum(version), count(*) from archive_entries')).rows
    const answers = await Promise.all(
      Object.entries(attempts()).map(async ([name, attempt]) => {
        const { status, body } = await attempt(person())
        return [
          name,
          [403, 404].includes(status) && !JSON.stringify(body ?? '').includes('Secret')
            ? 'nothing'
            : `${status} ${JSON.stringify(body)}`,
        ]
      }),
    )
    expect(answers.filter(([, got]) => got !== 'nothing')).toEqual([])
    expect((await u.database.pool.query('select sum(version), count(*) from archive_entries')).rows).toEqual(before)
  })
  test('somebody without the permission gets nothing at all', async () => {
    const nobody = await u.as(null)
    for (const [name, attempt] of Object.entries(attempts()))
      expect([name, (await attempt(nobody)).status], name).toEqual(
        [name, 403].map((v, i) => (i && name === 'POST /archive/names/users_roles' ? 404 : v)),
      )
  })
})

test('what is not seen is not told by lists, counts, searches, names, short names, copies or ZIPs', async () => {
  const listed = (await editor('POST', '/archive', { parent_id: id.top, perPage: 100 })).body
  expect(listed.data.map((row: any) => row.name)).toEqual(['Open'])
  expect([listed.meta.count, listed.folder.children]).toEqual([1, 1])
  for (const search of ['Secret', 'words'])
    expect((await editor('POST', '/archive', { search })).body.meta.count).toBe(0)
  expect((await keeper('POST', '/archive', { search: 'words' })).body.meta.count).toBe(1)
  // A name or short name that somebody unseen has is free.
  const same = await make(editor, id.top, 'Secret plans', { short_name: 'secret-plans' })
  expect(ok(await editor('POST', `/archive/check_short_name/${same}/secret-inner`))).toEqual({
    free: true,
    valid: true,
  })
  const page = await make(editor, same, 'Page', { kind: 'page' })
  ok(await editor('POST', `/archive/update_page/${page}`, { body: 'x', language: 'en' }))
  const [copy] = ok(await editor('POST', `/archive/paste_to/${id.open}`, { ids: [same] }))
  ok(await editor('DELETE', `/archive/${copy.id}`))
  const zipped = async (who: Caller) =>
    Object.keys(unzipSync((await who('POST', `/archive/download_files/${id.top}`, {})).bytes)).toSorted()
  expect((await zipped(editor)).filter((name) => /inner|Secret\.pdf/.test(name))).toEqual([])
  // Who sees both gets both, under names that no file system takes for one.
  expect(await zipped(keeper)).toContain('Secret plans (2)/Page.en.html')
  const text = strFromU8(
    unzipSync((await keeper('POST', `/archive/download_files/${id.inner}`, {})).bytes)['Secret page.en.html']!,
  )
  expect(text).toContain('Secret words')
  ok(await editor('DELETE', `/archive/${same}`))
})

test('a copy of a larger folder leaves out what the copier does not see, and keeps limits of what is seen', async () => {
  const target = await make(keeper, 1, 'Target')
  const [partial] = ok(await editor('POST', `/archive/paste_to/${target}`, { ids: [id.top] }))
  const { rows } = await u.database.pool.query(
    `select name from archive_entries e where e.id in (select e.id from archive_entries e where exists (select from archive_up(e.id) u where u.id = $1))`,
    [partial.id],
  )
  expect(rows.map((row) => row.name).filter((name) => name.startsWith('Secret'))).toEqual([])
  const [whole] = ok(await keeper('POST', `/archive/paste_to/${target}`, { ids: [id.secret] }))
  expect((await editor('GET', `/archive/${whole.id}`)).status).toBe(404)
  expect(ok(await keeper('GET', `/archive/${whole.id}`)).access).toMatchObject([
    { user_id: keeper.user_id, level: 'edit' },
  ])
})

test('a list within a list only narrows; roles and people are let in, and shut out at once', async () => {
  const outer = await make(keeper, 1, 'Outer')
  ok(
    await limit(keeper, outer, [
      { user_id: keeper.user_id, level: 'edit' },
      { user_id: editor.user_id, level: 'view' },
    ]),
  )
  const inner = await make(keeper, outer, 'Inner')
  const { roles, users } = ok(await keeper('POST', '/archive/names/users_roles', { search: '' }))
  expect(users).toEqual([])
  const role = roles.find((r: any) => r.name === 'Student').id
  ok(
    await limit(keeper, inner, [
      { user_id: keeper.user_id, level: 'edit' },
      { role_id: role, level: 'view' },
    ]),
  )
  // The student is in the inner list, not in the outer one.
  expect((await student('GET', `/archive/${inner}`)).status).toBe(404)
  expect((await editor('GET', `/archive/${inner}`)).status).toBe(404)
  expect((await editor('GET', `/archive/${outer}`)).status).toBe(200)
  expect((await editor('PUT', '/archive', { parent_id: outer, name: 'No' })).status).toBe(403)
  ok(
    await limit(keeper, outer, [
      { user_id: keeper.user_id, level: 'edit' },
      { role_id: role, level: 'view' },
    ]),
  )
  expect((await student('GET', `/archive/${inner}`)).status).toBe(200)
  expect((await editor('GET', `/archive/${outer}`)).status).toBe(404)
  // Taken out of the limits, everything in it is open again; what is limited in it stays so.
  ok(await keeper('PUT', `/archive/${outer}`, { inherits: true }))
  expect((await editor('GET', `/archive/${outer}`)).status).toBe(200)
  expect((await editor('GET', `/archive/${inner}`)).status).toBe(404)
})

test('what is moved is seen by who sees the folder it lies in now', async () => {
  const folder = await make(keeper, 1, 'Moving in')
  const deep = await make(keeper, folder, 'Deep')
  ok(await keeper('POST', `/archive/move_to/${id.secret}`, { ids: [folder] }))
  expect((await editor('GET', `/archive/${deep}`)).status).toBe(404)
  ok(await keeper('POST', `/archive/move_to/1`, { ids: [folder] }))
  expect((await editor('GET', `/archive/${deep}`)).status).toBe(200)
})

test('nobody locks the own self out; only folders are limited; all of it is seen by who manages the archive', async () => {
  const folder = await make(editor, 1, 'Own')
  expect(reasons(await limit(editor, folder, []))).toEqual(['archive_locks_out@access'])
  expect(reasons(await limit(editor, folder, [{ user_id: editor.user_id, level: 'view' }]))).toEqual([
    'archive_locks_out@access',
  ])
  const page = await make(editor, folder, 'P', { kind: 'page' })
  expect((await limit(editor, page, [{ user_id: editor.user_id, level: 'edit' }])).body.message).toBe(
    'archive_only_folders_limited',
  )
  const admin = await u.as('admin')
  expect(ok(await admin('GET', `/archive/${id.page}`)).pages[0].body).toContain('Secret words')
  ok(await limit(admin, folder, []))
  expect((await editor('GET', `/archive/${folder}`)).status).toBe(404)
})
