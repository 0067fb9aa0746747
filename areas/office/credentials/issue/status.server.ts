import { gzipSync } from 'node:zlib'
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { LEAST_BITS } from '../verify/status.server.ts'
import type { JsonObject } from '../verify/values.rules.ts'
import { didOf } from './credential.rules.ts'
import { signedByUniversity } from './keys.server.ts'

/** Papers of one list at most: where more places are taken a free one is hard to hit by chance. */
const PAPERS_OF_LIST = LEAST_BITS / 2

/** The place of a paper in a list; it is given one by chance when it is asked for first. */
export async function statusPlace(ctx: Ctx, tx: Tx, paper: number): Promise<{ list: number; position: number }> {
  for (let trial = 0; trial < 100; trial++) {
    const { rows } = await sql<{ list: number; position: number }>`
      with given as (insert into paper_credentials (paper_id, list, position, created_by)
        values (${paper}, ${1 + Math.floor(paper / PAPERS_OF_LIST)}, ${randomInt(LEAST_BITS)}, ${ctx.actor?.user_id ?? null})
        on conflict do nothing returning list, position)
      select list, position from given union all select list, position from paper_credentials where paper_id = ${paper}`.execute(
      tx,
    )
    if (rows[0]) return rows[0]
  }
  throw new Error('No free place in the list of credentials was found')
}

/** Milliseconds for which a list is taken from memory, and for which others may keep it: together less than a minute. */
const KEPT = 20_000
export const LIST_MAX_AGE = 30
const lists = new WeakMap<object, Map<number, { at: number; list: Promise<JsonObject | null> }>>()

/** A list as it is published; null: there is none of that number. */
export function statusList(ctx: Ctx, number: number): Promise<JsonObject | null> {
  const of = ctx.services
  const known = lists.get(of) ?? new Map<number, { at: number; list: Promise<JsonObject | null> }>()
  lists.set(of, known)
  const found = known.get(number)
  if (found && Date.now() - found.at < KEPT) return found.list
  const list = makeList(ctx, number)
  // Numbers that are guessed fill no memory.
  list.then((made) => made ?? known.delete(number)).catch(() => known.delete(number))
  known.set(number, { at: Date.now(), list })
  return list
}

async function makeList(ctx: Ctx, number: number): Promise<JsonObject | null> {
  const { rows } = await sql<{ positions: number[] | null; first: boolean }>`
    select array_agg(c.position) filter (where p.revoked_at is not null) as positions, count(*) > 0 as first
    from paper_credentials c join papers p on p.id = c.paper_id where c.list = ${number}`.execute(ctx.db)
  // The first is there before the first credential is, so that its address can be tried.
  if (!rows[0]?.first && number !== 1) return null
  const bits = Buffer.alloc(LEAST_BITS / 8)
  for (const position of rows[0]?.positions ?? []) bits[position >> 3]! |= 0x80 >> (position & 7)
  const { publicUrl } = ctx.services.config
  const id = `${publicUrl}/api/credential-lists/${number}`
  const now = new Date()
  const { name } = await universityHead(ctx)
  return signedByUniversity(
    ctx,
    {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: { id: didOf(publicUrl), name },
      validFrom: `${now.toISOString().slice(0, 19)}Z`,
      credentialSubject: {
        id: `${id}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: `u${gzipSync(bits).toString('base64url')}`,
      },
    },
    now,
  )
}
