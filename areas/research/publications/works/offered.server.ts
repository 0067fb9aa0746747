/** What other areas ask about publications. */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import type { PublicationKind, PublicationLanguage } from './words.contract.ts'
import { QUARTILE } from './publication.server.ts'

export interface OfferedPublication {
  readonly id: number
  readonly user_id: number
  readonly kind: PublicationKind
  readonly language: PublicationLanguage
  readonly title: string
  readonly title_local: string | null
  readonly year: number
  readonly doi: string | null
  /** 1 to 4, of the journal in the list of the nearest year; null: no list has it. */
  readonly quartile: number | null
  /** Place among its members. */
  readonly position: number
}

/**
 * Listed publications of people, the newest first: a condition of a degree (`at least one article in a journal of the upper
 * half`) counts these. A draft counts for nobody.
 *
 * @public
 * @param of.since the earliest year that counts
 */
export async function publicationsOf(
  db: Db | Tx,
  users: readonly number[],
  of: { readonly since?: number; readonly kinds?: readonly PublicationKind[]; readonly quartile?: number } = {},
): Promise<OfferedPublication[]> {
  const { rows } = await sql<OfferedPublication>`
    select * from (select t.id, m.user_id, t.kind, t.language, coalesce(t.title, t.title_local) as title, t.title_local, t.year, t.doi,
      ${sql.raw(QUARTILE)} as quartile, m.position
      from publication_members m join publications t on t.id = m.publication_id
      where m.user_id = any(${[...users]}::int[]) and t.status = 'listed' and t.removed_at is null
        and (${of.since ?? null}::int is null or t.year >= ${of.since ?? null}::int)
        and (${of.kinds ? [...of.kinds] : null}::text[] is null or t.kind = any(${of.kinds ? [...of.kinds] : null}::text[]))) x
    where ${of.quartile ?? null}::int is null or x.quartile <= ${of.quartile ?? null}::int
    order by x.year desc, x.id desc`.execute(db)
  return rows
}

/** Whether any two of several people stood on one work since a year: who wrote with somebody does not judge the person. @public */
export async function wroteTogether(
  db: Db | Tx,
  users: readonly number[],
  since: number,
): Promise<{ first_id: number; second_id: number; id: number; title: string; year: number | null }[]> {
  const { rows } = await sql<{ first_id: number; second_id: number; id: number; title: string; year: number | null }>`
    select distinct on (a.user_id, b.user_id) a.user_id as first_id, b.user_id as second_id, t.id,
      coalesce(t.title, t.title_local) as title, t.year
    from publication_members a join publication_members b on b.publication_id = a.publication_id and b.user_id > a.user_id
      join publications t on t.id = a.publication_id
    where a.user_id = any(${[...users]}::int[]) and b.user_id = any(${[...users]}::int[]) and t.removed_at is null and t.year >= ${since}
    order by a.user_id, b.user_id, t.year desc, t.id desc`.execute(db)
  return rows
}
