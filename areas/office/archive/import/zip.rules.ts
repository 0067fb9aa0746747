import type { Reason } from '#kit/contract/issues.ts'
import { MAX_ENTRIES, MAX_FILE, isJunk, keyOfName, partsOfPath } from '../archive.rules.ts'

/** What comes out of one ZIP together. */
export const MAX_UNZIPPED = 2_000_000_000
/** How many times an entry larger than a megabyte may grow. */
const MAX_RATIO = 200
const MEGABYTE = 1_000_000

/** An entry of a ZIP, as its directory tells it. */
export interface ZipEntry {
  readonly name: string
  readonly compressed: number
  readonly size: number
  /** 0: stored, 8: deflated. */
  readonly method: number
  readonly encrypted: boolean
  /** A link to somewhere else, or a device. */
  readonly special: boolean
}
/** What a ZIP brings: folders, each after the one around it, and files with where they go. */
export interface ZipPlan<Entry extends ZipEntry> {
  readonly folders: readonly (readonly string[])[]
  readonly files: readonly { readonly path: readonly string[]; readonly entry: Entry }[]
}

/**
 * What a ZIP would bring, and every reason why it is not let in. Sizes are those its directory names; what unzips to more
 * is refused when it does.
 */
export function planZip<Entry extends ZipEntry>(
  entries: readonly Entry[],
): { plan: ZipPlan<Entry>; reasons: Reason[] } {
  const reasons: Reason[] = []
  const folders = new Map<string, string[]>()
  const files: { path: string[]; entry: Entry }[] = []
  const taken = new Map<string, 'folder' | 'file'>()
  const wrong = (code: string, data: Record<string, unknown>) => void reasons.push({ field: 'file', code, data })
  const kept = entries.filter(({ name }) => !isJunk(name))
  if (kept.length > MAX_ENTRIES) wrong('archive_zip_entries', { max: MAX_ENTRIES, found: kept.length })
  const total = kept.reduce((sum, { size }) => sum + size, 0)
  if (total > MAX_UNZIPPED) wrong('archive_zip_large', { max: MAX_UNZIPPED / MEGABYTE })
  const key = (parts: readonly string[]) => parts.map(keyOfName).join('/')
  for (const entry of kept.slice(0, MAX_ENTRIES)) {
    const { parts, reasons: why } = partsOfPath(entry.name, 'file')
    reasons.push(...why)
    if (!parts.length) continue
    const name = parts.join('/')
    if (entry.encrypted) wrong('archive_zip_encrypted', { name })
    else if (entry.special || (entry.method !== 0 && entry.method !== 8)) wrong('archive_zip_special', { name })
    if (entry.size > MAX_FILE || (entry.size > MEGABYTE && entry.size > entry.compressed * MAX_RATIO))
      wrong('archive_zip_grows', { name })
    const isFolder = entry.name.endsWith('/')
    for (let depth = 1; depth < parts.length + (isFolder ? 1 : 0); depth++) {
      const part = parts.slice(0, depth)
      const at = key(part)
      if (taken.get(at) === 'file') wrong('archive_zip_twice', { name: part.join('/') })
      // The first spelling of a folder is the one that is made.
      else if (!folders.has(at)) folders.set(at, [...(folders.get(key(part.slice(0, -1))) ?? []), part.at(-1)!])
      taken.set(at, 'folder')
    }
    if (isFolder) continue
    const at = key(parts)
    if (taken.has(at)) wrong('archive_zip_twice', { name })
    else {
      taken.set(at, 'file')
      files.push({ path: [...(folders.get(key(parts.slice(0, -1))) ?? []), parts.at(-1)!], entry })
    }
  }
  if (!files.length && !folders.size && !reasons.length) wrong('archive_zip_empty', {})
  return { plan: { folders: [...folders.values()], files }, reasons }
}
