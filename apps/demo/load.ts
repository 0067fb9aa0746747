import { globSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { actOn } from '#areas/records/grading/guard.server.ts'
import type { Db } from '#db/connect.ts'
import { dayOf } from '#kit/contract/day.ts'
// Some parts do what an area has taught the kit: they issue papers.
import '../server/areas.server.ts'
import { buildDemo } from './index.ts'
import { forgetDatabase } from '#kit/server/base/kept.ts'
import type { Config } from '#kit/server/base/config.ts'
import type { Storage } from '#kit/server/storage/index.ts'
import type { DemoUniversity } from './model.ts'
import { EVERYTHING, type DemoPart, type FillStore } from './part.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** The parts in an order in which each finds what it needs. */
export function inOrder(parts: ReadonlyMap<string, DemoPart>): DemoPart[] {
  const fillers = Map.groupBy(
    [...parts].flatMap(([file, part]) => part.fills.map((table) => ({ table, file }))),
    ({ table }) => table,
  )
  const done: DemoPart[] = []
  const open = new Set<string>()
  const visit = (file: string): void => {
    const part = parts.get(file)!
    if (done.includes(part)) return
    if (open.has(file)) throw new Error(`parts of the demo university need each other: ${[...open].join(', ')}`)
    open.add(file)
    for (const table of part.needs) {
      if (table === EVERYTHING) continue
      const found = fillers.get(table)
      if (!found) throw new Error(`${file} needs ${table}, which no part of the demo university fills`)
      for (const filler of found) if (filler.file !== file) visit(filler.file)
    }
    open.delete(file)
    done.push(part)
  }
  const last = (file: string): boolean => parts.get(file)!.needs.includes(EVERYTHING)
  for (const file of [...parts.keys()].toSorted((a, b) => Number(last(a)) - Number(last(b)) || (a < b ? -1 : 1)))
    visit(file)
  return done
}

/**
 * Loads the demo university into an empty database: its structure is the same on every machine on one day. What each
 * capability brings stands beside it in `*.demo.ts`. Roles must be seeded.
 *
 * @param today the day from which terms and windows are counted, `YYYY-MM-DD`
 * @param store where its files go, and how the installation is set up: without it the demo university has no files
 */
export async function loadDemo(
  db: Db,
  today = dayOf(),
  store?: { readonly storage: Storage; readonly config: Config },
): Promise<DemoUniversity> {
  // What a process has read of another database does not hold here.
  forgetDatabase()
  const demo = buildDemo({ today })
  const files = globSync('areas/**/*.demo.ts', { cwd: ROOT })
  const parts = await Promise.all(
    files.map(
      async (file) => [file, ((await import(path.join(ROOT, file))) as { default: DemoPart }).default] as const,
    ),
  )
  const fills: FillStore[] = []
  const tables = new Set((await db.introspection.getTables()).map((one) => one.name))
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('ems.actor', ${JSON.stringify({ reason: 'demo university' })}, true)`.execute(tx)
    // A day that becomes an instant begins by the university's clock, and so does an hour without a zone.
    await sql`select set_config('timezone', university_zone(), true)`.execute(tx)
    for (const part of inOrder(new Map(parts))) {
      // What a part before has computed acted on another authority.
      await actOn(tx, 'load')
      const fill = await part.load(tx, demo)
      // Whoever comes next asks of what is there by now: without figures the database plans for empty tables.
      const filled = part.fills.filter((one) => tables.has(one))
      if (filled.length) await sql`analyze ${sql.join(filled.map((one) => sql.table(one)))}`.execute(tx)
      if (fill) fills.push(fill)
    }
  })
  if (store) for (const fill of fills) await fill(db, store.storage, store.config)
  await sql`analyze`.execute(db)
  return demo
}
