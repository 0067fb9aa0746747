import type { Change } from '#kit/web/api/index.ts'
import { sendInParts } from '#kit/web/api/parts.ts'
import { createStore } from '#kit/web/store.ts'
import { MAX_FILE, PART_BYTES } from '../archive.rules.ts'
import { uploadCalls } from '../upload/upload.contract.ts'

/** A file on its way into the archive. */
export interface Sending {
  readonly id: number
  readonly file: File
  readonly parent_id: number
  /** Folders below the parent, as they lay where it comes from. */
  readonly path: string
  /** Of a ZIP that is unpacked there: told the folder that was made of it. */
  readonly unzip: ((made: number) => void) | null
  readonly state: 'waiting' | 'running' | 'paused' | 'done' | 'failed'
  readonly percent: number
  readonly problem: unknown
}
const sendings = createStore<readonly Sending[]>([])
export const useSendings = sendings.use
let last = 0
const abort = new Map<number, AbortController>()

const set = (id: number, change: Partial<Sending>): void =>
  sendings.set((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))
const get = (id: number): Sending | undefined => sendings.get().find((one) => one.id === id)

/** By which an upload that was broken off is known again when the same file is chosen once more. */
const fingerprint = ({ file, parent_id, path, unzip }: Sending): string =>
  `ems.archive-upload.${unzip ? 'zip:' : ''}${parent_id}:${path}/${file.name}:${file.size}:${file.lastModified}`
const remembered = (one: Sending): string | null => {
  try {
    return localStorage.getItem(fingerprint(one))
  } catch {
    return null
  }
}
function remember(one: Sending, key: string | null): void {
  try {
    if (key) localStorage.setItem(fingerprint(one), key)
    else localStorage.removeItem(fingerprint(one))
  } catch {
    // Without it an upload begins anew after the window was closed.
  }
}

type Send = Change['send']
/** Sends a large file in parts, from where it stands. */
async function inParts(one: Sending, send: Send, signal: AbortSignal): Promise<void> {
  const { file, parent_id, path } = one
  const step = (suffix: 'begin' | 'state' | 'finish', body: object) =>
    send(uploadCalls.uploadParts, { params: { suffix }, body: { ...body }, signal })
  const known = remembered(one)
  const present = known ? await step('state', { key: known }).catch(() => null) : null
  const { upload } = (present ?? (await step('begin', { parent_id, path, name: file.name, size: file.size }))).data
  const { key, part } = upload!
  remember(one, key)
  await sendInParts(
    file,
    { received: upload!.received, part },
    {
      tries: 5,
      signal,
      onProgress: (percent) => set(one.id, { percent }),
      send: async (content, offset) => {
        const body = { key, offset }
        const answer = await send(uploadCalls.uploadParts, { params: { suffix: 'part' }, body, file: content, signal })
        return answer.data.upload!.received
      },
    },
  )
  if (one.unzip) one.unzip((await send(uploadCalls.importZip, { body: { parent_id, key }, signal })).data.id)
  else await step('finish', { key, taken: 'version' })
  remember(one, null)
}

async function sendOne(one: Sending, send: Send): Promise<void> {
  const control = new AbortController()
  abort.set(one.id, control)
  const { signal } = control
  const { file, parent_id, path } = one
  if (file.size > PART_BYTES && file.size <= MAX_FILE) return inParts(one, send, signal)
  const on = { file, signal, onProgress: (percent: number) => set(one.id, { percent }) }
  if (one.unzip) one.unzip((await send(uploadCalls.importZip, { body: { parent_id }, ...on })).data.id)
  else await send(uploadCalls.uploadArchive, { body: { parent_id, path, taken: 'version' }, ...on })
}

let running = false
/** Sends what waits, one after the other; what is refused does not keep the rest. */
async function run({ go, send }: Pick<Change, 'go' | 'send'>): Promise<void> {
  if (running) return
  running = true
  try {
    for (let one: Sending | undefined; (one = sendings.get().find(({ state }) => state === 'waiting'));) {
      const { id } = one
      const present = one
      set(id, { state: 'running', problem: null })
      await go(async () => {
        try {
          await sendOne(present, send)
          set(id, { state: 'done', percent: 100 })
        } catch (problem) {
          if (get(id)?.state === 'running') set(id, { state: 'failed', problem })
        }
      })
    }
  } finally {
    running = false
  }
}

/** Files, each with the folders in which it lay. */
export interface Chosen {
  readonly file: File
  readonly path: string
}
export function sendFiles(
  chosen: readonly Chosen[],
  parent_id: number,
  change: Pick<Change, 'go' | 'send'>,
  unzip: Sending['unzip'] = null,
): void {
  const next = chosen.map(({ file, path }): Sending => ({
    id: ++last,
    file,
    path,
    parent_id,
    unzip,
    state: 'waiting',
    percent: 0,
    problem: null,
  }))
  sendings.set((all) => [...all.filter(({ state }) => state !== 'done'), ...next])
  void run(change)
}
/** Stops where it stands; what was sent stays. */
export function pauseSending(id: number): void {
  set(id, { state: 'paused' })
  abort.get(id)?.abort()
}
export function resumeSending(id: number, change: Pick<Change, 'go' | 'send'>): void {
  set(id, { state: 'waiting', problem: null })
  void run(change)
}
/** Stops everything that is on its way or waits. */
export function pauseAll(): void {
  for (const { id, state } of sendings.get()) if (state === 'running' || state === 'waiting') pauseSending(id)
}
export function resumeAll(change: Pick<Change, 'go' | 'send'>): void {
  for (const { id, state } of sendings.get()) if (state === 'paused') set(id, { state: 'waiting', problem: null })
  void run(change)
}
/** Takes what is done off the list. */
export const forgetDone = (): void => sendings.set((all) => all.filter(({ state }) => state !== 'done'))
/** Takes what is done, failed or given up off the list. */
export function forgetSending(id: number): void {
  abort.get(id)?.abort()
  sendings.set((all) => all.filter((one) => one.id !== id))
}

/** Everything that was dropped, with what lies in dropped folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<Chosen[]> {
  const roots = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const out: Chosen[] = []
  const visit = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
      out.push({ file, path })
      return
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader()
    const below = path ? `${path}/${entry.name}` : entry.name
    for (;;) {
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (!entries.length) return
      for (const one of entries) await visit(one, below)
    }
  }
  for (const root of roots) await visit(root, '')
  return out
}
/** Files of an input; of a whole folder each knows where it lay. */
export const chosenFiles = (files: FileList): Chosen[] =>
  [...files].map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1).join('/') }))
