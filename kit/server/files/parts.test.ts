/** Uploads in parts, on the tables of the archive: what is here, what follows, what is over. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../base/errors.ts'
import { kitServer } from '../kit.server.ts'
import { asSystem } from '../unit/request.ts'
import { testUniversity, type TestUniversity } from '#tests/university.ts'
import { uploadsInParts } from './parts.ts'

let u: TestUniversity
const served = uploadsInParts({
  table: 'archive_uploads',
  parts: 'archive_upload_parts',
  columns: 'id, name, size::int as size, received::int as received',
  part: 4,
  codes: { over: 'tried_over', open: 'tried_open', order: 'tried_order', size: 'tried_size' },
})
const ctx = () => asSystem(u.services, 'test')
const anybody = sql`true`
const bytes = (text: string) => ({ name: 'x', content: Buffer.from(text), ext: 'txt', mime: 'text/plain' })
const codes = async (work: Promise<unknown>): Promise<string[]> => {
  try {
    await work
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.reasons.map(({ code }) => code)
  }
}
async function begun(size: number): Promise<string> {
  const id = randomUUID()
  // Whose they are, and where they go, is not looked at here.
  await u.database.pool.query(`begin; set local session_replication_role = replica;
    insert into archive_uploads (id, user_id, parent_id, name, size) values ('${id}', 1, 1, 'a.txt', ${size}); commit`)
  return id
}
const add = (key: string, offset: number, text: string, owner = anybody) =>
  served.add(ctx(), { key, owner, offset }, bytes(text))
const read = async (key: string): Promise<string> => {
  const parts: Uint8Array[] = []
  for await (const part of await served.whole(ctx(), await served.find(u.services.db, key, anybody))) parts.push(part)
  return Buffer.concat(parts).toString()
}

beforeAll(async () => {
  u = await testUniversity([kitServer])
})
afterAll(() => u?.close())

test('parts follow each other, and are one content', async () => {
  const key = await begun(10)
  expect((await add(key, 0, 'abcd')).received).toBe(4)
  // The same again, a gap, one that is too long.
  for (const [offset, text] of [
    [0, 'abcd'],
    [8, 'ij'],
    [4, 'efghi'],
  ] as const)
    expect(await codes(add(key, offset, text))).not.toEqual([])
  expect(await codes(read(key))).toEqual(['tried_open'])
  await add(key, 4, 'efgh')
  await add(key, 8, 'ij')
  expect(await read(key)).toBe('abcdefghij')
})

test('of two who send the same part at once one is taken', async () => {
  const key = await begun(8)
  const both = await Promise.all([codes(add(key, 0, 'abcd')), codes(add(key, 0, 'abcd'))])
  expect(both.filter((one) => one.length === 0)).toHaveLength(1)
  await add(key, 4, 'efgh')
  expect(await read(key)).toBe('abcdefgh')
})

test('an upload that is over, or of somebody else, takes nothing and ends once', async () => {
  const key = await begun(4)
  expect(await codes(add(key, 0, 'abcd', sql`false`))).toEqual(['tried_over'])
  expect(await codes(add(randomUUID(), 0, 'abcd'))).toEqual(['tried_over'])
  await add(key, 0, 'abcd')
  expect(await codes(served.end(ctx(), key, sql`false`))).toEqual(['tried_over'])
  await served.end(ctx(), key, anybody)
  expect(await codes(served.end(ctx(), key, anybody))).toEqual(['tried_over'])
  expect(await codes(add(key, 4, 'e'))).toEqual(['tried_over'])
})

test('it ends between two parts: the second is not taken', async () => {
  const key = await begun(8)
  await add(key, 0, 'abcd')
  const late = served.add(
    ctx(),
    {
      key,
      owner: anybody,
      offset: 4,
      still: () => u.database.pool.query('update archive_uploads set done_at = now() where id = $1', [key]),
    },
    bytes('efgh'),
  )
  expect(await codes(late)).toEqual(['tried_over'])
})

test('what the store lost ends it', async () => {
  const key = await begun(4)
  await add(key, 0, 'abcd')
  await u.database.pool.query(`update archive_upload_parts set hash = repeat('0', 64) where upload_id = $1`, [key])
  const upload = await served.find(u.services.db, key, anybody)
  const lost = served.withWhole(ctx(), upload, async (content) => {
    for await (const _part of content) continue
  })
  expect(await codes(lost)).toEqual(['tried_over'])
})
