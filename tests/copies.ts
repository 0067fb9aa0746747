import { createHash } from 'node:crypto'
import pg from 'pg'
import { createTestDatabase, testServer, withDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'

/**
 * A database of your own, a copy of one that is filled once per run, by the first test file that asks.
 *
 * @param name of what it holds: small letters
 */
export async function copyOf(name: string, fill: (database: TestDatabase) => Promise<void>): Promise<TestDatabase> {
  const server = await testServer()
  const filled = `${server.template}_${name}`
  const key = createHash('sha256').update(filled).digest().readInt32BE(0)
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  try {
    const there = async () =>
      (await admin.query('select from pg_database where datname = $1', [filled])).rows.length > 0
    if (!(await there())) {
      // Whoever comes meanwhile waits until it is filled.
      await admin.query('select pg_advisory_lock($1)', [key])
      if (!(await there())) {
        const filling = await createTestDatabase(server)
        try {
          await fill(filling)
          await filling.program.db.destroy()
          await filling.db.destroy()
          await admin.query(
            `alter database ${pg.escapeIdentifier(filling.name)} rename to ${pg.escapeIdentifier(filled)}`,
          )
        } catch (error) {
          await filling.drop().catch(() => {})
          throw error
        }
      }
      await admin.query('select pg_advisory_unlock($1)', [key])
    }
    return await createTestDatabase({ ...server, url: withDatabase(server.url, 'postgres'), template: filled })
  } finally {
    await admin.end()
  }
}
