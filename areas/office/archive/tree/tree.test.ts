import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { archiveServer } from '../archive.server.ts'
import { pdf, sendFile } from '../testing.server.ts'
import { sweepOf } from '#kit/server/jobs/retention.ts'

let u: TestUniversity
let editor: Caller
const make = async (who: Caller, parent_id: number, name: string, more: object = {}): Promise<number> =>
  ok(await who('PUT', '/archive', { parent_id, name, ...more })).id
const names = async (who: Caller, parent_id: number, more: object = {}): Promise<string[]> =>
  ok(await who('POST', '/archive', { parent_id, perPage: 100, ...more })).map((row: any) => row.name)

beforeAll(async () => {
  u = await testUniversity([archiveServer])
  editor = await u.as('registrar')
})
afterAll(() => u?.close())

test('entries are created, renamed, put in order, and listed with what may be done', async () => {
  const top = await make(editor, 1, 'Order', { name_local: 'ترتيب' })
  const [a, b, c] = [
    await make(editor, top, 'A'),
    await make(editor, top, 'B', { kind: 'page' }),
    await make(editor, top, 'C'),
  ]
  expect(await names(editor, top)).toEqual(['A', 'B', 'C'])
  ok(await editor('POST', '/archive/order', { parent_id: top, ids: [c, a] }))
  expect(await names(editor, top)).toEqual(['C', 'B', 'A'])
  // What stands in another folder has no place here, and is not fetched from here.
  expect((await editor('POST', '/archive/order', { parent_id: top, ids: [top] })).status).toBe(404)
  expect((await editor('POST', `/archive/download_files/${top}`, { ids: [1] })).status).toBe(404)
  ok(await editor('PUT', '/archive', { id: b, name: 'Bee' }))
  expect(await names(editor, top)).toEqual(['C', 'Bee', 'A'])
  expect(await names(editor, top, { kind: 'folder' })).toEqual(['C', 'A'])
  const listed = (await editor('POST', '/archive', { parent_id: top })).body
  expect(listed.folder).toMatchObject({ id: top, children: 3 })
  expect(listed.path.map((step: any) => step.id)).toEqual([1])
  const student = await u.as(null, undefined, { type: 3 })
  const seen = (await student('POST', '/archive', { parent_id: top })).body
  expect(seen.data[0].abilities).toEqual(['download', 'copy'])
  expect(listed.data[0].abilities).toEqual(['download', 'copy', 'add', 'edit', 'move', 'remove', 'limit'])
  for (const answer of [
    await student('PUT', '/archive', { parent_id: top, name: 'No' }),
    await student('DELETE', `/archive/${a}`),
    await student('POST', '/archive/order', { parent_id: top, ids: [a] }),
  ])
    expect(answer.status).toBe(403)
})

test('names and short names are taken once; short names are checked while one types', async () => {
  const top = await make(editor, 1, 'Names')
  const one = await make(editor, top, 'Plan', { short_name: 'plan-1' })
  expect(reasons(await editor('PUT', '/archive', { parent_id: top, name: 'PLAN' }))).toEqual([
    'archive_name_taken@name',
  ])
  const other = await make(editor, top, 'Other')
  const taken = await editor('PUT', `/archive/${other}`, { short_name: 'plan-1' })
  expect(reasons(taken)).toEqual(['archive_short_name_taken@short_name'])
  expect(reasons(await editor('PUT', `/archive/${other}`, { short_name: 'Plan 1' }))).toEqual([
    'archive_short_name_form@short_name',
  ])
  const check = async (id: number, name: string) => ok(await editor('POST', `/archive/check_short_name/${id}/${name}`))
  expect(await check(other, 'plan-1')).toEqual({ free: false, valid: true })
  expect(await check(one, 'plan-1')).toEqual({ free: true, valid: true })
  expect(await check(one, 'Plan%201')).toEqual({ free: true, valid: false })
  // A new entry of the folder is another one than the folder itself.
  expect(await check(one, 'plan-1?inside=1')).toEqual({ free: false, valid: true })
  expect((await editor('PUT', `/archive/${other}`, { name: 'a/b' })).status).toBe(422)
  expect((await editor('PUT', `/archive/${other}`, { name: 'Two', version: 99 })).body.message).toBe(
    'changed_meanwhile',
  )
})

test('what is moved takes its content along, and nothing goes into itself', async () => {
  const top = await make(editor, 1, 'Moves')
  const a = await make(editor, top, 'A')
  const inner = await make(editor, a, 'Inner')
  const b = await make(editor, top, 'B')
  ok(await editor('POST', `/archive/move_to/${b}`, { ids: [a] }))
  const parents = ok(await editor('GET', `/archive/parents/${inner}/1/10`)).map((step: any) => step.id)
  expect(parents).toEqual([top, b, a])
  expect(ok(await editor('GET', `/archive/parents/${inner}/${b}/1`)).map((step: any) => step.id)).toEqual([a])
  for (const id of [a, inner]) {
    const answer = await editor('POST', `/archive/move_to/${id}`, { ids: [a] })
    expect([answer.status, answer.body.message]).toEqual([409, 'archive_into_itself'])
    expect((await editor('POST', `/archive/paste_to/${id}`, { ids: [a] })).body.message).toBe('archive_into_itself')
  }
  expect((await editor('POST', `/archive/move_to/${b}`, { ids: [1] })).body.message).toBe('archive_root')
  expect((await editor('DELETE', '/archive/1')).body.message).toBe('archive_root')
  expect((await editor('PUT', '/archive/1', { name: 'Other' })).body.message).toBe('archive_root')
})

test('two who move two folders into each other at once: one does, and no ring is made', async () => {
  const top = await make(editor, 1, 'Ring')
  const second = await u.as('registrar')
  for (let round = 0; round < 6; round++) {
    const a = await make(editor, top, `A${round}`)
    const b = await make(editor, top, `B${round}`)
    const answers = await Promise.all([
      editor('POST', `/archive/move_to/${b}`, { ids: [a] }),
      second('POST', `/archive/move_to/${a}`, { ids: [b] }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
  // Whoever writes past the program is refused by the database.
  const [a, b] = [await make(editor, top, 'X'), await make(editor, top, 'Y')]
  const { pool } = u.database
  const both = await Promise.allSettled([
    pool.query('update archive_entries set parent_id = $2 where id = $1', [a, b]),
    pool.query('update archive_entries set parent_id = $2 where id = $1', [b, a]),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { rows } = await pool.query(
    `select e.id from archive_entries e where not exists (select from archive_up(e.id) u where u.id = 1)`,
  )
  expect(rows).toEqual([])
})

test('whoever writes past the program makes the tree no deeper than it may be, and parts nothing from its folder', async () => {
  const { pool } = u.database
  const folder = await make(editor, 1, 'Deep')
  const put = (parent: number, name: string) =>
    pool
      .query<{ id: number }>(
        `insert into archive_entries (parent_id, kind, name) values ($1, 'folder', $2) returning id`,
        [parent, name],
      )
      .then(({ rows }) => rows[0]!.id)
  let at = folder
  for (let depth = 2; depth <= 30; depth++) at = await put(at, `Level ${depth}`)
  await expect(put(at, 'Too deep')).rejects.toThrow('archive_too_deep')
  expect((await editor('PUT', '/archive', { parent_id: at, name: 'Too deep' })).body.message).toBe('archive_too_deep')
  await expect(
    pool.query('update archive_entries set removed_at = now(), removed_with = id where id = $1', [folder]),
  ).rejects.toThrow('archive_folder_removed')
  ok(await editor('DELETE', `/archive/${folder}`))
  await expect(
    pool.query('update archive_entries set removed_at = null, removed_with = null where id = $1', [at]),
  ).rejects.toThrow('archive_folder_removed')
})

test('what is removed lies in the bin with what is in it, and comes back to its place', async () => {
  const top = await make(editor, 1, 'Bin')
  const a = await make(editor, top, 'A', { short_name: 'bin-a' })
  const inner = await make(editor, a, 'Inner')
  expect(ok(await editor('DELETE', `/archive/${a}`)).count).toBe(2)
  expect(await names(editor, top)).toEqual([])
  const bin = ok(await editor('POST', '/archive', { removed: true, search: 'A', perPage: 50 }))
  expect(bin.map((row: any) => row.id)).toContain(a)
  expect(bin.map((row: any) => row.id)).not.toContain(inner)
  const student = await u.as(null, undefined, { type: 3 })
  expect(ok(await student('POST', '/archive', { removed: true }))).toEqual([])
  expect((await student('GET', `/archive/${a}`)).status).toBe(404)
  expect((await editor('DELETE', `/archive/${a}`)).body.message).toBe('removed_record')
  expect((await editor('PUT', '/archive', { parent_id: a, name: 'Late' })).body.message).toBe('removed_record')
  expect((await editor('PUT', `/archive/${inner}`, { removed: false })).body.message).toBe('archive_folder_removed')
  const again = await make(editor, top, 'A')
  expect(reasons(await editor('POST', `/archive/restore/${a}`))).toEqual(['archive_name_taken@name'])
  ok(await editor('DELETE', `/archive/${again}`))
  ok(await editor('POST', `/archive/restore/${a}`))
  expect(await names(editor, a)).toEqual(['Inner'])
  // A folder whose own folder was removed meanwhile waits for that.
  ok(await editor('DELETE', `/archive/${inner}`))
  ok(await editor('DELETE', `/archive/${a}`))
  expect((await editor('PUT', `/archive/${inner}`, { removed: false })).body.message).toBe('archive_folder_removed')
})

test('the recycle bin is emptied: one entry or all, by who may change each, and by itself after its time', async () => {
  const top = await make(editor, 1, 'Emptied')
  const keeper = await u.as('registrar')
  const a = await make(editor, top, 'A')
  const early = await make(editor, a, 'Removed before')
  const send = async (parent_id: number, name: string): Promise<number> => {
    const sent = await sendFile(u, editor, '/archive/upload', { parent_id }, { name, content: pdf(name) })
    return ok(sent as never).id
  }
  const file = await send(a, 'File.pdf')
  const [copy] = ok(await editor('POST', `/archive/paste_to/${top}`, { ids: [file] }))
  const alone = await send(a, 'Alone.pdf')
  const { pool } = u.database
  const hashOf = async (id: number) =>
    (await pool.query('select f.hash from archive_entries e join files f on f.id = e.file_id where e.id = $1', [id]))
      .rows[0]?.hash
  const [shared, own] = [await hashOf(file), await hashOf(alone)]
  const empty = (ids?: number[], who = editor) => who('POST', '/archive/empty', ids ? { ids } : {})
  expect((await empty([a])).body.message).toBe('archive_not_in_bin')
  ok(await editor('DELETE', `/archive/${early}`))
  ok(await editor('DELETE', `/archive/${a}`))
  // What came along is deleted with what it came with.
  expect((await empty([file])).body.message).toBe('archive_not_in_bin')
  const [row] = ok(await editor('POST', '/archive', { removed: true }))
  expect([row.id, row.abilities, row.goes_at > row.removed_at]).toEqual([a, ['restore', 'purge'], true])
  expect((await empty([a], await u.as(null, undefined, { type: 3 }))).status).toBe(403)
  expect(ok(await empty([a]))).toEqual({ count: 4, left: 0 })
  expect((await editor('GET', `/archive/${early}`)).status).toBe(404)
  expect([await u.services.storage.has(own), await u.services.storage.has(shared)]).toEqual([false, true])
  expect((await editor('GET', `/archive/download/${copy.id}`)).bytes.equals(Buffer.from(pdf('File.pdf')))).toBe(true)

  // In what only others change nothing is deleted by somebody else, however it came into the bin.
  const b = await make(editor, top, 'B')
  const secret = await make(keeper, b, 'Secret')
  ok(
    await keeper('PUT', `/archive/${secret}`, {
      inherits: false,
      access: [{ user_id: keeper.user_id, level: 'edit' }],
    }),
  )
  ok(await editor('DELETE', `/archive/${b}`))
  expect((await empty([b])).body.message).toBe('archive_holds_others')
  ok(await empty())
  expect((await editor('GET', `/archive/${b}`)).status).toBe(200)
  expect(ok(await empty([b], keeper)).count).toBe(2)

  const old = await make(editor, top, 'Old')
  const young = await make(editor, top, 'Young')
  for (const id of [old, young]) ok(await editor('DELETE', `/archive/${id}`))
  await pool.query(`update archive_entries set removed_at = now() - interval '91 days' where id = $1`, [old])
  await pool.query(`update archive_entries set removed_at = now() - interval '89 days' where id = $1`, [young])
  expect(await sweepOf('bin')!.erase(asSystem(u.services, 'test'), 90)).toBe(1)
  expect([(await editor('GET', `/archive/${old}`)).status, (await editor('GET', `/archive/${young}`)).status]).toEqual([
    404, 200,
  ])
})

test('a copy has what lies in it, a free name, and no short name', async () => {
  const top = await make(editor, 1, 'Copies')
  const a = await make(editor, top, 'A', { short_name: 'copy-a' })
  const page = await make(editor, a, 'Page', { kind: 'page' })
  ok(await editor('POST', `/archive/update_page/${page}`, { body: '<p>hello</p>', language: 'en' }))
  const [copy] = ok(await editor('POST', `/archive/paste_to/${top}`, { ids: [a, page] }))
  expect(copy.name).toBe('A (2)')
  expect(await names(editor, top)).toEqual(['A', 'A (2)'])
  const [inner] = ok(await editor('POST', '/archive', { parent_id: copy.id }))
  expect(ok(await editor('GET', `/archive/${inner.id}`)).pages[0].body).toBe('<p>hello</p>')
  expect(ok(await editor('GET', `/archive/${copy.id}`)).short_name).toBeNull()
})

test('a page is written in two languages, without what acts; two who write at once follow each other', async () => {
  const page = await make(editor, 1, 'Written', { kind: 'page' })
  const write = (body: string, language: string, version?: number) =>
    editor('POST', `/archive/update_page/${page}`, { body, language, ...(version !== undefined && { version }) })
  expect(ok(await write('<p onclick="x()">one<script>alert(1)</script></p>', 'en', 0)).body).toBe('<p>one</p>')
  ok(await write('<p>واحد</p>', 'ar', 0))
  expect((await write('<p>two</p>', 'en', 0)).body.message).toBe('changed_meanwhile')
  const both = await Promise.all([write('<p>a</p>', 'en', 1), write('<p>b</p>', 'en', 1)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const folder = await make(editor, 1, 'No page')
  expect((await editor('POST', `/archive/update_page/${folder}`, { body: 'x', language: 'en' })).body.message).toBe(
    'archive_not_a_page',
  )
})

test('people who may be let in are found by their names, staff alone, and nobody by one letter', async () => {
  const { user_id } = await u.as(null, undefined, { name: 'Zeinab Archivist' })
  await u.as(null, undefined, { type: 3, name: 'Zeinab Student' })
  const search = async (text: string) => ok(await editor('POST', '/archive/names/users_roles', { search: text })).users
  expect(await search('zeinab')).toEqual([expect.objectContaining({ id: user_id, name: 'Zeinab Archivist' })])
  expect(await search('z')).toEqual([])
})

test('names and pages are found as people type them, beneath the folder one is in', async () => {
  const top = await make(editor, 1, 'Search')
  const page = await make(editor, top, 'Attendance', { kind: 'page', name_local: 'اللائحة' })
  ok(await editor('POST', `/archive/update_page/${page}`, { body: '<p>غِياب الطُلّاب</p>', language: 'ar' }))
  const found = (search: string, parent_id?: number) => names(editor, parent_id ?? 1, { search })
  expect(await found('attendance')).toContain('Attendance')
  expect(await found('اللائحه')).toContain('Attendance')
  expect(await found('غياب الطلاب')).toContain('Attendance')
  expect(await found('غياب', top)).toEqual(['Attendance'])
  expect(await found('غياب', await make(editor, 1, 'Elsewhere'))).toEqual([])
  const [row] = ok(await editor('POST', '/archive', { search: 'attendance' }))
  expect(row.path.map((step: any) => step.name)).toEqual(['Archive', 'Search'])
})
