import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { fill } from '#kit/contract/index.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { BUNDLE_KINDS } from './bundle/bundle.rules.ts'
import type { Correction } from './bundle/bundle.rules.ts'
import { bundleManifest, readBundle } from './bundle/bundle.server.ts'
import type { BundleTask, ReadBundle } from './bundle/bundle.server.ts'
import { BUNDLE_ERRORS, BUNDLE_NOTES, LEFT_REASONS } from './bundle/texts.rules.ts'
import {
  checkOneRoster,
  correctOneRoster,
  importCheckedOneRoster,
  importOneRoster,
  oneRosterArea,
} from './oneroster.contract.ts'
import { lastBundle } from './store/last.server.ts'
import { importBundle, planImport } from './store/import.server.ts'
import type { ImportDifference } from './store/import.server.ts'
import { refuseBundle } from './store/staging.server.ts'

const TEXTS: Readonly<Record<string, readonly [string, string]>> = {
  ...BUNDLE_ERRORS,
  ...BUNDLE_NOTES,
  ...LEFT_REASONS,
}
/** A code with its texts. */
const say = (code: string, data?: Readonly<Record<string, unknown>>) => {
  const [en, ar] = TEXTS[code]!
  return { code, en: fill(en, data), ar: fill(ar, data), ...(data && { data: { ...data } }) }
}

const told = ({ other_sources, counts, changes, removals, operation_id }: ImportDifference) => ({
  operation_id,
  other_sources: [...other_sources],
  counts,
  changes: changes.map((change) => ({ ...change, reason: change.reason && say(change.reason) })),
  removals,
})

/** What a check keeps, until the import or an hour later. */
interface Kept {
  readonly hash: string
  readonly corrections: readonly Correction[]
}
const RESOURCE = 'oneroster'
/** For so long a bundle that was handed in is there for its import. */
const KEPT_DAYS = 7
const mine = (ctx: Ctx) => ctx.actor?.user_id ?? null

async function keepCheck(ctx: Ctx, id: string, kept: Kept): Promise<void> {
  await sql`insert into import_previews (id, resource, payload, created_by)
    values (${id}, ${RESOURCE}, ${JSON.stringify(kept)}::jsonb, ${mine(ctx)})
    on conflict (id) do update set payload = excluded.payload, created_at = now()`.execute(ctx.db)
}
async function keptCheck(ctx: Ctx, id: string): Promise<Kept> {
  const { rows } = await sql<{ payload: Kept }>`select payload from import_previews
    where id = ${id}::uuid and resource = ${RESOURCE} and created_by is not distinct from ${mine(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(409, 'roster_check_over')
  return rows[0].payload
}
const stored = async (ctx: Ctx, hash: string): Promise<Buffer> => buffer(await ctx.services.storage.get(hash))

/** Reads a bundle; a delta over the last import from its system. */
async function readOver(ctx: Ctx, task: BundleTask): Promise<ReadBundle> {
  const { source, delta } = bundleManifest(task)
  return readBundle({ ...task, last: delta ? ((await lastBundle(ctx.db, source)) ?? undefined) : undefined })
}

/** Reads, checks and compares a bundle. */
async function check(ctx: Ctx, import_id: string, zip: Uint8Array, corrections: readonly Correction[]) {
  const read = await readOver(ctx, { zip, corrections })
  const difference = read.rows && (await planImport(ctx, read.source, read.rows))
  const errors = [...read.errors, ...(difference?.errors ?? [])]
  return {
    data: {
      import_id,
      source: read.source,
      counts: countsOf(read),
      errors: errors.map(({ code, data, ...place }) => ({ ...place, ...say(code, data) })),
      error_count: read.error_count + (difference?.errors.length ?? 0),
      notes: read.notes.map(({ code, data, ...place }) => ({ ...place, ...say(code, data) })),
      note_count: read.note_count,
      difference: difference && told(difference),
    },
  }
}

/** Rows of a bundle by kind. */
export const countsOf = ({ rows }: ReadBundle): Record<string, number> =>
  rows ? Object.fromEntries(BUNDLE_KINDS.map((kind) => [kind, rows[kind].count])) : {}

const importJob = defineJob<Kept & { removals?: number | null }, ReturnType<typeof told> & { source: string }>({
  name: 'oneroster-import',
  run: async (ctx, { hash, corrections, removals = null }, progress) => {
    const zip = await stored(ctx, hash)
    const { source, rows, errors, error_count, kept } = await readOver(ctx, { zip, corrections, keep: true })
    if (!rows) throw refuseBundle(errors, error_count)
    await progress(5)
    return { source, ...told(await importBundle(ctx, source, rows, { removals, kept }, progress)) }
  },
})
const send = (ctx: Ctx, payload: Kept & { removals?: number | null }) =>
  ctx.write((tx) => ctx.services.jobs.send(tx, importJob, payload, { actor: ctx.actor, lang: ctx.lang }))

export const oneRosterServer = defineAreaServer({
  area: oneRosterArea,
  handlers: [
    handle(checkOneRoster, async (ctx, { file }) => {
      const id = randomUUID()
      const answer = await check(ctx, id, file!.content, [])
      const { hash } = await ctx.services.files.lend(file!.content, KEPT_DAYS)
      await keepCheck(ctx, id, { hash, corrections: [] })
      return answer
    }),
    handle(correctOneRoster, async (ctx, { params: { id }, body: { corrections } }) => {
      const { hash } = await keptCheck(ctx, id)
      await keepCheck(ctx, id, { hash, corrections })
      return check(ctx, id, await stored(ctx, hash), corrections)
    }),
    handle(importOneRoster, async (ctx, { file }) => {
      const { rows, errors, error_count } = await readOver(ctx, { zip: file!.content, check: true })
      if (!rows) throw refuseBundle(errors, error_count)
      const { hash } = await ctx.services.files.lend(file!.content, KEPT_DAYS)
      return { job_id: await send(ctx, { hash, corrections: [] }) }
    }),
    handle(importCheckedOneRoster, async (ctx, { params: { id }, body: { removals = null } }) => {
      const kept = await keptCheck(ctx, id)
      return { job_id: await send(ctx, { ...kept, removals }) }
    }),
  ],
  jobs: [importJob],
})
