import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDb, createPool } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { readReleases } from '#db/releases.ts'
import { temporaryFolder, withDatabase } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { openStorage } from '#kit/server/storage/index.ts'
import { AREA_SERVERS } from '../../apps/server/areas.server.ts'
import { openUniversity } from '../../apps/server/assemble.ts'
import { backup } from '../../apps/server/backup/backup.ts'
import { checkArchive, restore } from '../../apps/server/backup/restore.ts'
import { TAR_END, tarHeader, tarPadding } from '../../apps/server/backup/tar.ts'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
import { demoDatabase } from '../demo.ts'
import { testUniversity } from '../university.ts'
import type { Caller, TestUniversity } from '../university.ts'

/** A backup is taken while people work, and brought back elsewhere: everything of one moment is there, and goes on. */
let u: TestUniversity
let admin: Caller
let folder: string
const made: string[] = []

beforeAll(async () => {
  folder = temporaryFolder('backup')
  u = await testUniversity(AREA_SERVERS, {
    database: await demoDatabase(),
    env: { STORAGE_URL: path.join(folder, 'store') },
  })
  admin = await u.as('super_admin')
  // The demo university was loaded without a store: its files get contents here.
  const store = openStorage(pathToFileURL(path.join(folder, 'store')).href)
  const { rows } = await u.database.pool.query<{ id: number }>('select id from files')
  const held = []
  for (const { id } of rows)
    held.push({ id, ...(await store.put(Buffer.from(`What the file ${id} of the demo university holds.`))) })
  await u.database.pool.query(
    `begin; set local session_replication_role = replica;
     update files f set hash = x.hash, size = x.size from jsonb_to_recordset('${JSON.stringify(held)}') x (id int, hash text, size int) where x.id = f.id;
     commit`,
  )
}, 360_000)
afterAll(async () => {
  for (const name of made) await u.database.pool.query(`drop database if exists ${name} with (force)`)
  await u?.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(text: string): Promise<void> {
  const form = new FormData()
  form.set(
    'file',
    new Blob([`%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n% ${text}`]),
    'a.pdf',
  )
  const sent = new Response(form)
  const answer = await u.app.inject({
    method: 'POST',
    url: '/api/files',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': sent.headers.get('content-type')! },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** A database with nothing at all in it, for owner and program. */
async function emptyDatabase() {
  const name = `${u.database.name}_${randomBytes(3).toString('hex')}`
  made.push(name)
  await u.database.pool.query(
    `create database ${name} template template0${process.env.DATABASE_URL ? ` encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8' locale_provider icu icu_locale 'und'` : ''}`,
  )
  return { owner: withDatabase(u.database.ownerUrl, name), program: withDatabase(u.database.url, name) }
}
const ask = async <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
const take = (databaseUrl: string, store: string, file: string) =>
  backup({ databaseUrl, storage: openStorage(pathToFileURL(path.join(folder, store)).href), version: 'test' }, file)

it('taken while people work and restored elsewhere: the same rows, files, numbers and trail, and people sign in', async () => {
  for (let n = 0; n < 5; n++) await upload(`before ${n}`)
  let working = true
  let written = 0
  const work = (async () => {
    for (let n = 0; working; n++) {
      const answer = await admin('PUT', '/buildings', { code: `W${n}`, name: 'Hall', name_local: 'قاعة' })
      expect(answer.status).toBe(200)
      if (n % 5 === 0) await upload(`meanwhile ${n}`)
      written++
      await sleep(2)
    }
  })()
  const file = path.join(folder, 'one.tar.gz')
  await sleep(100)
  // By the role that only reads and writes.
  const told = await take(u.database.url, 'store', file)
  working = false
  await work
  expect(written).toBeGreaterThan(5)
  expect(existsSync(`${file}.part`)).toBe(false)
  const rowsOf = (name: string) => told.tables.find((t) => t.name === `public.${name}`)!.rows
  expect(rowsOf('students')).toBeGreaterThan(1000)
  expect(told.files.count).toBeGreaterThanOrEqual(5)

  const databases = await emptyDatabase()
  await restore(databases, openStorage(pathToFileURL(path.join(folder, 'other')).href), file)

  // What is restored gives the same backup again: every row of every table, every file, every sequence.
  const again = await take(databases.program, 'other', path.join(folder, 'two.tar.gz'))
  const content = ({ entries }: typeof told) => Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1))
  expect(content(again)).toEqual(content(told))
  expect(again.tables).toEqual(told.tables)
  expect(again.files).toEqual(told.files)
  for (const { name, last } of told.sequences)
    expect(Number(again.sequences.find((s) => s.name === name)?.last), name).toBeGreaterThanOrEqual(Number(last))

  // One moment: each building has its entry in the trail, each seat its registration.
  const broken = await ask(
    databases.owner,
    `select b.code::text as what from buildings b where not exists (select from audit_log a where a.table_name = 'buildings' and a.record_id = b.id) and b.code like 'W%'
     union all select s.id::text from offering_slots s left join registration_slots r on r.offering_slot_id = s.id group by s.id having s.taken <> count(r.*)`,
  )
  expect(broken).toEqual([])
  // Nothing of the guards was left asleep.
  const asleep = await ask(
    databases.owner,
    `select tgname::text from pg_trigger where tgenabled <> 'O' union all select conname::text from pg_constraint where not convalidated`,
  )
  expect(asleep).toEqual([])
  const guards = `select (select count(*)::int from pg_trigger where not tgisinternal) as triggers, (select count(*)::int from pg_constraint where contype = 'f' and conparentid = 0) as keys`
  expect(await ask(databases.owner, guards)).toEqual(await ask(u.database.ownerUrl, guards))
  await expect(ask(databases.program, 'delete from audit_log')).rejects.toThrow('permission denied')

  const config = readConfig({
    DATABASE_URL: databases.program,
    DATA_DIR: path.join(folder, 'data'),
    STORAGE_URL: path.join(folder, 'other'),
    LOG_LEVEL: 'error',
  })
  const university = await openUniversity({
    config: { ...config, databaseUrl: databases.program },
    log: createLog(config),
    areas: AREA_SERVERS,
    work: false,
  })
  try {
    const old = await university.app.inject({
      url: '/api/users/live-data',
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(old.statusCode).toBe(401)
    const signedIn = await university.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: 'root@canopus.example.edu', password: DEMO_PASSWORD },
    })
    expect(signedIn.statusCode, signedIn.body).toBe(200)
    const cookie = [signedIn.headers['set-cookie']]
      .flat()
      .map((c) => c!.split(';')[0])
      .join('; ')
    const building = await university.app.inject({
      method: 'PUT',
      url: '/api/buildings',
      headers: { cookie },
      payload: { code: 'AFTER', name: 'After', name_local: 'بعد' },
    })
    expect(building.statusCode, building.body).toBe(200)
    const [{ highest }] = (await ask<{ highest: number }>(
      databases.owner,
      `select max(id)::int as highest from buildings where code <> 'AFTER'`,
    )) as [{ highest: number }]
    expect(building.json().data.id).toBeGreaterThan(highest)
  } finally {
    await university.stop()
  }
}, 720_000)

it('is refused where something is already, and then nothing is changed', async () => {
  const before = await ask(u.database.ownerUrl, 'select count(*)::int as n from audit_log')
  const here = { owner: u.database.ownerUrl, program: u.database.url }
  const store = openStorage(pathToFileURL(path.join(folder, 'never')).href)
  await expect(restore(here, store, path.join(folder, 'one.tar.gz'))).rejects.toThrow('The database is not empty')
  expect(await ask(u.database.ownerUrl, 'select count(*)::int as n from audit_log')).toEqual(before)
  expect(existsSync(path.join(folder, 'never'))).toBe(false)
}, 180_000)

it('is refused as a whole when the archive is cut off, changed or no backup', async () => {
  const whole = readFileSync(path.join(folder, 'one.tar.gz'))
  const plain = gunzipSync(whole)
  const at = plain.indexOf('canopus.example.edu')
  const changed = Buffer.from(plain)
  changed[at] = changed[at]! ^ 1
  const dented = Buffer.from(whole)
  dented[whole.length >> 1] = dented[whole.length >> 1]! ^ 255
  const wrong: [string, Buffer][] = [
    ['cut', whole.subarray(0, whole.length - 1000)],
    ['changed', gzipSync(changed, { level: 1 })],
    ['dented', dented],
    ['without its end', gzipSync(plain.subarray(0, plain.length >> 1), { level: 1 })],
    ['empty', Buffer.alloc(0)],
    ['something else', Buffer.from('hello')],
  ]
  const store = openStorage(pathToFileURL(path.join(folder, 'never')).href)
  const databases = await emptyDatabase()
  for (const [what, content] of wrong) {
    const file = path.join(folder, 'wrong.tar.gz')
    writeFileSync(file, content)
    const error = await restore(databases, store, file).catch((e: Error) => e)
    expect((error as Error).name, `${what}: ${(error as Error).message}`).toBe('RestoreRefused')
    rmSync(file)
  }
  expect(
    await ask(databases.owner, `select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`),
  ).toEqual([{ n: 0 }])
  await expect(checkArchive(path.join(folder, 'none'))).rejects.toThrow('There is no file')
}, 360_000)

/** The archive as a database with other migrations would have written it. */
function withMigrations(archive: string, migrations: readonly string[]): string {
  const plain = gunzipSync(readFileSync(path.join(folder, archive)))
  const header = plain.lastIndexOf(Buffer.from('manifest.json\0'))
  const size = Number.parseInt(plain.toString('latin1', header + 124, header + 135), 8)
  const told = JSON.parse(plain.toString('utf8', header + 512, header + 512 + size)) as object
  const text = Buffer.from(JSON.stringify({ ...told, version: 'of then', migrations }))
  const whole = [
    plain.subarray(0, header),
    tarHeader('manifest.json', text.length),
    text,
    tarPadding(text.length),
    TAR_END,
  ]
  const file = path.join(folder, 'then.tar.gz')
  writeFileSync(file, gzipSync(Buffer.concat(whole), { level: 1 }))
  return file
}

it('of the release that the baseline was made from is restored, of one before it is refused with what to do', async () => {
  const [release] = await readReleases()
  const store = openStorage(pathToFileURL(path.join(folder, 'of-then')).href)
  // A database as it was then: with the baseline, and nothing that came after it.
  const then = await emptyDatabase()
  const db = createDb(createPool(then.owner, { max: 2 }))
  await migrate(db, { upTo: release!.baseline.at(-1)! })
  await sql`select ensure_audit_partitions(1)`.execute(db)
  await sql`insert into faculties (code, name, name_local) values ('OLD', 'Faculty of then', 'كلية قديمة')`.execute(db)
  await db.destroy()
  await take(then.owner, 'of-then', path.join(folder, 'old.tar.gz'))
  const databases = await emptyDatabase()
  const before = withMigrations('old.tar.gz', release!.migrations.slice(0, -1))
  await expect(restore(databases, store, before)).rejects.toThrow(
    /The backup is of version of then\. .*Start version .* on it once/,
  )
  expect(
    await ask(databases.owner, `select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`),
  ).toEqual([{ n: 0 }])
  const fresh = await emptyDatabase()
  const same = withMigrations('old.tar.gz', release!.migrations)
  await restore(fresh, store, same)
  expect(await ask(fresh.owner, 'select code from faculties')).toEqual([{ code: 'OLD' }])
  expect(await ask(fresh.owner, 'select name from kysely_migration order by 1')).toEqual(
    await ask(u.database.ownerUrl, 'select name from kysely_migration order by 1'),
  )
}, 720_000)

it('is not written when a stored file is missing or damaged', async () => {
  const { rows } = await u.database.pool.query<{ hash: string }>('select hash from files limit 1')
  const { hash } = rows[0]!
  const place = path.join(folder, 'store', hash.slice(0, 2), hash.slice(2, 4), hash)
  const kept = readFileSync(place)
  const file = path.join(folder, 'three.tar.gz')
  for (const content of [undefined, Buffer.from(kept).fill(120, 20, 30)]) {
    rmSync(place, { force: true })
    if (content) writeFileSync(place, content)
    await expect(take(u.database.url, 'store', file)).rejects.toThrow(content ? 'is damaged' : 'file_not_found')
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  }
  writeFileSync(place, kept)
}, 180_000)
