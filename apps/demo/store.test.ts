/** The files of the demo university: with a store each is there, and its papers are issued and printed. */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, temporaryFolder } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { openStorage } from '#kit/server/storage/index.ts'
import { ok, prepareTestDatabase, testUniversity, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../server/areas.server.ts'
import { loadDemo } from './load.ts'

let u: TestUniversity
const folder = temporaryFolder('demo-store')
beforeAll(async () => {
  const database = await createTestDatabase()
  await prepareTestDatabase(database)
  const env = { STORAGE_URL: path.join(folder, 'store') }
  const storage = openStorage(pathToFileURL(env.STORAGE_URL).href)
  const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: folder, ...env })
  await loadDemo(database.db, undefined, { storage, config })
  u = await testUniversity(AREA_SERVERS, { database, env })
}, 720_000)
afterAll(async () => {
  await u?.close()
  await rm(folder, { recursive: true, force: true })
})
const query = async (text: string) => (await u.database.pool.query(text)).rows

test('every file of the archive opens as what it is, earlier versions as well', async () => {
  const admin = await u.as('super_admin')
  const files = await query(`select e.id, f.mime, f.size::int as size,
      (select count(*)::int from archive_versions v where v.entry_id = e.id) as versions
    from archive_entries e join files f on f.id = e.file_id where e.kind = 'file' order by e.id`)
  expect(files.length).toBeGreaterThan(10)
  expect(files.some((one) => one.versions > 1)).toBe(true)
  for (const { id, mime, size } of files) {
    const { status, bytes } = await admin('GET', `/archive/download/${id}`)
    expect([status, bytes.length], `file ${id}`).toEqual([200, size])
    expect(bytes.subarray(0, 4).toString('latin1')).toBe(mime === 'image/png' ? '\u0089PNG' : '%PDF')
  }
})

test('certificates that were delivered are papers: the electronic one opens for its holder, the one that the post lost was printed again', async () => {
  const [electronic] = await query(`select t.id, s.user_id from certificates t join students s on s.id = t.student_id
    where t.status = 'Delivered' order by t.id limit 1`)
  const holder = await u.signIn(electronic.user_id)
  const own = ok(await holder('GET', `/certificates/${electronic.id}/details`))
  const { status, bytes } = await holder('GET', `/certificates/${electronic.id}/paper/${own.papers[0].id}`)
  expect([status, bytes.subarray(0, 4).toString('latin1')]).toEqual([200, '%PDF'])
  const [mailed] = await query(`select id from certificates where status = 'Delivered By Mail'`)
  const admin = await u.as('super_admin')
  const { papers } = ok(await admin('GET', `/certificates/${mailed.id}/details`))
  expect(papers[0].prints.map((one: { reason: string | null }) => one.reason)).toContain('Lost by the post')
})
