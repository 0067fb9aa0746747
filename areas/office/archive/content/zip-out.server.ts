import { Readable } from 'node:stream'
import { Zip, ZipPassThrough, strToU8 } from 'fflate'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { FileError } from '#kit/server/storage/index.ts'
import type { Storage } from '#kit/server/storage/index.ts'
import { freeName, keyOfName } from '../archive.rules.ts'
import type { Below } from '../entries.server.ts'

/** Bytes of a ZIP without the extension that not every program reads. */
export const MAX_ZIP = 4_000_000_000

/** What a ZIP holds: where, and the bytes when it is its turn. */
export interface Item {
  readonly path: string
  readonly bytes: () => Promise<AsyncIterable<Uint8Array>>
}
/** All at once, or each when it is its turn. */
type Items = Iterable<Item> | AsyncIterable<Item>

const html = (title: string, language: string, body: string): string =>
  `<!doctype html>\n<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><meta charset="utf-8"><title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>\n<body>${body}\n</html>\n`

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * Where entries lie in a ZIP. Folders of one name, one of them limited to fewer people, stand beside each other there: a
 * reader of both gets both.
 */
export function placesIn(entries: readonly Pick<Below, 'id' | 'parent_id' | 'name' | 'route'>[]): Map<number, string> {
  const places = new Map<number, string>()
  const taken = new Map<string, Set<string>>()
  for (const { id, parent_id, name, route } of entries) {
    const around = route.length > 1 ? `${places.get(parent_id!)}/` : ''
    const names = taken.get(around) ?? new Set<string>()
    taken.set(around, names)
    const free = freeName(name, names)
    names.add(keyOfName(free))
    places.set(id, `${around}${free}`)
  }
  return places
}

/** What goes into a ZIP of these entries: files as they are, pages as one file for each language. */
export function itemsOf(db: Db, storage: Storage, entries: readonly Below[]): Item[] {
  const places = placesIn(entries)
  return entries.flatMap(({ id, kind, name, name_local, hash }): Item[] => {
    const path = places.get(id)!
    if (kind === 'folder') return [{ path: `${path}/`, bytes: async () => one(new Uint8Array()) }]
    if (kind === 'file') return [{ path, bytes: () => storage.get(hash!) }]
    return (['ar', 'en'] as const).map((language) => ({
      path: `${path}.${language}.html`,
      bytes: async () => {
        const { rows } = await sql<{ body: string }>`select body from archive_pages
          where entry_id = ${id} and language = ${language}`.execute(db)
        return one(strToU8(html(language === 'ar' ? (name_local ?? name) : name, language, rows[0]?.body ?? '')))
      },
    }))
  })
}

/** Says, in the ZIP itself, which contents the store no longer has: the rest is not kept from who asked for it. */
const missingText = (paths: readonly string[]): Uint8Array =>
  strToU8(`\uFEFFNot in the file store / غير موجود في مخزن الملفات:\r\n${paths.join('\r\n')}\r\n`)

/** A ZIP that is written while it is read: never more than one piece of one file is in memory. */
async function* written(items: Items): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, data) => {
    if (error) throw error
    if (data.length) ready.push(data)
  })
  const missing: string[] = []
  const begin = (path: string): ZipPassThrough => {
    const entry = new ZipPassThrough(path)
    zip.add(entry)
    return entry
  }
  for await (const { path, bytes } of items) {
    let content: AsyncIterable<Uint8Array>
    try {
      content = await bytes()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      missing.push(path)
      continue
    }
    const entry = begin(path)
    for await (const chunk of content) {
      entry.push(chunk)
      yield* ready.splice(0)
    }
    entry.push(new Uint8Array(), true)
    yield* ready.splice(0)
  }
  if (missing.length) begin('MISSING.txt').push(missingText(missing), true)
  zip.end()
  yield* ready.splice(0)
}

/** The ZIP of these items, as a stream. */
export const zipStream = (items: Items): Readable => Readable.from(written(items), { objectMode: false })
