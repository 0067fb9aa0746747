import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { seedRoles } from '#access/rights.server.ts'
import { createDb, createPool } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { admitProgram } from '#db/roles.ts'
import { testServer, withDatabase } from '#db/testing.ts'
import { buildDemo } from '../apps/demo/index.ts'
import { inOrder } from '../apps/demo/load.ts'
import type { DemoPart } from '../apps/demo/part.ts'

/**
 * `new.test.ts` runs this in the copy of the repository in which something was made: beside the template of the run, and
 * beside its demo university, stands one with the new migrations and the new demo rows. Nothing is loaded twice. Arguments: the
 * new `*.demo.ts`; prints the name of the new template.
 */
const server = await testServer()
const made = `${server.template}_made`
const admin = new pg.Client({ connectionString: withDatabase(server.url, 'postgres') })
await admin.connect()
for (const [name, of, ...files] of [
  [made, server.template],
  [`${made}_demo`, `${server.template}_demo`, ...process.argv.slice(2)],
] as const) {
  await admin.query(`create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(of)}`)
  const db = createDb(createPool(withDatabase(server.url, name), { max: 2, settings: { 'ems.authority': 'load' } }))
  await migrate(db)
  await admitProgram(db, server.programUrl)
  if (files.length) {
    const parts = await Promise.all(
      files.map(
        async (file) =>
          [
            file,
            ((await import(path.join(import.meta.dirname, '..', file))) as { default: DemoPart }).default,
          ] as const,
      ),
    )
    const demo = buildDemo({ today: new Date().toISOString().slice(0, 10) })
    await db.transaction().execute(async (tx) => {
      await seedRoles(tx)
      await sql`select set_config('ems.actor', ${JSON.stringify({ reason: 'demo university' })}, true)`.execute(tx)
      for (const part of inOrder(new Map(parts.map(([file, { fills, load }]) => [file, { fills, needs: [], load }]))))
        await part.load(tx, demo)
    })
    await sql`analyze`.execute(db)
  }
  await db.destroy()
}
await admin.end()
console.log(made)
