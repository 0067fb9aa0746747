/**
 * `npm run dev`: the product while it is written. One address: the web application comes from Vite and follows its files;
 * calls go to a server that is started again when one of its files changes. Calls wait meanwhile. The database goes on.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer as createSocket } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createServer } from 'vite'
import { startEmbedded } from '#db/embedded.ts'
import { migrationsFolder } from '#db/migrate.ts'
import { readReleases } from '#db/releases.ts'
import { programUrl } from '#db/roles.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { isLocal } from '#kit/server/base/web-address.ts'
import { withNewKey } from './own-key.ts'
import { changedSinceTheyRan } from './ran-migrations.ts'

const root = path.join(import.meta.dirname, '../..')
/** What the server is made of. Tests, and what only a browser loads, are not. */
const SERVED = ['access', 'apps', 'areas', 'db', 'kit', 'locales'] as const
const ofServer = (file: string): boolean =>
  SERVED.some((folder) => file.startsWith(path.join(root, folder) + path.sep)) &&
  !/\.(web\.tsx|module\.css|test\.tsx?|md)$|[\\/](kit|apps)[\\/](web|build)[\\/]/.test(file)

const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
fs.mkdirSync(config.dataDir, { recursive: true })
// What is reached by others is no demo of this machine alone.
const allowed = config.allowDemo || (isLocal(config.host) && isLocal(new URL(config.publicUrl).hostname))
const embedded = config.databaseUrl ? undefined : await startEmbedded({ folder: config.dataDir })
const { secretsKey } = embedded ? withNewKey(config) : config
const port = await freePort()
const env = {
  ...process.env,
  PORT: String(port),
  HOST: '127.0.0.1',
  PUBLIC_URL: config.publicUrl,
  ...(embedded && {
    DATABASE_URL: programUrl(embedded.url),
    DATABASE_MIGRATE_URL: embedded.url,
    ...(allowed && { ALLOW_DEMO: '1' }),
  }),
  ...(embedded && secretsKey && { SECRETS_KEY: secretsKey, SECRETS_KEY_BEFORE: 'none' }),
}

let server: ChildProcess | undefined
let stopping = false
/** Resolves when the server of now answers; calls wait for it. */
let ready = Promise.withResolvers<void>()

function start(): void {
  const child = spawn(process.execPath, [path.join(root, 'apps/server/start.ts'), '--api'], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  server = child
  child.once('message', () => {
    if (server !== child) return
    ready.resolve()
    tellChangedMigrations()
  })
  // A mistake in the code: it says so itself, and the next change starts it again.
  child.once('exit', (code) => {
    if (server !== child || stopping) return
    server = undefined
    console.error(`The server ended (${code ?? 'killed'}). It is started again when a file changes.`)
  })
}

const squashed = (await readReleases()).flatMap(({ migrations }) => migrations)
/** The embedded database is one's own, where migrations are still written: it runs each once, as it was then. */
function tellChangedMigrations(): void {
  if (!embedded) return
  const changed = changedSinceTheyRan(migrationsFolder, config.dataDir, squashed)
  if (changed.length)
    console.warn(
      `Changed after this database ran them: ${changed.join(', ')}. To begin anew with them, stop and remove ${config.dataDir}.`,
    )
}

async function end(): Promise<void> {
  const child = server
  server = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(patience)
}

let restarting: Promise<void> | undefined
let again: NodeJS.Timeout | undefined
/** Starts the server again a moment after the last of several changes. */
function changed(file: string): void {
  if (!ofServer(file) || stopping) return
  clearTimeout(again)
  again = setTimeout(() => {
    console.log(`${path.relative(root, file)} changed: the server starts again …`)
    const old = ready
    ready = Promise.withResolvers()
    void ready.promise.then(old.resolve)
    restarting = restart(restarting)
  }, 100)
}

async function restart(before: Promise<void> | undefined): Promise<void> {
  await before
  await end()
  if (!stopping) start()
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port: free } = socket.address() as AddressInfo
  socket.close()
  return free
}

start()
const vite = await createServer({
  configFile: path.join(root, 'vite.config.ts'),
  server: {
    host: config.host,
    port: config.port,
    strictPort: true,
    proxy: { '/api': { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
  },
  plugins: [
    {
      name: 'calls-wait-for-the-server',
      configureServer: ({ middlewares }) =>
        void middlewares.use('/api', async (_request, _response, next) => {
          await ready.promise
          next()
        }),
    },
  ],
})
// Vite's own ends the process before the server and the database have ended.
process.removeAllListeners('SIGTERM')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))
vite.watcher.add(SERVED.map((folder) => path.join(root, folder)))
vite.watcher.on('all', (_event, file) => changed(file))
try {
  await vite.listen()
} catch (error) {
  console.error((error as Error).message, 'Choose another port: PORT=3001 npm run dev')
  await stop(1)
}
await ready.promise
const accounts = path.join(config.dataDir, 'demo-accounts.txt')
if (fs.existsSync(accounts)) console.log(`\nDemo accounts:\n${fs.readFileSync(accounts, 'utf8')}`)
console.log(`University EMS, as it is written: ${config.publicUrl}\nPress Ctrl-C to stop.`)

async function stop(code: number): Promise<void> {
  // npm passes on the signal that the terminal sent us already.
  if (stopping) return
  stopping = true
  clearTimeout(again)
  await vite.close()
  await restarting
  await end()
  await embedded?.stop()
  process.exit(code)
}
