/**
 * `npm run administrator -- E-MAIL`: the first administrator of a university on DATABASE_URL. Prints the password once.
 */
import { createDb, createPool } from '#db/connect.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { firstAdministrator } from '../administrator.ts'
import { databasesOf, prepareDatabase } from '../assemble.ts'

const [email] = process.argv.slice(2)
const config = readConfig(process.env)
const { databaseUrl } = config
if (!email?.includes('@') || !databaseUrl) {
  console.error('usage: DATABASE_URL=… npm run administrator -- E-MAIL')
  process.exit(2)
}
await prepareDatabase(databasesOf(config), createLog(config))
const db = createDb(createPool(databaseUrl, { max: 1 }))
const made = await firstAdministrator(db, email)
await db.destroy()
console.log(made ? `${made.email}  ${made.password}` : 'There is an administrator already.')
