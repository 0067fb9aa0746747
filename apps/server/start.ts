/**
 * `npm start`: everything on this machine — database, demo university, web application — with nothing to set up. With
 * `--api` the web application is neither built nor served: `npm run dev` serves it itself.
 */
import type { Services } from '#kit/server/base/context.ts'

const NEEDED = 26
if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `This needs Node ${NEEDED}; here is ${process.versions.node}. Run it by "npm start": npm ci brought the right one.`,
  )
  process.exit(1)
}

const path = await import('node:path')
const root = path.join(import.meta.dirname, '../..')
const { enableCompileCache, flushCompileCache } = await import('node:module')
// What was compiled at the last start is not compiled again, which is half the work of a start.
enableCompileCache(path.join(root, 'node_modules/.cache/node'))

const { spawn } = await import('node:child_process')
const { once } = await import('node:events')
const fs = await import('node:fs')
const { startEmbedded } = await import('#db/embedded.ts')
const { FolderInUse } = await import('#db/embedded-lock.ts')
const { ConfigError, readConfig } = await import('#kit/server/base/config.ts')
const { createLog } = await import('#kit/server/base/log.ts')
const { AREA_SERVERS } = await import('./areas.server.ts')
const { loadsDemo } = await import('./demo-guard.ts')
const { withNewKey } = await import('./own-key.ts')
const { reseal } = await import('./reseal.ts')
const { DIST, databasesOf, openUniversity, prepareDatabase, stopOnSignals } = await import('./assemble.ts')

const api = process.argv.includes('--api')
const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** When the newest file of these was changed. */
function newest(...places: string[]): number {
  let latest = 0
  for (const place of places) {
    const at = fs.statSync(place, { throwIfNoEntry: false })
    if (!at) continue
    if (!at.isDirectory()) latest = Math.max(latest, at.mtimeMs)
    else
      for (const name of fs.readdirSync(place))
        if (!/\.(test|server|demo)\.ts$/.test(name)) latest = Math.max(latest, newest(path.join(place, name)))
  }
  return latest
}

/** Builds the web application when its sources are newer than what is built, or nothing is. A start that ends takes its build with it. */
async function buildWeb(signal: AbortSignal): Promise<void> {
  const sources = [
    'apps/web',
    'apps/build',
    'apps/areas.contract.ts',
    'areas',
    'kit/web',
    'kit/contract',
    'access',
    'locales',
    'vite.config.ts',
    'package-lock.json',
  ]
  const built = fs.statSync(path.join(DIST, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built >= newest(...sources.map((s) => path.join(root, s)))) return
  say('Building the web application …')
  const build = spawn(process.execPath, [path.join(root, 'node_modules/vite/bin/vite.js'), 'build'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  const output: Buffer[] = []
  build.stdout.on('data', (part: Buffer) => output.push(part))
  build.stderr.on('data', (part: Buffer) => output.push(part))
  const [code] = (await once(build, 'close')) as [number | null]
  if (code === 0) return
  process.stderr.write(Buffer.concat(output))
  say(
    built
      ? 'The build failed: the web application of the last build is served.'
      : 'The build failed: only the API is served.',
  )
}

/** Nothing can be saved any more. */
function onGone({ message }: Error): void {
  console.error(message)
  process.exit(1)
}

/** A university that ran before there was a key beside its database goes on with it. */
async function sealAnew({ db, pool, config }: Services): Promise<void> {
  if (config.secretsKeyBefore === null) return
  await reseal({ db, pool }, config).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error
    say(error.message)
  })
}

/** One line of the list of demo accounts. */
const account = (a: { role: string; email: string; password: string }): string =>
  `  ${a.role.replaceAll('_', ' ').padEnd(34)}${a.email.padEnd(44)}${a.password}`

/** Providers of payments on this machine, unless real ones are set: another port when theirs is taken. */
async function openPayments(callbacks: string, folder: string) {
  const { openPaymentSimulator } = await import('../demo/payment-simulator.ts')
  const given = { callbacks, file: path.join(folder, 'payment-simulator.json'), ofChance: true }
  return openPaymentSimulator({ ...given, port: 3901 }).catch(() => openPaymentSimulator(given))
}

/** The tax authority on this machine, unless the real one is set. */
async function openTaxes() {
  const { openTaxSimulator } = await import('../demo/tax-simulator.ts')
  return openTaxSimulator({ port: 3903 }).catch(() => openTaxSimulator())
}

/** A learning platform on this machine, unless a real one is set. */
async function openLearning() {
  const { openMoodleSimulator } = await import('../demo/moodle-simulator.ts')
  return openMoodleSimulator({ port: 3902 }).catch(() => openMoodleSimulator())
}

/** Crossref, ORCID and OpenAlex on this machine, with works of the demo researchers, unless real ones are set. */
async function openSources(databaseUrl: string) {
  const { demoSources } = await import('../demo/publications-simulator.ts')
  return demoSources(databaseUrl)
}

try {
  let config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = createLog(config)
  fs.mkdirSync(config.dataDir, { recursive: true })
  config = withNewKey(config)
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ folder: config.dataDir, onGone })
  const databases = databasesOf(config, embedded)
  const databaseUrl = databases.program
  const accountsFile = path.join(config.dataDir, 'demo-accounts.txt')
  let university: Awaited<ReturnType<typeof openUniversity>> | undefined
  let payments: Awaited<ReturnType<typeof openPayments>> | undefined
  const ended = new AbortController()
  // Beside the work of the database, which is PostgreSQL's: nothing of either waits for the other.
  const building = api ? undefined : buildWeb(ended.signal)
  // Whether it failed is asked below; a start that ended before does not.
  building?.catch(() => {})
  let taxes: Awaited<ReturnType<typeof openTaxes>> | undefined
  let learning: Awaited<ReturnType<typeof openLearning>> | undefined
  let sources: Awaited<ReturnType<typeof openSources>> | undefined
  const stop = async (): Promise<void> => {
    ended.abort()
    await university?.stop()
    await payments?.close()
    await learning?.close()
    await sources?.close()
    await taxes?.close()
    await embedded?.stop()
  }
  stopOnSignals(async () => {
    say('\nStopping …')
    await stop()
  }, log)
  try {
    await prepareDatabase(databases, log, async (db) => {
      if (!(await loadsDemo(db, config, embedded !== undefined))) return
      say('Loading the demo university …')
      const { loadDemo } = await import('../demo/load.ts')
      const { openStorage } = await import('#kit/server/storage/index.ts')
      const demo = await loadDemo(db, undefined, { storage: openStorage(config.storageUrl), config })
      fs.writeFileSync(accountsFile, `${demo.accounts.map(account).join('\n')}\n`, { mode: 0o600 })
    })
    await building
    // Only where a demo university is played: nobody's real fees are paid by a simulator.
    if (embedded && fs.existsSync(accountsFile) && !config.payments.fawry && !config.payments.paymob) {
      payments = await openPayments(`http://localhost:${config.port}`, config.dataDir)
      config = { ...config, payments: readConfig(payments.variables).payments }
    }
    if (embedded && fs.existsSync(accountsFile) && !config.taxReceipts) {
      taxes = await openTaxes()
      config = { ...config, taxReceipts: readConfig(taxes.variables).taxReceipts }
    }
    if (embedded && fs.existsSync(accountsFile) && !config.moodle) {
      learning = await openLearning()
      config = { ...config, moodle: readConfig(learning.variables).moodle }
    }
    const { crossref, orcid, openalex } = config.publicationSources
    if (embedded && fs.existsSync(accountsFile) && !crossref && !orcid && !openalex) {
      sources = await openSources(databaseUrl)
      config = { ...config, publicationSources: readConfig(sources.variables).publicationSources }
    }
    const assembly = { config: { ...config, databaseUrl }, log, areas: AREA_SERVERS }
    university = await openUniversity(api ? assembly : { ...assembly, dist: DIST })
    await sealAnew(university.services)
    await university.listen()
  } catch (error) {
    await stop()
    throw error
  }
  flushCompileCache()
  if (api) {
    if (payments) say(`Payments are played at ${payments.url}`)
    process.send?.('ready')
    // Whoever started this was killed.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  }
  const accounts = fs.existsSync(accountsFile) ? `\nDemo accounts:\n${fs.readFileSync(accountsFile, 'utf8')}` : ''
  const paying = payments ? `Payments are played at ${payments.url}\n` : ''
  const taught = learning ? `The learning platform is played at ${learning.url}\n` : ''
  if (!api) say(`${accounts}\nUniversity EMS is ready: ${config.publicUrl}\n${paying}${taught}Press Ctrl-C to stop.`)
} catch (error) {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') console.error('The port is taken by another program. Choose one: PORT=3001 npm start')
  else console.error(error instanceof FolderInUse || error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
