import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Account,
  windows,
  megabyte,
  serverAccount,
  dataHome,
  privateFolder,
  temporaryHome,
  type Binaries,
  binary,
  usableBinaries,
  rename,
} from './embedded-binaries.ts'
import { takeLock, readPostmaster, askToStop, clearPostmaster } from './embedded-lock.ts'

/**
 * The PostgreSQL that comes with the program, for a first look, small installations, development and tests: started
 * as a child of this process on a folder of its own, reached over a Unix socket (on Windows over a local port).
 *
 * In the folder: `postgres/` (the cluster), `run/` (the socket), `postgres.log`, `lock` (who holds the folder).
 */
export interface Embedded {
  /** For `createPool`, and for anything else built on `pg`. */
  config: { host: string; port: number; user: string; database: string; password?: string }
  /** The same as a URL that `pg`, `psql` and `pg_dump` understand. */
  url: string
  /** Where the data really is: the asked folder, or the one its `data-folder` file points to. */
  home: string
  /** Process id of the postmaster; changes when the server had to be started again after a crash. */
  readonly pid: number
  /** Ends the server in order (fast shutdown: open transactions are rolled back). End your pools first. */
  stop: () => Promise<void>
}

export interface EmbeddedOptions {
  /** Folder of the data; made when missing. A relative one is taken from the working directory. */
  folder: string
  /**
   * For tests: nothing is kept. The cluster lives in memory (`/dev/shm`) or in the temporary folder, writes are not
   * synchronised, and `stop()` (or the end of this process) deletes it. `folder` is not touched.
   */
  test?: boolean
  /** Further PostgreSQL settings; they win over ours. */
  settings?: Record<string, string>
  /** Told when the data folder was deleted under the running server, which has ended then and does not come again. */
  onGone?: (error: DataFolderGone) => void
}

/** The data folder was deleted while the server ran. The message names it. */
export class DataFolderGone extends Error {
  override name = 'DataFolderGone'
  constructor(folder: string) {
    super(`The data folder ${folder} is gone: it was deleted while the program ran. Restore it, and start again.`)
  }
}
/** A Unix socket's path holds 107 bytes on Linux and 103 on macOS; the file is `.s.PGSQL.5432`. */
const longestSocketFolder = 103 - '/.s.PGSQL.5432'.length

/**
 * Ends what a killed postmaster left behind, for PostgreSQL says that it keeps a new one out, so none lives. Its processes
 * end by themselves as soon as they look, but one that waits for a lock whose holder was killed never looks. They are known
 * by the folder they work in, which Linux shows; elsewhere they have to be waited for.
 */
function endRemains(cluster: string): void {
  if (process.platform !== 'linux') return
  const folder = fs.realpathSync(cluster)
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // Not a shell that somebody left standing in the folder.
      if (fs.readlinkSync(`/proc/${pid}/cwd`) !== folder) continue
      if (fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres') process.kill(Number(pid), 'SIGKILL')
    } catch {
      // Ended meanwhile, or of somebody else.
    }
  }
}

// --- The guard ---------------------------------------------------------------------------------------------------

/**
 * A process that outlives us on purpose: it reads from a pipe that only we hold. Each line is the postmaster's
 * process id (empty: none). When the pipe ends, because we were killed, it asks the last one for a fast shutdown and
 * deletes the folder of a test server.
 */
function startGuard(binaries: string, cluster: string, temporary: string | undefined): ChildProcess {
  const command = windows
    ? [
        process.execPath,
        '-e',
        `let text = ''
        process.stdin.on('data', (data) => { text += data }).on('end', () => {
          if (!text.trimEnd().split('\\n').pop().trim()) return
          const { spawnSync } = require('node:child_process')
          spawnSync(process.argv[1], ['stop', '-m', 'fast', '-D', process.argv[2]], { windowsHide: true })
          if (process.argv[3]) require('node:fs').rmSync(process.argv[3], { recursive: true, force: true })
        })`,
        binary(binaries, 'pg_ctl'),
        cluster,
        temporary ?? '',
      ]
    : [
        '/bin/sh',
        '-c',
        `pid=; while read -r line; do pid=$line; done
        [ -n "$pid" ] || exit 0
        kill -INT "$pid" 2>/dev/null
        [ -n "$1" ] || exit 0
        n=0; while kill -0 "$pid" 2>/dev/null && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done
        rm -rf "$1"`,
        'university-ems-guard',
        temporary ?? '',
      ]
  const guard = spawn(command[0] as string, command.slice(1), {
    cwd: path.parse(cluster).root,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  })
  guard.on('error', () => {})
  guard.stdin?.on('error', () => {})
  guard.unref()
  ;(guard.stdin as unknown as { unref?: () => void } | null)?.unref?.()
  return guard
}

// --- The server --------------------------------------------------------------------------------------------------

/**
 * What tells letters from other signs, the first that the system knows. In plain `C` only A to Z are letters: the
 * trigram index would find nothing in Arabic, and every search would read the whole table.
 */
const CTYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'] as const

/** Makes the cluster in a folder beside its place and renames it, so that a half-made one is never taken for real. */
function createCluster(binaries: Binaries, cluster: string, account: Account | undefined, test: boolean): void {
  if (fs.existsSync(path.join(cluster, 'PG_VERSION'))) return
  const home = path.dirname(cluster)
  for (const name of fs.readdirSync(home)) {
    if (name.startsWith('initdb-')) fs.rmSync(path.join(home, name), { recursive: true, force: true })
  }
  const draft = path.join(home, `initdb-${process.pid}`)
  const secret = path.join(home, 'password')
  if (windows) fs.writeFileSync(secret, randomBytes(24).toString('base64url'), { mode: 0o600 })
  for (const [i, ctype] of CTYPES.entries()) {
    privateFolder(draft, account)
    const made = spawnSync(
      binary(binaries.folder, 'initdb'),
      [
        `--pgdata=${draft}`,
        '--username=postgres',
        '--encoding=UTF8',
        '--locale=C',
        `--lc-ctype=${ctype}`,
        '--locale-provider=icu',
        '--icu-locale=und',
        '--no-instructions',
        // The socket lies in a folder that only the server's account can enter; a port is open to every local account.
        ...(windows ? ['--auth=scram-sha-256', `--pwfile=${secret}`] : ['--auth-local=trust', '--auth-host=reject']),
        ...(test ? ['--no-sync', '--no-data-checksums'] : ['--data-checksums']),
      ],
      { ...account, cwd: home, encoding: 'utf8', env: environment(), windowsHide: true },
    )
    if (made.status === 0) break
    fs.rmSync(draft, { recursive: true, force: true })
    if (i < CTYPES.length - 1 && made.stderr?.includes('invalid locale name')) continue
    throw new Error(`The database could not be created in ${home}: ${made.error?.message ?? made.stderr.trim()}`)
  }
  rename(draft, cluster)
}

/** Nothing of ours: a stray PGDATA or LC_ALL would change what the server does. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(windows ? { SystemRoot: process.env.SystemRoot } : {}),
  }
}

function serverSettings(test: boolean): Record<string, string> {
  const memory = os.totalmem() / megabyte
  const between = (low: number, value: number, high: number): string =>
    `${Math.round(Math.min(high, Math.max(low, value)))}MB`
  return {
    max_connections: '200',
    shared_buffers: between(128, memory / 8, 1024),
    effective_cache_size: between(512, memory / 2, 16_384),
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A container's /dev/shm is often 64 MB, and parallel queries would fail there.
    ...(process.platform === 'linux' && smallSharedMemory() ? { dynamic_shared_memory_type: 'mmap' } : {}),
    ...(test
      ? {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          wal_level: 'minimal',
          max_wal_senders: '0',
          autovacuum: 'off',
          shared_buffers: '128MB',
          // A test that drops a whole schema holds each thing in it, beside others that do the same.
          max_locks_per_transaction: '256',
          checkpoint_timeout: '1h',
          max_wal_size: '2GB',
        }
      : { fsync: 'on', max_wal_size: '2GB', checkpoint_timeout: '15min' }),
  }
}

function smallSharedMemory(): boolean {
  try {
    const { blocks, bsize } = fs.statfsSync('/dev/shm')
    return blocks * bsize < 256 * megabyte
  } catch {
    return true
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 5432
}

/**
 * Starts the embedded PostgreSQL on a folder and resolves when it accepts connections. Makes the cluster at the first
 * start, recovers after a crash, starts the server again when it dies, and ends it when this process is killed.
 *
 * @throws {FolderInUse} when another process works on the folder
 * @throws {Error} with the last lines of the server's log when it does not come up
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const test = options.test ?? false
  const folder = path.resolve(options.folder)
  let home: string
  let account: Account | undefined
  if (test) {
    account = serverAccount()
    home = temporaryHome(account)
  } else {
    ;({ home, account } = dataHome(folder))
  }
  const cluster = path.join(home, 'postgres')
  /** Looks whether the data is gone, and ends when it is. */
  let gone: (() => boolean) | undefined
  const { release, orphaned } = test
    ? { release: () => {}, orphaned: false }
    : await takeLock(home, folder, () => void gone?.())
  let guard: ChildProcess | undefined
  let socket: string | undefined
  const cleanUp = (): void => {
    guard?.stdin?.end('\n')
    if (socket && !socket.startsWith(home)) fs.rmSync(socket, { recursive: true, force: true })
    release()
    if (test) fs.rmSync(home, { recursive: true, force: true })
  }

  try {
    const binaries = usableBinaries(account, home)
    await clearPostmaster(folder, cluster, binaries.folder, orphaned)
    createCluster(binaries, cluster, account, test)
    const version = fs.readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim()
    if (version !== binaries.major) {
      throw new Error(
        `The data in ${home} is of PostgreSQL ${version}, this program brings PostgreSQL ${binaries.major}. ` +
          'Dump it with the earlier release of this program and load it with this one.',
      )
    }

    let port = 5432
    const settings = serverSettings(test)
    if (windows) {
      port = await freePort()
      settings.listen_addresses = '127.0.0.1'
    } else {
      const near = path.join(home, 'run')
      socket = privateFolder(
        Buffer.byteLength(near) <= longestSocketFolder ? near : fs.mkdtempSync('/tmp/university-ems-'),
        account,
      )
      settings.listen_addresses = ''
      settings.unix_socket_directories = socket
    }
    settings.port = String(port)
    const flags = Object.entries({ ...settings, ...options.settings }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ])

    guard = startGuard(binaries.folder, cluster, test ? home : undefined)
    const log = path.join(home, 'postgres.log')
    let server = await launch()
    let stopping: Promise<void> | undefined
    let reviving: Promise<void> | undefined
    gone = (): boolean => {
      if (stopping || fs.existsSync(path.join(cluster, 'PG_VERSION'))) return false
      // It cannot write anything to disk any more, and would notice only after a minute.
      server.kill('SIGQUIT')
      stopping = end(server).finally(cleanUp)
      options.onGone?.(new DataFolderGone(home))
      return true
    }

    /** Starts the postmaster and waits until it is ready, however long a recovery takes. */
    async function launch(): Promise<ChildProcess> {
      for (let attempt = 1; ; attempt++) {
        if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 10 * megabyte) fs.renameSync(log, `${log}.old`)
        // A killed server leaves its socket's lock, with a process id that may belong to another one by now.
        if (socket) for (const name of fs.readdirSync(socket)) fs.rmSync(path.join(socket, name), { force: true })
        const output = fs.openSync(log, 'a', 0o600)
        const begin = fs.fstatSync(output).size
        const child = spawn(binary(binaries.folder, 'postgres'), ['-D', cluster, ...flags], {
          ...account,
          cwd: home,
          env: environment(),
          stdio: ['ignore', output, output],
          // Its own session: Ctrl-C in the terminal reaches us only, and we stop it in order.
          detached: true,
          windowsHide: true,
        })
        fs.closeSync(output)
        let failure: Error | undefined
        child.on('error', (error) => (failure = error))
        guard?.stdin?.write(`${child.pid ?? ''}\n`)
        for (;;) {
          const state = readPostmaster(cluster)
          if (state?.ready && state.pid === child.pid) break
          if (failure || child.exitCode !== null || child.signalCode !== null) break
          await sleep(10)
        }
        if (!failure && child.exitCode === null && child.signalCode === null) {
          child.unref()
          child.once('exit', () => {
            if (!stopping) reviving = revive()
          })
          return child
        }
        const said = fs.readFileSync(log).subarray(begin).toString().trim()
        // The processes of a server that was killed need a moment to notice and let go of its memory.
        if (/pre-existing shared memory block/.test(said) && attempt < 100) {
          if (attempt > 20) endRemains(cluster)
          await sleep(100)
          continue
        }
        throw new Error(
          `PostgreSQL did not start in ${home}: ${failure?.message ?? said.split('\n').slice(-8).join('\n')}`,
        )
      }
    }

    /** The server died though nobody stopped it (out of memory, killed): start it again; pools reconnect by themselves. */
    async function revive(): Promise<void> {
      for (let pause = 0; !stopping; pause = Math.min(2_000, pause * 2 + 250)) {
        await sleep(pause)
        if (stopping || gone?.()) return
        try {
          server = await launch()
          return
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error))
        }
      }
    }

    async function end(child: ChildProcess): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.ref()
      const ended = once(child, 'exit')
      askToStop(binaries.folder, cluster, child.pid as number)
      // A fast shutdown writes all to disk; when even a minute is not enough, stop hard: the next start recovers.
      const patience = setTimeout(() => child.kill('SIGQUIT'), 60_000)
      await ended
      clearTimeout(patience)
    }

    const password = windows ? fs.readFileSync(path.join(home, 'password'), 'utf8') : undefined
    const config = {
      host: socket ?? '127.0.0.1',
      port,
      user: 'postgres',
      database: 'postgres',
      ...(password ? { password } : {}),
    }
    return {
      config,
      url: socket
        ? `postgresql://postgres@/postgres?host=${encodeURIComponent(socket)}&port=${port}`
        : `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
      home,
      get pid() {
        return server.pid as number
      },
      stop() {
        stopping ??= Promise.resolve(reviving)
          .then(() => end(server))
          .finally(cleanUp)
        return stopping
      },
    }
  } catch (error) {
    cleanUp()
    throw error
  }
}
