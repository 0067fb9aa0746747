/** Signing grade sheets: each approval, and whatever is lawfully changed afterwards, is a link of one chain. */
import type { Db, Tx } from '#db/connect.ts'
import { sealOf, type Seal } from '#kit/server/identity/sealed.ts'
import { beforeCommit, type Unit } from '#kit/server/unit/unit.ts'
import { sql } from 'kysely'
import {
  SIGNED_KINDS,
  changedRecords,
  newHistory,
  recordsHash,
  unsealedKeys,
  type SignedKind,
  type SealedRecord,
} from './records.server.ts'
import {
  LINK,
  SHEET_ROW,
  SHEET_SCHEME,
  SIGNED_SHEET,
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
/** Offerings whose histories one link seals. */
const HISTORIES = 500

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
      select o.id, o.control_status = any(${[...SIGNED_SHEET]}) as signed, ${sql.raw(SHEET_SCHEME)} as scheme,
        coalesce(l.cause <> 'undo', false) as was, l.scheme as known,
        case when o.control_status = any(${[...SIGNED_SHEET]}) then (
          select json_agg(${sql.raw(SHEET_ROW)}) from registrations r where r.offering_id = o.id) end as rows,
        (select json_agg(json_build_array(x.registration_id, x.hash)) from (
          select distinct on (w.registration_id) w.registration_id, w.hash, w.content from grade_link_rows w
          where w.offering_id = o.id order by w.registration_id, w.number desc) x where x.content is not null) as before
      from offerings o
        left join lateral (select cause, scheme from grade_links where offering_id = o.id order by number desc limit 1) l on true
      where o.id = any(${[...ids]}::int[]) order by o.id`.execute(tx)
  ).rows

type Link = LinkBody & { readonly hash: string; readonly seal: string | null }
interface LinkRow {
  readonly number: number
  readonly offering_id: number
  readonly registration_id: number
  readonly content: string | null
  readonly hash: string
}

/** Links that are added to the end of the chain, which whoever makes this holds. */
class Chain {
  readonly tx: Tx
  readonly signer: Signer
  private readonly at = new Date().toISOString()
  private number = 0
  private previous: string | null = null
  private links: Link[] = []
  private rows: LinkRow[] = []
  private records: (SealedRecord & { number: number })[] = []
  added = 0

  private constructor(tx: Tx, signer: Signer) {
    this.tx = tx
    this.signer = signer
  }
  static async end(tx: Tx, signer: Signer): Promise<Chain> {
    await lockChain(tx)
    const chain = new Chain(tx, signer)
    const { rows } = await sql<{ number: number; hash: string }>`
      select number::float8 as number, hash from grade_links order by number desc limit 1`.execute(tx)
    chain.number = rows[0]?.number ?? 0
    chain.previous = rows[0]?.hash ?? null
    return chain
  }

  add(
    link: Pick<LinkBody, 'offering_id' | 'cause' | 'scheme' | 'students' | 'sheet_hash'>,
    rows: readonly Omit<LinkRow, 'number' | 'offering_id'>[],
    records: readonly SealedRecord[],
  ): void {
    const { actor_id, impersonator_id, reason, seal } = this.signer
    const number = ++this.number
    const body: LinkBody = {
      number,
      ...link,
      actor_id,
      impersonator_id,
      reason,
      at: this.at,
      previous: this.previous,
      records_hash: records.length ? recordsHash(records) : null,
    }
    this.previous = linkHash(body)
    this.links.push({ ...body, hash: this.previous, seal: seal?.digest(this.previous).toString('hex') ?? null })
    if (link.offering_id !== null)
      for (const row of rows) this.rows.push({ number, offering_id: link.offering_id, ...row })
    for (const record of records) this.records.push({ number, ...record })
  }

  async store(): Promise<void> {
    const { tx, links, rows, records } = this
    if (links.length)
      await sql`insert into grade_links (number, offering_id, cause, actor_id, impersonator_id, reason, at, scheme, students,
          sheet_hash, previous, records_hash, hash, seal)
        select number, offering_id, cause, actor_id, impersonator_id, reason, at, scheme, students, sheet_hash, previous, records_hash,
          hash, seal
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as n (number bigint, offering_id int, cause text, actor_id int,
          impersonator_id int, reason text, at timestamptz, scheme text, students int, sheet_hash text, previous text,
          records_hash text, hash text, seal text) order by number`.execute(tx)
    if (rows.length)
      await sql`insert into grade_link_rows (number, offering_id, registration_id, content, hash)
        select number, offering_id, registration_id, content, hash from json_to_recordset(${JSON.stringify(rows)}::json)
          as n (number bigint, offering_id int, registration_id int, content text, hash text)`.execute(tx)
    if (records.length)
      await sql`insert into grade_link_records (number, kind, key, content, hash)
        select number, kind, key, content, hash from json_to_recordset(${JSON.stringify(records)}::json)
          as n (number bigint, kind text, key text, content text, hash text)`.execute(tx)
    this.added += links.length
    this.links = []
    this.rows = []
    this.records = []
  }
}

/**
 * Brings the chain up to what stands: signs sheets that are approved, says of those that no longer are that they are not,
 * and signs again what has changed since. Nothing is added where nothing changed. With a sheet its offering is sealed, the
 * words of its course, and the history of its registrations.
 *
 * @param touched of sheets that are signed already, the registrations that the signer has changed: what differs beside them was
 *   changed past the program, and stays to be found. null: whatever differs
 * @returns how many links were added
 */
export async function signSheets(
  tx: Tx,
  offering_ids: readonly number[],
  signer: Signer,
  /** Also where nothing changed: the link then holds what stands before it. */
  anyhow = false,
  touched: ReadonlySet<number> | null = null,
): Promise<number> {
  if (!offering_ids.length) return 0
  const chain = await Chain.end(tx, signer)
  const { rows: sizes } = await sql<{ id: number; n: number }>`
    select o.id, (select count(*)::int from registrations r where r.offering_id = o.id) as n from offerings o
    where o.id = any(${[...new Set(offering_ids)]}::int[]) order by o.id`.execute(tx)
  for (let from = 0; from < sizes.length;) {
    let until = from
    for (let n = 0; until < sizes.length && (until === from || n + sizes[until]!.n <= PORTION); until++)
      n += sizes[until]!.n
    const sheets = await standing(
      tx,
      sizes.slice(from, until).map(({ id }) => id),
    )
    const beside = Map.groupBy(
      [
        ...(await changedRecords(
          tx,
          'offering',
          sheets.filter((one) => one.signed !== one.was).map((one) => String(one.id)),
        )),
        ...(await newHistory(
          tx,
          sheets.filter((one) => one.signed).map((one) => one.id),
        )),
      ],
      (record) => record.key,
    )
    for (const one of sheets) {
      if (!one.signed && !one.was) continue
      const records = beside.get(String(one.id)) ?? []
      const again = one.signed && one.was
      // The scheme of a signed sheet stays: what stands instead was changed past the program.
      const scheme = again && touched && one.known !== null ? one.known : canonical(one.scheme)
      const before = new Map(one.before ?? [])
      const now = new Map((one.rows ?? []).map((row) => [row[0], canonical(row)]))
      const hashes = new Map([...now].map(([id, content]) => [id, rowHash(id, content)]))
      const differ = one.signed
        ? [
            ...[...hashes].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id),
            ...[...before.keys()].filter((id) => !hashes.has(id)),
          ].filter((id) => !again || !touched || touched.has(id))
        : []
      if (!anyhow && again && !differ.length && scheme === one.known && !records.length) continue
      const sheet = again ? new Map(before) : hashes
      if (again)
        for (const id of differ) {
          const hash = hashes.get(id)
          if (hash === undefined) sheet.delete(id)
          else sheet.set(id, hash)
        }
      chain.add(
        {
          offering_id: one.id,
          cause: !one.signed ? 'undo' : one.was || signer.cause !== 'step' ? signer.cause : 'approve',
          scheme,
          students: one.signed ? sheet.size : null,
          sheet_hash: one.signed ? sheetHash(sheet) : null,
        },
        differ.map((id) => {
          const content = now.get(id) ?? null
          return { registration_id: id, content, hash: rowHash(id, content) }
        }),
        records,
      )
    }
    await chain.store()
    from = until
  }
  return chain.added
}

/** Seals records as they stand now, where that differs from how they were sealed. @returns how many records */
async function sealRecords(tx: Tx, keys: ReadonlyMap<SignedKind, readonly string[]>, signer: Signer): Promise<number> {
  const chain = await Chain.end(tx, signer)
  let count = 0
  for (const [kind, all] of keys)
    for (let from = 0; from < all.length; from += PORTION) {
      const records = await changedRecords(tx, kind, all.slice(from, from + PORTION))
      if (!records.length) continue
      count += records.length
      chain.add({ offering_id: null, cause: signer.cause, scheme: '', students: null, sheet_hash: null }, [], records)
      await chain.store()
    }
  return count
}

/** What the transaction has noted under a name, in parts. */
const noted = (text: string | null | undefined): string[] => [...new Set((text ?? '').split(',').filter(Boolean))]

/**
 * Signs again, before a unit of work commits, the signed sheets that it has changed, and seals the records: its triggers have
 * noted which.
 */
export async function signChanged({ tx, client, services, who }: Unit, cause: string): Promise<void> {
  const { rows } = await sql<{ sheets: string | null; touched: string | null; records: string | null }>`
    select current_setting('ems.unsigned', true) as sheets, current_setting('ems.touched', true) as touched,
      current_setting('ems.unsealed', true) as records`.execute(tx)
  const ids = noted(rows[0]?.sheets).map(Number)
  const records = noted(rows[0]?.records).map((one) => one.split(':') as [SignedKind, string])
  if (!ids.length && !records.length) return
  const signer: Signer = {
    cause,
    actor_id: who.actor_id,
    impersonator_id: who.impersonator_id,
    reason: who.reason,
    // The key is there since the table is; by this connection nobody waits for another one.
    seal: await sealOf({ pool: client, config: services.config }, SEAL),
  }
  if (ids.length) await signSheets(tx, ids, signer, false, new Set(noted(rows[0]?.touched).map(Number)))
  if (records.length)
    await sealRecords(
      tx,
      new Map([...Map.groupBy(records, ([kind]) => kind)].map(([kind, some]) => [kind, some.map(([, key]) => key)])),
      signer,
    )
}

/**
 * Whoever changes rows of finished terms, credited courses, grace marks or applied results of levels says so: before the unit of
 * work commits they are sealed as they stand then. What nobody said is found by the verification.
 */
export const sealsRecords = (tx: Tx): void =>
  beforeCommit(tx, 'grade sheets', (unit) => signChanged(unit, 'step'), { unless: true })

/** Of a unit of work whose step approved offerings, or took them back: their sheets are looked at before it commits. */
export const noteForSigning = (tx: Tx, offering_ids: readonly number[]) =>
  sql`select note_unsigned(${offering_ids.join(',') || null})`.execute(tx)

/**
 * Every sheet that is approved and not in the chain, and every record that is not sealed: of a university that was loaded, or
 * begins to sign. What is signed already is not signed anew.
 */
export async function signWhatIsNot(tx: Tx, signer: Signer): Promise<{ sheets: number; records: number }> {
  const { rows } = await sql<{
    id: number
  }>`select o.id from offerings o where o.control_status = any(${[...SIGNED_SHEET]})
    and coalesce((select l.cause from grade_links l where l.offering_id = o.id order by l.number desc limit 1), 'undo') = 'undo'
    order by o.id`.execute(tx)
  const sheets = await signSheets(
    tx,
    rows.map((row) => row.id),
    signer,
  )
  let records = 0
  for (const kind of SIGNED_KINDS)
    records += await sealRecords(tx, new Map([[kind, await unsealedKeys(tx, kind)]]), signer)
  return { sheets, records: records + (await sealHistories(tx, signer)) }
}

/** Histories of signed sheets of which no row was ever sealed. */
async function sealHistories(tx: Tx, signer: Signer): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select o.id from offerings o where o.control_status = any(${[...SIGNED_SHEET]})
    and not exists (select from grade_link_records g where g.kind = 'history' and g.key = o.id::text)
    and exists (select from registration_history h where h.offering_id = o.id) order by o.id`.execute(tx)
  const chain = await Chain.end(tx, signer)
  let count = 0
  for (let from = 0; from < rows.length; from += HISTORIES) {
    const records = await newHistory(
      tx,
      rows.slice(from, from + HISTORIES).map((row) => row.id),
    )
    count += records.length
    chain.add({ offering_id: null, cause: signer.cause, scheme: '', students: null, sheet_hash: null }, [], records)
    await chain.store()
  }
  return count
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
    where o.control_status = any(${[...SIGNED_SHEET]}) and l.cause <> 'undo' order by l.number desc limit 1`.execute(tx)
  const ids = rows.map((row) => row.offering_id)
  return (await signSheets(tx, ids, signer, true, new Set())) > 0
}
