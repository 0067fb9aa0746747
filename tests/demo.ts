import { createHash } from 'node:crypto'
import pg from 'pg'
import { createTestDatabase, testServer, withDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { loadDemo } from '../apps/demo/load.ts'
import { prepareTestDatabase } from './university.ts'

/**
 * A database of your own with the demo university in it. It is loaded once per run, by the first test file that asks;
 * everybody gets a copy (about 100 ms).
 */
export async function demoDatabase(): Promise<TestDatabase> {
  const server = await testServer()
  const name = `${server.template}_demo`
  const key = createHash('sha256').update(name).digest().readInt32BE(0)
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  try {
    // Whoever comes meanwhile waits until it is loaded.
    await admin.query('select pg_advisory_lock($1)', [key])
    const { rows } = await admin.query('select from pg_database where datname = $1', [name])
    if (!rows.length) {
      const loading = await createTestDatabase(server)
      try {
        await prepareTestDatabase(loading)
        await loadDemo(loading.db)
        await loading.db.destroy()
        await admin.query(`alter database ${pg.escapeIdentifier(loading.name)} rename to ${pg.escapeIdentifier(name)}`)
      } catch (error) {
        await loading.drop().catch(() => {})
        throw error
      }
    }
    return await createTestDatabase({ ...server, url: withDatabase(server.url, 'postgres'), template: name })
  } finally {
    await admin.end()
  }
}
