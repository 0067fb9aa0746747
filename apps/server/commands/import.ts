/**
 * `npm run import -- DIR`: a university from the OneRoster 1.2 CSV files of a folder (or ZIP), into DATABASE_URL or,
 * without it, into the database of `npm start` in DATA_DIR (stop the program first). All rows or none; again without change.
 *
 *   --check                only look for errors
 *   --credit-hours N       credit hours of courses, which OneRoster does not tell (3)
 *   --seats N              places of a class for each student enrolled in it (1.05)
 *   --administrator MAIL   e-mail of the first administrator, when the university has none (administrator@example.edu)
 */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BUNDLE_ERRORS } from '#areas/oneroster/oneroster.rules.ts'
import { importBundle, oneRosterServer, readBundle, unpack } from '#areas/oneroster/oneroster.server.ts'
import { FolderInUse, startEmbedded } from '#db/embedded.ts'
import { fill } from '#kit/contract/index.ts'
import { ConfigError, readConfig } from '#kit/server/config.ts'
import { asRefusal, errorBody } from '#kit/server/errors.ts'
import { createLog } from '#kit/server/log.ts'
import { asSystem } from '#kit/server/request.ts'
import { firstAdministrator } from '../administrator.ts'
import { databasesOf, openUniversity, prepareDatabase } from '../assemble.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    'credit-hours': { type: 'string', default: '3' },
    seats: { type: 'string', default: '1.05' },
    administrator: { type: 'string', default: 'administrator@example.edu' },
  },
})
const [from] = positionals
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const started = performance.now()

/** The files of a folder or of a ZIP. */
const filesOf = (place: string) =>
  statSync(place).isDirectory()
    ? Object.fromEntries(
        readdirSync(place)
          .filter((name) => name.toLowerCase().endsWith('.csv'))
          .map((name) => [name.slice(0, -4), readFileSync(path.join(place, name))]),
      )
    : unpack(readFileSync(place))

async function main(): Promise<number> {
  if (!from) {
    console.error('usage: npm run import -- DIR [--check] [--credit-hours N] [--seats N] [--administrator MAIL]')
    return 2
  }
  const { source, bundle, errors } = readBundle(filesOf(from))
  for (const { file, line, column, code, data } of errors) {
    say(`${file}${line ? `:${line}` : ''}${column ? ` ${column}` : ''}: ${fill(BUNDLE_ERRORS[code][0], data)}`)
  }
  if (!bundle) {
    say(`${errors.length} errors. Nothing was stored.`)
    return 1
  }
  const rows = Object.entries(bundle).map(([name, list]) => `${list.length} ${name}`)
  say(`Checked ${rows.join(', ')} in ${((performance.now() - started) / 1000).toFixed(1)} s: no errors.`)
  if (values.check) return 0

  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = createLog(config)
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ folder: config.dataDir })
  try {
    const databases = databasesOf(config, embedded)
    const databaseUrl = databases.program
    await prepareDatabase(databases, log)
    const university = await openUniversity({
      config: { ...config, databaseUrl },
      log,
      areas: [oneRosterServer],
      partial: true,
      work: false,
    })
    try {
      const begun = performance.now()
      const result = await importBundle(
        asSystem(university.services, `OneRoster ${source}`),
        source,
        bundle,
        { credit_hours: Number(values['credit-hours']), seats_per_student: Number(values.seats) },
        async (percent) => void (process.stdout.isTTY && process.stdout.write(`\r${percent} %  `)),
      )
      say(
        `${process.stdout.isTTY ? '\r' : ''}Imported in ${((performance.now() - begun) / 1000).toFixed(1)} s from ${source}:`,
      )
      for (const [name, count] of Object.entries(result.counts)) {
        say(
          `  ${name.padEnd(14)}${count.created} new, ${count.changed} changed, ${count.same} the same, ${count.gone} no longer there`,
        )
      }
      const administrator = await firstAdministrator(university.services.db, values.administrator)
      if (administrator) say(`\nFirst administrator (shown once):\n  ${administrator.email}  ${administrator.password}`)
      return 0
    } finally {
      await university.stop()
    }
  } finally {
    await embedded?.stop()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  const refusal = asRefusal(error)
  if (refusal)
    console.error(
      errorBody(refusal)
        .errors.map((p) => `${p.field ?? ''} ${p.en} ${JSON.stringify(p.data ?? {})}`)
        .join('\n'),
    )
  else console.error(error instanceof FolderInUse || error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
