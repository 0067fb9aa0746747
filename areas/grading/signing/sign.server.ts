/** Signing grade sheets: each approval, and whatever is lawfully changed afterwards, is a link of one chain. */
import type { Db, Tx } from '#db/connect.ts'
import { sealOf, type Seal } from '#kit/server/sealed.ts'
import type { Unit } from '#kit/server/unit.ts'
import { sql } from 'kysely'
import {
  LINK,
  SHEET_ROW,
  SHEET_SCHEME,
  SIGNED,
  canonical,
  linkHash,
  rowHash,
  sheetHash,
  type LinkBody,
  type SheetRow,
} from './sheet.server.ts'

/** The key of the seal, among the secrets of the university. */
export const SEAL = 'grade-links'

/** Registrations of the offerings that one statement reads. */
const PORTION = 20_000

/** Who signs, and why. */
export interface Signer {
  /** On which authority a sheet was changed that is signed already. */
  readonly cause: string
  readonly actor_id: number | null
  readonly impersonator_id: number | null
  readonly reason: string | null
  /** null: before the program runs. */
  readonly seal: Pick<Seal, 'digest'> | null
}

/** A chain has one end: whoever adds to it waits for whoever does. Taken last in a transaction, it is held for moments. */
export const lockChain = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('grade links'))`.execute(tx)

interface Standing {
  id: number
  signed: boolean
  scheme: unknown
  /** The last link says it is signed. */
  was: boolean
  known: string | null
  rows: SheetRow[] | null
  before: [registration_id: number, hash: string][] | null
}

/** What stands, and what was signed last, of each offering. */
const standing = async (tx: Tx, ids: readonly number[]): Promise<Standing[]> =>
  (
    await sql<Standing>`
      select o.id, o.control_status = any(${[...SIGNED]}) as signed, ${sql.raw(SHEET_SCHEME)} as scheme,
        coalesce(l.cause <> 'undo', false) as was, l.scheme as known,
        case when o.control_status = any(${[...SIGNED]}) then (
          select json_agg(${sql.raw(SHEET_ROW)}) from registrations r where r.offering_id = o.id) end as rows,
        (select json_agg(json_build_array(x.registration_id, x.hash)) from (
          select distinct on (w.registration_id) w.registration_id, w.hash, w.content from grade_link_rows w
          where w.offering_id = o.id order by w.registration_id, w.number desc) x where x.content is not null) as before
      from offerings o
        left join lateral (select cause, scheme from grade_links where offering_id = o.id order by number desc limit 1) l on true
      where o.id = any(${[...ids]}::int[]) order by o.id`.execute(tx)
  ).rows

/**
 * Brings the chain up to what stands: signs sheets that are approved, says of those that no longer are that they are not,
 * and signs again what has changed since. Nothing is added where nothing changed.
 * @returns how many links were added
 */
export async function signSheets(
  tx: Tx,
  offering_ids: readonly number[],
  signer: Signer,
  /** Also where nothing changed: the link then holds what stands before it. */
  anyhow = false,
): Promise<number> {
  if (!offering_ids.length) return 0
  await lockChain(tx)
  const { rows: last } = await sql<{ number: number; hash: string }>`
    select number::float8 as number, hash from grade_links order by number desc limit 1`.execute(tx)
  let number = last[0]?.number ?? 0
  let previous = last[0]?.hash ?? null
  const { rows: sizes } = await sql<{ id: number; n: number }>`
    select o.id, (select count(*)::int from registrations r where r.offering_id = o.id) as n from offerings o
    where o.id = any(${[...new Set(offering_ids)]}::int[]) order by o.id`.execute(tx)
  const at = new Date().toISOString()
  let added = 0
  for (let from = 0; from < sizes.length;) {
    let until = from
    for (let n = 0; until < sizes.length && (until === from || n + sizes[until]!.n <= PORTION); until++)
      n += sizes[until]!.n
    const links: (LinkBody & { hash: string; seal: string | null })[] = []
    const changed: {
      number: number
      offering_id: number
      registration_id: number
      content: string | null
      hash: string
    }[] = []
    for (const one of await standing(
      tx,
      sizes.slice(from, until).map(({ id }) => id),
    )) {
      if (!one.signed && !one.was) continue
      const scheme = canonical(one.scheme)
      const before = new Map(one.before ?? [])
      const now = new Map((one.rows ?? []).map((row) => [row[0], canonical(row)]))
      const hashes = new Map([...now].map(([id, content]) => [id, rowHash(id, content)]))
      const differ = one.signed
        ? [
            ...[...hashes].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id),
            ...[...before.keys()].filter((id) => !hashes.has(id)),
          ]
        : []
      if (!anyhow && one.signed && one.was && !differ.length && scheme === one.known) continue
      number++
      const body: LinkBody = {
        number,
        offering_id: one.id,
        cause: !one.signed ? 'undo' : one.was || signer.cause !== 'step' ? signer.cause : 'approve',
        actor_id: signer.actor_id,
        impersonator_id: signer.impersonator_id,
        reason: signer.reason,
        at,
        scheme,
        students: one.signed ? now.size : null,
        sheet_hash: one.signed ? sheetHash(hashes) : null,
        previous,
      }
      previous = linkHash(body)
      links.push({ ...body, hash: previous, seal: signer.seal?.digest(previous).toString('hex') ?? null })
      for (const id of differ) {
        const content = now.get(id) ?? null
        changed.push({ number, offering_id: one.id, registration_id: id, content, hash: rowHash(id, content) })
      }
    }
    if (links.length)
      await sql`insert into grade_links (number, offering_id, cause, actor_id, impersonator_id, reason, at, scheme, students,
          sheet_hash, previous, hash, seal)
        select number, offering_id, cause, actor_id, impersonator_id, reason, at, scheme, students, sheet_hash, previous, hash, seal
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as n (number bigint, offering_id int, cause text, actor_id int,
          impersonator_id int, reason text, at timestamptz, scheme text, students int, sheet_hash text, previous text, hash text,
          seal text) order by number`.execute(tx)
    if (changed.length)
      await sql`insert into grade_link_rows (number, offering_id, registration_id, content, hash)
        select number, offering_id, registration_id, content, hash from json_to_recordset(${JSON.stringify(changed)}::json)
          as n (number bigint, offering_id int, registration_id int, content text, hash text)`.execute(tx)
    added += links.length
    from = until
  }
  return added
}

/** Signs again, before a unit of work commits, the signed sheets that it has changed; its triggers have noted which. */
export async function signChanged({ tx, client, services, who }: Unit, cause: string): Promise<void> {
  const { rows } = await sql<{ ids: string | null }>`select current_setting('ems.unsigned', true) as ids`.execute(tx)
  const ids = (rows[0]?.ids ?? '').split(',').filter(Boolean).map(Number)
  if (!ids.length) return
  await signSheets(tx, ids, {
    cause,
    actor_id: who.actor_id,
    impersonator_id: who.impersonator_id,
    reason: who.reason,
    // The key is there since the table is; by this connection nobody waits for another one.
    seal: await sealOf({ pool: client, config: services.config }, SEAL),
  })
}

/** Of a unit of work whose step approved offerings, or took them back: their sheets are looked at before it commits. */
export const noteForSigning = (tx: Tx, offering_ids: readonly number[]) =>
  sql`select note_unsigned(${offering_ids.join(',') || null})`.execute(tx)

/** Every sheet that is approved and not in the chain: of a university that was loaded, or begins to sign. */
export async function signWhatIsNot(tx: Tx, signer: Signer): Promise<number> {
  const { rows } = await sql<{ id: number }>`select o.id from offerings o where o.control_status = any(${[...SIGNED]})
    and coalesce((select l.cause from grade_links l where l.offering_id = o.id order by l.number desc limit 1), 'undo') = 'undo'
    order by o.id`.execute(tx)
  return signSheets(
    tx,
    rows.map((row) => row.id),
    signer,
  )
}

/** The signature under the sheet of an offering, as it is printed; null: it is not signed. */
export async function signatureOf(db: Db | Tx, offering_id: number): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`select number || ':' || hash as text from (
      select number, hash, cause from grade_links where offering_id = ${offering_id} order by number desc limit 1) l
    where cause <> 'undo'`.execute(db)
  return rows[0]?.text ?? null
}

/** The end of the chain, to be noted elsewhere; null: nothing is signed yet. */
export async function headOfChain(db: Db | Tx): Promise<{ number: number; hash: string; at: string } | null> {
  const { rows } = await sql<{ number: number; hash: string; at: string }>`
    select number, hash, at from (select ${sql.raw(LINK)} from grade_links l order by l.number desc limit 1) x`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Whether the chain ends in a link that was sealed with another key. */
export async function endsOtherwise(db: Db | Tx, seal: Pick<Seal, 'digest'>): Promise<boolean> {
  const { rows } = await sql<{ hash: string; seal: string | null }>`
    select hash, seal from grade_links order by number desc limit 1`.execute(db)
  const [last] = rows
  return last !== undefined && last.seal !== null && last.seal !== seal.digest(last.hash).toString('hex')
}

/**
 * Holds the chain by the present key, where it ends otherwise: a sheet is signed once more as it stands, and what was signed
 * before follows from that link. Look first whether everything is as it was signed.
 *
 * @returns whether it was needed
 */
export async function sealEnd(tx: Tx, signer: Signer & { readonly seal: Pick<Seal, 'digest'> }): Promise<boolean> {
  await lockChain(tx)
  if (!(await endsOtherwise(tx, signer.seal))) return false
  const { rows } = await sql<{ offering_id: number }>`
    select l.offering_id from grade_links l join offerings o on o.id = l.offering_id
    where o.control_status = any(${[...SIGNED]}) and l.cause <> 'undo' order by l.number desc limit 1`.execute(tx)
  const ids = rows.map((row) => row.offering_id)
  return (await signSheets(tx, ids, signer, true)) > 0
}
