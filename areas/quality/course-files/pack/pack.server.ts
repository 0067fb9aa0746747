/**
 * The accreditation pack of a program: its parts are made one by one and noted, so that another process goes on where one was killed;
 * the ZIP is written of them while it is fetched. Memory stays flat however large it is, and no file is stored twice.
 */
import { MAX_ZIP } from '#areas/office/archive/content/zip-out.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { safeFileName } from '#kit/server/files/files.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { FileError } from '#kit/server/storage/index.ts'
import { ref } from '#kit/server/base/sql.ts'
import { insertRows } from '#db/bulk.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql, type RawBuilder } from 'kysely'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { PACK_DAYS, packCalls, type MadePack } from './pack.contract.ts'
import {
  AGREED,
  indexOf,
  packedOf,
  placing,
  offeringReportPaper,
  specified,
  wordsIn,
  type PackAsked,
  type Packed,
} from './papers.server.ts'
import { knownZip, sizeAndChecksum, type KnownItem } from './zip.server.ts'

type Kind = 'index' | 'program' | 'course' | 'report' | 'file'
interface PlannedItem {
  readonly path: string
  readonly kind: Kind
  readonly of_id: number | null
  readonly hash: string | null
}

/** What the pack is to hold, in its order: papers, which are made when it is their turn, and files. */
function planOf(asked: PackAsked, all: readonly Packed[]): PlannedItem[] {
  const { say, both } = wordsIn(asked.lang)
  const place = placing()
  const items: PlannedItem[] = []
  const paper = (kind: Kind, of_id: number | null, path: string) => items.push({ path, kind, of_id, hash: null })
  paper('index', null, `${say('index')}.xlsx`)
  paper('program', asked.program_id, place(say('program'), `${say('specification')}.pdf`))
  const seen = new Set<number>()
  for (const one of all) {
    const course = `${say('courses')}/${safeFileName(`${one.code} ${both(one.course, one.course_local)}`)}`
    if (!seen.has(one.course_id)) {
      seen.add(one.course_id)
      paper('course', one.course_id, place(course, `${say('specification')}.pdf`))
    }
    if (!AGREED.has(one.status)) continue
    const folder = `${course}/${safeFileName(`${both(one.term, one.term_local)} (${one.offering})`)}`
    if (one.figures) paper('report', one.id, place(folder, `${say('report')}.pdf`))
    for (const { part, part_local, name, hash } of one.documents)
      items.push({
        path: place(`${folder}/${safeFileName(both(part, part_local))}`, name),
        kind: 'file',
        of_id: null,
        hash,
      })
  }
  return items
}

/** Bytes of files in a pack: with its papers it stays a ZIP that every program reads. */
const LARGEST = MAX_ZIP - 200_000_000
const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1)

/** Days for which contents are held while a pack is being made: as long as its job may be tried again. */
const MAKING_DAYS = 3
/** What is done between two looks at whether the job is to end. */
const AT_ONCE = 20

type Pack = PackAsked & {
  readonly id: number
  readonly name: string
  readonly until: string | null
  readonly asked_by: number | null
}
const packRow = async (db: Db | Tx, id: number): Promise<Pack | null> =>
  (
    await sql<Pack>`select id, program_id, from_year_id, to_year_id, lang, name, until, asked_by from course_file_packs where id = ${id}`.execute(
      db,
    )
  ).rows[0] ?? null

/** Says once what the pack is to hold; files are held from then on, whatever becomes of them elsewhere. */
const plan = (ctx: Ctx, pack: Pack, all: readonly Packed[]): Promise<void> =>
  ctx.write(async (tx) => {
    await sql`select from course_file_packs where id = ${pack.id} for update`.execute(tx)
    const { rows } = await sql`select from course_file_pack_items where pack_id = ${pack.id} limit 1`.execute(tx)
    if (rows.length) return
    const items = planOf(pack, all).map((item, i) => ({ ...item, pack_id: pack.id, position: i + 1 }))
    await insertRows(tx, 'course_file_pack_items', items)
    await ctx.services.files.hold(
      tx,
      items.flatMap(({ hash }) => hash ?? []),
      MAKING_DAYS,
    )
  })

/** A paper of the pack; null: there is none (any more) within reach. */
async function paperOf(
  ctx: Ctx,
  { kind, of_id }: { readonly kind: Kind; readonly of_id: number | null },
  pack: Pack,
  all: readonly Packed[],
): Promise<Uint8Array | null> {
  if (kind === 'index') return indexOf(ctx, all, pack.lang)
  if (kind === 'program' || kind === 'course') return specified(ctx, kind, of_id ?? 0, pack.lang)
  const one = all.find(({ id }) => id === of_id)
  return one ? offeringReportPaper(ctx, one, pack.lang) : null
}

/** Makes one part of the pack, and notes it: what is noted is not made again, whichever process goes on. */
async function makeItem(
  ctx: Ctx,
  pack: Pack,
  item: { position: number; kind: Kind; of_id: number | null; hash: string | null },
  all: () => Promise<readonly Packed[]>,
): Promise<void> {
  const where = sql`pack_id = ${pack.id} and position = ${item.position}`
  const note = (statement: RawBuilder<unknown>) => ctx.write((tx) => statement.execute(tx))
  if (item.kind === 'file') {
    try {
      const { size, crc } = await sizeAndChecksum(await ctx.services.storage.get(item.hash ?? ''))
      await note(sql`update course_file_pack_items set size = ${size}, crc = ${crc} where ${where}`)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await note(sql`update course_file_pack_items set missing = true where ${where}`)
    }
    return
  }
  const bytes = await paperOf(ctx, item, pack, await all())
  if (!bytes) return void (await note(sql`delete from course_file_pack_items where ${where}`))
  const { hash, size } = await ctx.services.files.lend(bytes, MAKING_DAYS)
  await note(
    sql`update course_file_pack_items set hash = ${hash}, size = ${size}, crc = ${crc32(bytes)} where ${where}`,
  )
}

/** The pack can be fetched from now on, for some days. */
const finish = (ctx: Ctx, id: number): Promise<string> =>
  ctx.write(async (tx) => {
    const { rows: items } = await sql<{
      hash: string
    }>`select hash from course_file_pack_items where pack_id = ${id} and not missing and hash is not null`.execute(tx)
    await ctx.services.files.hold(
      tx,
      items.map(({ hash }) => hash),
      PACK_DAYS,
    )
    const { rows } = await sql<{ until: string }>`update course_file_packs
      set until = coalesce(until, now() + make_interval(days => ${PACK_DAYS})) where id = ${id} returning until`.execute(
      tx,
    )
    return firstRow(rows).until
  })

/** Killed, it goes on in another process with the first part that is not made yet. */
export const packJob = defineJob<{ pack_id: number }, MadePack | null>({
  name: 'accreditation-pack',
  retries: 5,
  async run(ctx, { pack_id }, progress) {
    const pack = await packRow(ctx.db, pack_id)
    if (!pack) return null
    let found: Promise<Packed[]> | null = null
    const all = () => (found ??= packedOf(ctx, pack))
    await plan(ctx, pack, await all())
    for (;;) {
      const { rows } = await sql<{
        position: number
        kind: Kind
        of_id: number | null
        hash: string | null
        done: number
        items: number
      }>`
        select position, kind, of_id, hash, s.items, s.done from course_file_pack_items, (
          select count(*)::int as items, (count(*) filter (where crc is not null or missing))::int as done
          from course_file_pack_items where pack_id = ${pack_id}) s
        where pack_id = ${pack_id} and crc is null and not missing order by position limit ${AT_ONCE}`.execute(ctx.db)
      if (!rows.length) break
      await progress(Math.min(99, (100 * (rows[0]?.done ?? 0)) / Math.max(1, rows[0]?.items ?? 1)))
      for (const item of rows) {
        progress.signal.throwIfAborted()
        await makeItem(ctx, pack, item, all)
      }
    }
    const until = await finish(ctx, pack_id)
    const { rows } = await sql<{
      files: number
    }>`select count(*)::int as files from course_file_pack_items where pack_id = ${pack_id} and kind = 'file'`.execute(
      ctx.db,
    )
    return {
      id: pack_id,
      name: pack.name,
      url: `/api/courseFile/pack/${pack_id}/file`,
      files: firstRow(rows).files,
      until,
    }
  },
})

/** Says, in the pack itself, which contents the store did not have. */
const missingText = (paths: readonly string[]): Buffer =>
  Buffer.from(`\uFEFFNot in the file store / غير موجود في مخزن الملفات:\r\n${paths.join('\r\n')}\r\n`)

/** The ZIP of a pack that is made, read part by part from the store. */
async function zipOf(ctx: Ctx, id: number, at: Date): Promise<AsyncGenerator<Uint8Array>> {
  const { rows } = await sql<{ path: string; hash: string; size: number; crc: number }>`
    select path, hash, size, crc::float8 as crc from course_file_pack_items where pack_id = ${id} and not missing order by position`.execute(
    ctx.db,
  )
  const items: KnownItem[] = rows.map(({ path, hash, size, crc }) => ({
    path,
    size,
    crc,
    bytes: () => ctx.services.storage.get(hash),
  }))
  const { rows: lacking } = await sql<{ path: string }>`
    select path from course_file_pack_items where pack_id = ${id} and missing order by position`.execute(ctx.db)
  const missing = lacking.map(({ path }) => path)
  if (missing.length) {
    const text = missingText(missing)
    items.push({
      path: 'MISSING.txt',
      size: text.byteLength,
      crc: crc32(text),
      bytes: async () => Readable.from([text]),
    })
  }
  return knownZip(items, at)
}

export const packHandlers: readonly Handled[] = [
  handle(packCalls.makePack, async (ctx, { body }) => {
    const { rows } = await sql<{ program: boolean; from: string | null; until: string | null }>`
      select exists (select from programs where id = ${body.program_id} and removed_at is null) as program,
        (select start_date::text from years where id = ${body.from_year_id}) as "from", (select start_date::text from years where id = ${body.to_year_id}) as until`.execute(
      ctx.db,
    )
    const [known] = rows
    if (!known?.program) throw refuse(422, 'reference_missing', undefined, 'program_id')
    if (known.from === null) throw refuse(422, 'reference_missing', undefined, 'from_year_id')
    if (known.until === null) throw refuse(422, 'reference_missing', undefined, 'to_year_id')
    if (known.until < known.from) throw refuse(422, 'course_file_pack_years', undefined, 'to_year_id')
    // Whoever reaches nothing of it is told now.
    const all = await packedOf(ctx, body)
    if (!all.length) throw refuse(409, 'course_file_pack_nothing')
    const bytes = all
      .flatMap((one) => (AGREED.has(one.status) ? one.documents : []))
      .reduce((sum, one) => sum + one.size, 0)
    if (bytes > LARGEST)
      throw refuse(409, 'course_file_pack_large', { size: gigabytes(bytes), most: gigabytes(LARGEST) }, 'to_year_id')
    const job_id = await ctx.write(async (tx) => {
      // What nobody can fetch any more goes with the next one.
      await sql`delete from course_file_packs where until < now()`.execute(tx)
      const { rows: made } = await sql<{ id: number }>`
        insert into course_file_packs (program_id, from_year_id, to_year_id, lang, name, asked_by)
        select p.id, ${body.from_year_id}, ${body.to_year_id}, ${body.lang}, p.code || ' accreditation.zip', ${ctx.actor?.user_id ?? null}
        from programs p where p.id = ${body.program_id} returning id`.execute(tx)
      const { id: pack_id } = firstRow(made)
      return ctx.services.jobs.send(tx, packJob, { pack_id }, { actor: ctx.actor, lang: ctx.lang })
    })
    return { job_id }
  }),
  handle(packCalls.packs, async (ctx) => {
    const { rows } = await sql<{
      id: number
      name: string
      program: { id: number; name: string }
      from_year: { id: number; name: string }
      to_year: { id: number; name: string }
      asked_at: string
      items: number
      done: number
      until: string | null
      size: number | null
    }>`select t.id, t.name, ${ref('p')} as program, ${ref('a')} as from_year, ${ref('b')} as to_year, t.asked_at, i.items, i.done, t.until,
        case when t.until is not null then i.size end as size
      from course_file_packs t join programs p on p.id = t.program_id join years a on a.id = t.from_year_id join years b on b.id = t.to_year_id
        cross join lateral (select count(*)::int as items, (count(*) filter (where x.crc is not null or x.missing))::int as done, sum(x.size) as size
          from course_file_pack_items x where x.pack_id = t.id) i
      where t.asked_by = ${ctx.actor?.user_id ?? 0} and (t.until > now() or t.until is null and t.asked_at > now() - make_interval(days => ${MAKING_DAYS}))
      order by t.asked_at desc, t.id desc`.execute(ctx.db)
    return { data: rows }
  }),
  handle(packCalls.fetchPack, async (ctx, { params }) => {
    // Whoever asked for it may: not whoever is logged in as that person.
    const { rows } = await sql<{ name: string; asked_at: string; made: boolean; over: boolean }>`
      select name, asked_at, until is not null as made, coalesce(until <= now(), false) as over from course_file_packs
      where id = ${params.id} and asked_by = ${ctx.actor?.impersonator_id === null ? ctx.actor.user_id : 0}`.execute(
      ctx.db,
    )
    const [found] = rows
    if (!found) throw refuse(404, 'not_found')
    if (!found.made) throw refuse(409, 'course_file_pack_underway')
    if (found.over) throw refuse(409, 'course_file_pack_over', { days: PACK_DAYS })
    const content = Readable.from(await zipOf(ctx, params.id, new Date(found.asked_at)), { objectMode: false })
    return { name: safeFileName(found.name), type: 'zip', content }
  }),
]
