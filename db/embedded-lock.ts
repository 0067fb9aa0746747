import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { windows, binary } from './embedded-binaries.ts'

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
const heartbeatEvery = 5_000

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
export async function takeLock(
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
export function readPostmaster(cluster: string): { pid: number; since: string; ready: boolean } | undefined {
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
export function askToStop(binaries: string, cluster: string, pid: number): void {
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
export async function clearPostmaster(
  folder: string,
  cluster: string,
  binaries: string,
  orphaned: boolean,
): Promise<void> {
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
