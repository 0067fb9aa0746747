import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { prepareDatabase } from './assemble.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const roles = async () => (await database.pool.query('select count(*)::int as n from roles')).rows[0].n
/** What was logged, line by line. */
const told: { msg: string; pending?: string[]; migration?: string }[] = []
const log = createLog(
  readConfig({ LOG_LEVEL: 'info' }),
  new Writable({
    write(line, _, done) {
      told.push(JSON.parse(String(line)))
      done()
    },
  }),
)

test('whoever owns the tables migrates, also where it is the role of the program; another role waits until that is done', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    'select name from kysely_migration order by name desc limit 1',
  )
  const { name } = rows[0]!
  // The role of the program only reads and writes: it may not do what is missing.
  const { rows: taken } = await database.pool.query('delete from kysely_migration where name = $1 returning *', [name])
  const begun = prepareDatabase({ program: database.url, owner: null }, log)
  await expect.poll(() => told).toContainEqual(expect.objectContaining({ msg: 'waiting for the migrations' }))
  expect([told.at(-1)!.pending, await roles()]).toEqual([[name], 0])
  await database.pool.query(
    'insert into kysely_migration select * from jsonb_populate_record(null::kysely_migration, $1)',
    [JSON.stringify(taken[0])],
  )
  await begun
  expect(await roles()).toBeGreaterThan(10)

  // One role for both: it owns the tables, and finds nothing left to do.
  told.length = 0
  await prepareDatabase({ program: database.ownerUrl, owner: null }, log)
  expect(told.filter((one) => one.migration ?? one.pending)).toEqual([])
})
