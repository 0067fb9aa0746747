/** Looks at a database of the product: `node tests/checker/main.ts postgresql://…`; ends with 1 where something must not be. */
import pg from 'pg'
import { checkStored, tell } from './checker.ts'

const url = process.argv[2] ?? process.env.DATABASE_URL
if (!url) {
  console.error('Which database? node tests/checker/main.ts postgresql://…')
  process.exit(2)
}
const client = new pg.Client({ connectionString: url })
await client.connect()
const started = Date.now()
const found = await checkStored(client)
await client.end()
console.log(found.length ? tell(found) : `nothing found (${((Date.now() - started) / 1000).toFixed(1)} s)`)
process.exit(found.length ? 1 : 0)
