import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart } from '#demo/part.ts'
import { LIBRARY, facultyFolder } from './demo/library.ts'
import type { Folder, Page } from './demo/library.ts'
import { PAPERS, minutesOf } from './demo/papers.ts'
import type { DemoPaper } from './demo/papers.ts'
import { typeset } from './demo/typeset.ts'

interface File {
  readonly parent_id: number
  readonly names: readonly [name: string, name_local: string]
  readonly ext: string
  readonly mime: string
  /** Its contents, the oldest first. */
  readonly versions: readonly (() => Promise<Uint8Array>)[]
}
const root = path.join(import.meta.dirname, '../../..')

const paperFile = (parent_id: number, { names, versions }: DemoPaper): File => ({
  parent_id,
  names: [`${names[0]}.pdf`, `${names[1]}.pdf`],
  ext: 'pdf',
  mime: 'application/pdf',
  versions: versions.map((one) => () => typeset(one)),
})

/** A library of regulations, forms, guides and minutes, with folders of the faculties and of the control. */
export default demoPart(['archive_entries', 'archive_pages', 'archive_access'], [], async (tx, demo) => {
  const entries: Record<string, unknown>[] = []
  const pages: Record<string, unknown>[] = []
  const access: { entry_id: number; role: string; level: string }[] = []
  const files: File[] = []
  const papers = new Map([...PAPERS, ...demo.faculties.map(minutesOf)].map((paper) => [paper.key, paper]))
  let id = 1
  const add = (holds: readonly (Folder | Page)[], parent_id: number): void => {
    for (const [i, one] of holds.entries()) {
      const own = ++id
      const folder = 'holds' in one
      const [name, name_local] = one.names
      entries.push({
        id: own,
        parent_id,
        kind: folder ? 'folder' : 'page',
        name,
        name_local,
        short_name: one.short ?? null,
        position: i + 1,
        inherits: !folder || !one.limited,
      })
      if (folder) {
        for (const [role, level] of one.limited ?? []) access.push({ entry_id: own, role, level })
        for (const key of one.papers ?? []) files.push(paperFile(own, papers.get(key)!))
        for (const { name: file, name_local: local, from } of one.pictures ?? [])
          files.push({
            parent_id: own,
            names: [file, local],
            ext: 'png',
            mime: 'image/png',
            versions: [() => readFile(path.join(root, from))],
          })
        add(one.holds, own)
      } else for (const language of ['en', 'ar'] as const) pages.push({ entry_id: own, language, body: one[language] })
    }
  }
  const faculties: Folder = {
    names: ['Faculties', 'الكليات'],
    short: 'faculties',
    holds: demo.faculties.map(facultyFolder),
  }
  add([LIBRARY[0]!, faculties, ...LIBRARY.slice(1)], 1)
  await insertRows(tx, 'archive_entries', entries)
  await insertRows(tx, 'archive_pages', pages)
  await sql`insert into archive_access (entry_id, role_id, level)
    select a.entry_id, r.id, a.level
    from jsonb_to_recordset(${JSON.stringify(access)}::jsonb) as a (entry_id int, role text, level text) join roles r on r.key = a.role`.execute(
    tx,
  )
  await followIds(tx, 'archive_entries')

  return async (db, storage) => {
    for (const { parent_id, names, ext, mime, versions } of files) {
      const kept: { hash: string; size: number }[] = []
      for (const version of versions) kept.push(await storage.put(await version()))
      await db.transaction().execute(async (own) => {
        const ids: number[] = []
        for (const { hash, size } of kept) {
          const { rows } = await sql<{ id: number }>`insert into files (hash, name, ext, mime, size)
              values (${hash}, ${names[0]}, ${ext}, ${mime}, ${size}) returning id`.execute(own)
          ids.push(firstRow(rows).id)
        }
        const { rows } = await sql<{ id: number }>`
            insert into archive_entries (parent_id, kind, name, name_local, file_id, position)
            values (${parent_id}, 'file', ${names[0]}, ${names[1]}, ${ids.at(-1)},
              (select coalesce(max(position), 0) + 1 from archive_entries where parent_id = ${parent_id})) returning id`.execute(
          own,
        )
        await sql`insert into archive_versions (entry_id, number, file_id)
            select ${firstRow(rows).id}, number, file_id from unnest(${ids}::int[]) with ordinality as v (file_id, number)`.execute(
          own,
        )
      })
    }
  }
})
