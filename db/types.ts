import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Kysely } from 'kysely'
import { ColumnTypeNode, generate, IdentifierNode, PostgresDialect, UnionExpressionNode } from 'kysely-codegen'
import { createDb, createPool } from './connect.ts'
import { startTestServer, withDatabase } from './testing.ts'

/** The generated file: what every table of the migrated database looks like to Kysely. */
export const schemaFile = path.join(import.meta.dirname, 'schema.ts')

/** The text of `db/schema.ts` for this database, with types that agree with the parsers of `connect.ts`. */
export async function renderSchema<Tables>(db: Kysely<Tables>): Promise<string> {
  const dialect = new PostgresDialect({
    dateParser: 'string',
    numericParser: 'string',
    defaultSchemas: ['public'],
  })
  const text = new IdentifierNode('string')
  const date = new IdentifierNode('Date')
  const given = new UnionExpressionNode([date, text])
  // Instants are read as ISO 8601 text, and may be written as a Date as well.
  dialect.adapter.definitions.Timestamp = new ColumnTypeNode(text, given, given)
  dialect.adapter.scalars.interval = text
  const source = await generate({
    // It is the same class; kysely-codegen's types name the CommonJS twin of the module.
    db: db as never,
    dialect,
    includePattern: 'public.*',
    outFile: null,
    partitions: false,
  })
  return `${source.trim()}\n`
}

if (import.meta.main) {
  const server = await startTestServer()
  const db = createDb(createPool(withDatabase(server.url, server.template), { max: 2 }))
  try {
    const text = await renderSchema(db)
    const changed = text !== (await readFile(schemaFile, 'utf8').catch(() => ''))
    if (changed) await writeFile(schemaFile, text)
    console.log(changed ? 'db/schema.ts is new.' : 'db/schema.ts was up to date.')
  } finally {
    await db.destroy()
    await server.stop()
  }
}
