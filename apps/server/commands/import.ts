/**
 * `npm run import -- DIR`: a university from the OneRoster 1.2 CSV files of a folder (or ZIP), into DATABASE_URL or,
 * without it, into the database of `npm start` in DATA_DIR (stop the program first). All rows or none; again without change.
 *
 *   --check                only tell errors, and what the import would change
 *   --remove               remove what an earlier import brought and the bundle no longer has, when it is 5 % or less
 *   --removals N           the same, however much it is: N is the number that --check tells
 *   --threshold P          percent above which --removals is wanted (5)
 *   --credit-hours N       credit hours of courses, which OneRoster does not tell (3)
 *   --seats N              places of a class for each student enrolled in it (1.05)
 *   --administrator MAIL   e-mail of the first administrator, when the university has none (administrator@example.edu)
 */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BUNDLE_ERRORS, BUNDLE_NOTES, LEFT_REASONS } from '#areas/office/oneroster/bundle/texts.rules.ts'
import { bundleManifest, readBundle } from '#areas/office/oneroster/bundle/bundle.server.ts'
import type { ImportDifference } from '#areas/office/oneroster/store/import.server.ts'
import { startEmbedded } from '#db/embedded.ts'
import { FolderInUse } from '#db/embedded-lock.ts'
import { fill } from '#kit/contract/index.ts'
import { ConfigError, readConfig } from '#kit/server/base/config.ts'
import { asRefusal, errorBody } from '#kit/server/base/errors.ts'
import { createLog } from '#kit/server/base/log.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    remove: { type: 'boolean', default: false },
    removals: { type: 'string' },
    threshold: { type: 'string', default: '5' },
    'credit-hours': { type: 'string', default: '3' },
    seats: { type: 'string', default: '1.05' },
    administrator: { type: 'string', default: 'administrator@example.edu' },
  },
})
const [from] = positionals
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const started = performance.now()
const since = (then: number): string => ((performance.now() - then) / 1000).toFixed(1)

/** The files of a folder, or a ZIP. */
const taskOf = (place: string) =>
  statSync(place).isDirectory()
    ? {
        files: Object.fromEntries(
          readdirSync(place)
            .filter((name) => name.toLowerCase().endsWith('.csv'))
            .map((name) => [name.slice(0, -4), readFileSync(path.join(place, name))]),
        ),
      }
    : { zip: readFileSync(place) }

interface Found {
  readonly file: string
  readonly line: number | null
  readonly column: string | null
  readonly code: keyof typeof BUNDLE_ERRORS | keyof typeof BUNDLE_NOTES
  readonly data?: Readonly<Record<string, unknown>>
}
const TEXTS = { ...BUNDLE_ERRORS, ...BUNDLE_NOTES }
const tell = (found: readonly Found[], count: number, what: string): void => {
  for (const { file, line, column, code, data } of found.slice(0, 200))
    say(`${file}${line ? `:${line}` : ''}${column ? ` ${column}` : ''}: ${fill(TEXTS[code][0], data)}`)
  if (count > 200) say(`… ${count} ${what} in all`)
}

/** Kinds under the names of the university. */
const NAMES = {
  faculty: 'faculties',
  department: 'departments',
  year: 'years',
  term: 'terms',
  course: 'courses',
  offering: 'offerings',
  user: 'users',
  student: 'students',
  instructor: 'instructors',
  registration: 'enrollments',
  teaching: 'teams',
} as const

function report({ counts, changes, removals, other_sources }: ImportDifference, done: boolean): void {
  for (const [kind, name] of Object.entries(NAMES)) {
    const c = counts[kind as keyof typeof NAMES]
    say(
      `  ${name.padEnd(14)}${c.created} new, ${c.changed} changed, ${c.same} the same, ${c.gone} no longer there` +
        `${c.removed ? `, ${c.removed} of them removed` : ''}${c.left ? `, ${c.left} left as they are` : ''}`,
    )
  }
  for (const { kind, action, label, line, field, old, new: now, reason } of changes) {
    if (action === 'created') continue
    const what = field ? ` ${field}: ${old ?? '–'} → ${now ?? '–'}` : ''
    say(
      `  ${kind} ${label}${line ? ` (line ${line})` : ''} ${action}${what}${reason ? `, left: ${LEFT_REASONS[reason][0]}` : ''}`,
    )
  }
  if (other_sources.length) say(`Records of other sources are here as well and stay: ${other_sources.join(', ')}`)
  if (removals.count && !done)
    say(
      `${removals.count} would be removed (${removals.percent} % of ${removals.kind ? NAMES[removals.kind] : 'all'}): ${
        removals.percent > Number(values.threshold) ? `--removals ${removals.count}` : '--remove'
      } does it.`,
    )
}

async function main(): Promise<number> {
  if (!from) {
    console.error(
      'usage: npm run import -- DIR [--check] [--remove] [--removals N] [--threshold P] [--credit-hours N] [--seats N] [--administrator MAIL]',
    )
    return 2
  }
  const task = taskOf(from)
  if (bundleManifest(task).delta) {
    say('The bundle tells only what changed (delta). Import it at /settings/import, where the last import is known.')
    return 1
  }
  const read = await readBundle({ ...task, keep: true })
  const { source, rows, errors, error_count, notes, note_count, kept } = read
  if (!rows) {
    tell(errors, error_count, 'errors')
    say(`${error_count} errors. Nothing was stored.`)
    return 1
  }
  tell(notes, note_count, 'notes')
  const counted = Object.entries(rows).map(([name, { count }]) => `${count} ${name}`)
  say(`Checked ${counted.join(', ')} in ${since(started)} s: no errors.`)

  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  if (values.check && !config.databaseUrl && !existsSync(config.dataDir)) {
    say('There is no university here yet: all of it would be new.')
    return 0
  }
  // The server's side is loaded when the files are read and their thread has ended: the two never take room together.
  const { importBundle, planImport } = await import('#areas/office/oneroster/store/import.server.ts')
  const { oneRosterServer } = await import('#areas/office/oneroster/oneroster.server.ts')
  const { registrationServer } = await import('#areas/enrolment/registration/registration.server.ts')
  const { asSystem } = await import('#kit/server/unit/request.ts')
  const { firstAdministrator } = await import('../administrator.ts')
  const { databasesOf, openUniversity, prepareDatabase } = await import('../assemble.ts')
  const log = createLog(config)
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ folder: config.dataDir })
  try {
    const databases = databasesOf(config, embedded)
    const databaseUrl = databases.program
    await prepareDatabase(databases, log)
    const university = await openUniversity({
      config: { ...config, databaseUrl },
      log,
      areas: [oneRosterServer, registrationServer],
      partial: true,
      work: false,
    })
    try {
      const ctx = asSystem(university.services, `OneRoster ${source}`)
      const options = { credit_hours: Number(values['credit-hours']), seats_per_student: Number(values.seats) }
      const wanted = values.removals !== undefined || values.remove
      const plan = values.check || wanted ? await planImport(ctx, source, rows, options) : null
      if (plan?.errors.length) {
        tell(plan.errors, plan.errors.length, 'errors')
        say(`${plan.errors.length} errors. Nothing was stored.`)
        return 1
      }
      if (plan && values.check) {
        say(`The import from ${source} would make:`)
        report(plan, false)
        return 0
      }
      let removals: number | null = null
      if (plan && wanted) {
        removals = values.removals === undefined ? plan.removals.count : Number(values.removals)
        if (values.removals === undefined && plan.removals.percent > Number(values.threshold)) {
          report(plan, false)
          say('Nothing was stored.')
          return 1
        }
      }
      const begun = performance.now()
      const result = await importBundle(
        ctx,
        source,
        rows,
        { ...options, removals, kept },
        async (percent) => void (process.stdout.isTTY && process.stdout.write(`\r${percent} %  `)),
      )
      say(`${process.stdout.isTTY ? '\r' : ''}Imported in ${since(begun)} s from ${source}:`)
      report(result, result.removals.done)
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
        .errors.map((p) => `${p.field ?? ''} ${p.en}`)
        .join('\n'),
    )
  else console.error(error instanceof FolderInUse || error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
