import { reasonsOfPart } from '#kit/contract/parts.ts'
import { KEPT } from '#kit/contract/retention.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** Letters of a name; a file system holds 255 bytes, of which an Arabic letter takes two. */
export const MAX_NAME = 120
/** Folders within each other. */
export const MAX_DEPTH = 30
/** Entries that one step moves, copies, removes or downloads. */
export const MAX_ENTRIES = 5000
/** Days after which what lies in the recycle bin is deleted for good. */
export const BIN_DAYS = KEPT.bin.days
/** Bytes of one file. */
export const MAX_FILE = 2_000_000_000
/** Bytes of one part of an upload. */
export const PART_BYTES = 8_388_608
/** Kinds of file the archive keeps. */
export const FILE_KINDS = ['pdf', 'jpg', 'png', 'zip', 'rar', 'xlsx', 'csv', 'docx', 'pptx'] as const
export type ArchiveFileKind = (typeof FILE_KINDS)[number]

/** Names that Windows keeps for itself. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i
/** What no file system takes, and what reorders what others read. */
const UNSAFE = /[/\\:*?"<>|\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/

/** A name as it is kept: composed letters, single spaces. */
export const tidyEntryName = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Why an entry cannot be called so; names are tidied before. */
export function nameReasons(name: string, field = 'name'): Reason[] {
  if (!name) return [{ field, code: 'required' }]
  if ([...name].length > MAX_NAME) return [{ field, code: 'too_long', data: { max: MAX_NAME } }]
  if (UNSAFE.test(name) || name === '.' || name === '..' || /[. ]$/.test(name) || RESERVED.test(name))
    return [{ field, code: 'archive_name_unsafe', data: { name: shown(name) } }]
  return []
}
/** A name that may hold anything, as a refusal may show it. */
const shown = (name: string): string =>
  [...name]
    .map((letter) => (UNSAFE.test(letter) && !/[/\\:*?"|]/.test(letter) ? '�' : letter))
    .slice(0, 60)
    .join('')

/** Two names that some file system takes for one have the same key. The database works out the same. */
export const keyOfName = (name: string): string => name.normalize('NFC').toLowerCase()

/** A short name is what can stand in an address. */
export const SHORT_NAME = /^[a-z0-9][a-z0-9-]{0,59}$/

/** A name that is free among those taken: `Plan`, `Plan (2)`, `Plan.pdf`, `Plan (2).pdf`. `taken` holds keys. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(keyOfName(name))) return name
  const [stem, ending] = parted(name)
  for (let n = 2; ; n++) {
    const more = ` (${n})${ending}`
    const next = `${[...stem]
      .slice(0, MAX_NAME - more.length)
      .join('')
      .trimEnd()}${more}`
    if (!taken.has(keyOfName(next))) return next
  }
}
/** A name and its ending, with the dot. */
function parted(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.')
  return dot > 0 && name.length - dot <= 6 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

const ENDINGS: Readonly<Record<string, string>> = { jpeg: 'jpg', jpe: 'jpg' }
const KNOWN_ENDINGS = new Set<string>([
  ...FILE_KINDS,
  'html',
  'htm',
  'svg',
  'js',
  'exe',
  'gif',
  'txt',
  'doc',
  'xls',
  'ppt',
])
/**
 * The name under which a file of a kind is kept: its ending says what it is. A name that says something else deceives who
 * opens it, so it is refused.
 */
export function nameOfKind(name: string, kind: string): { name: string } | { reason: Reason } {
  const ending = parted(name)[1].slice(1).toLowerCase()
  const said = ENDINGS[ending] ?? ending
  if (said === kind) return { name }
  if (KNOWN_ENDINGS.has(said))
    return { reason: { field: 'file', code: 'archive_content_differs', data: { name: shown(name), found: kind } } }
  return { name: `${[...name].slice(0, MAX_NAME - kind.length - 1).join('')}.${kind}` }
}

/** What no person put into a folder: it is left out of what comes in. */
export const isJunk = (path: string): boolean =>
  /(^|\/)(__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i.test(path)

/** Folders of a relative path, and why it is none: what leads out of its folder, begins elsewhere, or is no name. */
export function partsOfPath(path: string, field = 'path'): { parts: string[]; reasons: Reason[] } {
  const unsafe = (): { parts: string[]; reasons: Reason[] } => ({
    parts: [],
    reasons: [{ field, code: 'archive_path_unsafe', data: { name: shown(path) } }],
  })
  if (path === '') return { parts: [], reasons: [] }
  if (/^[/\\]|^[a-z]:|\\/i.test(path)) return unsafe()
  // What is empty, or leads up, is no name.
  const parts = path.replace(/\/$/, '').split('/').map(tidyEntryName)
  if (parts.length > MAX_DEPTH)
    return { parts: [], reasons: [{ field, code: 'archive_too_deep', data: { max: MAX_DEPTH } }] }
  return parts.some((part) => nameReasons(part).length > 0) ? unsafe() : { parts, reasons: [] }
}

/** A new order of a folder: what is named takes the places of what is named; everything else stays where it is. */
export function reordered(present: readonly number[], wanted: readonly number[]): number[] {
  const here = new Set(present)
  const named = [...new Set(wanted)].filter((id) => here.has(id))
  const moving = new Set(named)
  let next = 0
  return present.map((id) => (moving.has(id) ? named[next++]! : id))
}

/** Why entries cannot be put into a folder. `around`: the folder and those around it, up to the root. */
export function moveReasons(moved: readonly number[], around: readonly number[]): Reason[] {
  if (moved.includes(1)) return [{ code: 'archive_root' }]
  return moved.some((id) => around.includes(id)) ? [{ code: 'archive_into_itself' }] : []
}

/** One line of the list of who sees a folder. */
export interface AccessLine {
  readonly user_id?: number | null | undefined
  readonly role_id?: number | null | undefined
  readonly level: 'view' | 'edit'
}
/** Why a list of who sees a folder cannot be; `stays`: whether who sets it changes the folder by it, or whatever it says. */
export function accessReasons(lines: readonly AccessLine[], stays: boolean): Reason[] {
  const out: Reason[] = []
  const seen = new Set<string>()
  for (const [i, { user_id, role_id }] of lines.entries()) {
    const who = `${user_id ?? ''}/${role_id ?? ''}`
    if ((user_id == null) === (role_id == null)) out.push({ field: `access.${i}`, code: 'archive_access_who' })
    else if (seen.has(who)) out.push({ field: `access.${i}`, code: 'duplicate' })
    seen.add(who)
  }
  if (!stays) out.push({ field: 'access', code: 'archive_locks_out' })
  return out
}

/** What is said of a part that does not follow what is here. */
export const PART_CODES = { order: 'archive_part_order', size: 'archive_part_size' } as const
/** Why a part of an upload is not taken. */
export const partReasons = (part: { offset: number; bytes: number }, upload: { received: number; size: number }) =>
  reasonsOfPart(part, upload, PART_BYTES, PART_CODES)
