import { keepBasis, type StoodOn } from '../workflow/basis-registry.ts'
import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { codeWritten, paperCalls } from '#kit/contract/papers.ts'
import type { Disclosure, PaperKind, PaperKinds, PaperRow, Papers } from '#kit/contract/papers.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Access, Area, Label, PaperLanguage, Series } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { fileName } from '../base/file-name.ts'
import { handle } from '../base/context.ts'
import type { Ctx, FileResult, Handled } from '../base/context.ts'
import { PdfError, renderPdf } from '../documents/index.ts'
import type { PdfAttachment, PdfRequest } from '../documents/index.ts'
import { asks } from '../base/hears.ts'
import { Refusal, refuse, toProblem } from '../base/errors.ts'
import { qrImage } from './qr.ts'
import { paperKeyOf } from './signing/key.ts'
import type { SignedLine } from './signed.ts'
import { signPdf } from './signing/pades.ts'
import { takeSerial } from '../unit/serials.ts'

/** Both names of something. */
export interface Names {
  readonly name: string
  readonly name_local: string
}

/** What a paper carries by which it is known: templates print it by `proof(..)` of `paper.typ`. */
export interface PaperProof {
  readonly serial: string
  /** Name of the image with the QR code, passed with the data. */
  readonly qr: string
  /** The code in letters, for who cannot scan. */
  readonly code: string
}

/** A paper before it has its number. */
export interface PreparedPaper<Fact extends string = string> {
  readonly holder: Names
  /** What it is called, where its kind is one of many things. */
  readonly title?: Names
  /** Values of the declared facts; those without value are left out. */
  readonly facts: Readonly<Partial<Record<Fact, Names | string | null>>>
  /** The last day of the university on which it may be relied on; for ever unless told. */
  readonly valid_until?: string | null
  /** The paper in whose place it is issued: that one is replaced, and says so. */
  readonly replaces?: number
  /** What it stands on: a change of it is shown with the paper. The area declares the decision (`paperBasis`). */
  readonly stood?: readonly StoodOn[]
  /** The document. `proof` belongs on it; `issued` is the moment, and the day of the university. */
  compose(proof: PaperProof, issued: { at: Date; on: string }): PdfRequest
}

/** Gathers what a paper of each kind says; refuses when it cannot be issued as things are. */
export type Preparing<P extends PaperKinds> = {
  readonly [K in keyof P['kinds']]: (
    ctx: Ctx,
    id: number,
    lang: PaperLanguage,
    /** Who signed it on a way of another area; nobody where it is issued at once. */
    signed: readonly SignedLine[],
  ) => Promise<PreparedPaper<keyof P['kinds'][K]['facts'] & string>>
}
/** How papers about one kind of record are prepared, and who reaches the record. */
export interface PaperSource<P extends Papers> {
  /** Table of the records; scopes speak of it as `t`. */
  readonly table: string
  readonly scope: (ctx: Ctx, access: Access) => RawBuilder<unknown>
  readonly kinds: Preparing<P>
}

/** Kinds of paper that are declared, by name, with the area whose texts name them. */
const declared = new Map<string, { kind: PaperKind; area: string }>()

/** Makes the papers of an area known. @throws {Error} when two areas name a kind alike, or facts do not fit */
export function registerPapers({ name, papers }: Area): void {
  for (const one of papers) {
    for (const [key, kind] of Object.entries(one.kinds)) {
      const known = declared.get(key)
      if (known && known.kind !== kind) throw new Error(`Two kinds of paper are named '${key}'`)
      declared.set(key, { kind, area: name })
    }
  }
}

/** The area whose texts name a kind of paper; null: nobody declares it any more. */
export const areaOfKind = (kind: string): string | null => declared.get(kind)?.area ?? null

type Prepare = (ctx: Ctx, id: number, lang: PaperLanguage, signed: readonly SignedLine[]) => Promise<PreparedPaper>
/** How papers about a kind of record are prepared, by subject and kind. */
const prepared = new Map<string, Map<string, Prepare>>()

/** Registers the contents of kinds of paper that an area adds to the papers of another area's records. */
export function preparePapers<P extends PaperKinds>(of: P, kinds: Preparing<P>): void {
  const known = prepared.get(of.subject) ?? new Map<string, Prepare>()
  prepared.set(of.subject, known)
  for (const [kind, prepare] of Object.entries(kinds)) known.set(kind, prepare)
}
/**
 * What a paper of a kind says now, for whoever issues it on the way of another area.
 *
 * @throws {Refusal} when it cannot be issued as things are
 * @throws {Error} when nobody prepares this kind
 */
export function preparedPaper(
  ctx: Ctx,
  { subject }: Pick<PaperKinds, 'subject'>,
  { id, kind, lang, signed = [] }: { id: number; kind: string; lang: PaperLanguage; signed?: readonly SignedLine[] },
): Promise<PreparedPaper> {
  const prepare = prepared.get(subject)?.get(kind)
  if (!prepare) throw new Error(`Nobody prepares papers of the kind '${kind}'`)
  return prepare(ctx, id, lang, signed)
}
/** The kinds of paper about a kind of record: of all areas, as they are declared. */
const kindsOf = (subject: string) =>
  [...declared].flatMap(([kind, known]) =>
    prepared.get(subject)?.has(kind) ? [{ kind, area: known.area, ...known.kind }] : [],
  )

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 100 random bits in letters that nobody mistakes for each other. */
const newCode = (): string => Array.from(randomBytes(20), (byte) => LETTERS[byte & 31]).join('')

/** A character that the fonts lack is printed as a box, so that an odd name does not withhold the paper. */
export async function renderPaper(request: PdfRequest): Promise<Uint8Array> {
  try {
    return await renderPdf(request)
  } catch (error) {
    if (!(error instanceof PdfError) || error.code !== 'pdf_glyph_missing') throw error
    return renderPdf({ ...request, archive: false })
  }
}

/**
 * Papers of a series are made one after the other; here they wait without a connection in their hands. Who has one (inside
 * a unit of work) must not wait here for somebody who waits for the unit.
 */
const lines = new Map<string, Promise<unknown>>()
function inLine<T>({ name }: Series, work: () => Promise<T>): Promise<T> {
  const before = lines.get(name) ?? Promise.resolve()
  const mine = before.then(work, work)
  const settled = mine.catch(() => undefined)
  lines.set(name, settled)
  void settled.then(() => lines.get(name) === settled && lines.delete(name))
  return mine
}

/** A paper that is about to be made. */
export interface PaperToMake {
  readonly id: number
  readonly kind: string
  readonly lang: PaperLanguage
  readonly serial: string
  readonly code: string
  readonly title: Names
  readonly holder: Names
  /** As the page of verification shows them when the holder lets everything be seen. */
  readonly facts: readonly { label: string; label_local: string; value: string; value_local: string }[]
  /** ISO. */
  readonly issued_at: string
  /** What its file carries as data, where its kind has such. */
  readonly data: unknown
}
/**
 * Makes the forms of a paper that other programs verify by themselves; they are put into its file. Whoever answers prepares what needs a
 * connection of its own: the answer works within the transaction that issues the paper.
 */
export const papersAsFiles = asks<
  [ctx: Ctx, kind: string],
  (tx: Tx, paper: PaperToMake) => Promise<readonly PdfAttachment[]>
>('papers.as_files', () => async () => [])

/** Where a paper is verified, in the application. */
const addressOf = (code: string): string => `/qr_code/${code}`

/**
 * Issues a paper: number, file, hash and the code that proves it are kept in one transaction, or nothing is.
 *
 * @returns the id of the paper
 */
export async function issuePaper(
  ctx: Ctx,
  { subject }: Pick<PaperKinds, 'subject'>,
  { id, kind, lang, prepared }: { id: number; kind: string; lang: PaperLanguage; prepared: PreparedPaper },
): Promise<number> {
  const declaration = declared.get(kind)!.kind
  const { series, disclosures } = declaration
  const title: Label = prepared.title ? [prepared.title.name, prepared.title.name_local] : declaration.label
  if (!declaration.languages.includes(lang)) throw refuse(422, 'not_a_choice', {}, 'lang')
  const facts = Object.entries(declaration.facts).flatMap(([key, [en, ar]]) => {
    const value = prepared.facts[key]
    if (value === null || value === undefined || value === '') return []
    const names = typeof value === 'string' ? { name: value, name_local: value } : value
    return [{ label: en, label_local: ar, value: names.name, value_local: names.name_local }]
  })
  const [key, filesOf] = [await paperKeyOf(ctx.services), await papersAsFiles(ctx, kind)]
  const line = ctx.inUnit ? <T>(_of: Series, work: () => Promise<T>) => work() : inLine
  return line(series, () =>
    ctx.write(async (tx) => {
      const { text: serial } = await takeSerial(tx, series)
      const code = newCode()
      const { rows: clock } = await sql<{ id: number; at: string; on: string }>`
        select nextval(pg_get_serial_sequence('papers', 'id'))::int as id, now() as at, (now() at time zone university_zone())::date as on`.execute(
        tx,
      )
      const { id: paper, at, on } = firstRow(clock)
      const request = prepared.compose({ serial, qr: 'qr.svg', code: codeWritten(code) }, { at: new Date(at), on })
      const { holder } = prepared
      const attached = await filesOf(tx, {
        id: paper,
        kind,
        lang,
        serial,
        code,
        title: { name: title[0], name_local: title[1] },
        holder: { name: holder.name, name_local: holder.name_local },
        facts,
        issued_at: new Date(at).toISOString(),
        data: request.attach?.json ?? null,
      })
      const address = `${ctx.services.config.publicUrl}${addressOf(code)}`
      const content = await signPdf(
        await renderPaper({ ...request, attached, files: { ...request.files, 'qr.svg': qrImage(address) } }),
        key,
        { at: new Date(at), reason: `${inLanguage(title, lang)} ${serial}`, contact: address },
      )
      const file = await ctx.services.files.keep(tx, {
        name: fileName(
          'pdf',
          inLanguage(title, lang),
          inLanguage([prepared.holder.name, prepared.holder.name_local], lang),
          serial,
        ),
        content,
        ext: 'pdf',
        mime: 'application/pdf',
      })
      await sql`insert into papers (id, kind, subject, subject_id, lang, serial, code, title, title_local, holder, holder_local, facts,
          disclosure, file_id, sha256, issued_by, key_id, valid_until)
        overriding system value values (${paper}, ${kind}, ${subject}, ${id}, ${lang}, ${serial}, ${code}, ${title[0]}, ${title[1]}, ${prepared.holder.name},
          ${prepared.holder.name_local}, ${JSON.stringify(facts)}::jsonb, ${disclosures[0]}, ${file.id},
          ${createHash('sha256').update(content).digest('hex')}, ${ctx.actor?.user_id ?? null}, ${key.id}, ${prepared.valid_until ?? null}::date)`.execute(
        tx,
      )
      if (prepared.replaces !== undefined) {
        const { rows: replaced } = await sql`update papers set replaced_by = ${paper}
          where id = ${prepared.replaces} and subject = ${subject} and replaced_by is null returning id`.execute(tx)
        if (!replaced.length) throw refuse(409, 'paper_replaced')
      }
      // What the file carries as data is kept beside it, so that it can be given out in other forms than this one.
      if (request.attach)
        await sql`insert into paper_data (paper_id, data) values (${paper}, ${JSON.stringify(request.attach.json)}::jsonb)`.execute(
          tx,
        )
      if (prepared.stood?.length)
        await keepBasis(tx, { kind: `paper_${subject}` }, [{ id: paper, facts: prepared.stood }])
      return paper
    }),
  )
}

/**
 * Papers whose files are not opened among the papers of their record, with the reason: the area that issued them on a way of its own hands
 * them out on that way.
 */
export const papersWithheld = asks<[ctx: Ctx, ids: readonly number[]], ReadonlyMap<number, Reason>>(
  'papers.withheld',
  () => new Map(),
)
/** Kinds of paper about a kind of record that are not issued at once, with the reason: another area has a way for them, with signatures. */
export const papersOnTheirWay = asks<[ctx: Ctx, subject: string], ReadonlyMap<string, Reason>>(
  'papers.on_their_way',
  () => new Map(),
)
/** @throws {Refusal} 409 with the reason why such a paper is not issued at once */
export async function refuseAtOnce(ctx: Ctx, { subject }: Pick<PaperKinds, 'subject'>, kind: string): Promise<void> {
  const reason = (await papersOnTheirWay(ctx, subject)).get(kind)
  if (reason) throw new Refusal(409, [reason])
}
/** @throws {Refusal} 409 with the reason why the paper is not opened here */
export async function refuseWithheld(ctx: Ctx, paper: number): Promise<void> {
  const reason = (await papersWithheld(ctx, [paper])).get(paper)
  if (reason) throw new Refusal(409, [reason])
}

/**
 * The file of a paper as it was issued. Whoever calls it has looked whether the record is within reach.
 *
 * @throws {Refusal} 404 when the record has no such paper
 * @throws {Error} when the stored file is not the one that was issued
 */
export async function paperFile(
  ctx: Ctx,
  of: Pick<PaperKinds, 'subject'>,
  id: number,
  paper: number,
): Promise<FileResult> {
  const { rows } = await sql<{ file_id: number; sha256: string }>`select file_id, sha256 from papers
    where subject = ${of.subject} and subject_id = any(same_record(${of.subject}, ${id})) and id = ${paper}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  const file = await ctx.services.files.read(rows[0].file_id)
  const content = file.content instanceof Readable ? await buffer(file.content) : file.content
  if (createHash('sha256').update(content).digest('hex') !== rows[0].sha256)
    throw new Error(`The file of paper ${paper} is not the one that was issued`)
  return { ...file, content }
}

interface Row {
  id: number
  kind: string
  title: Names
  serial: string
  code: string
  lang: PaperLanguage
  issued_at: string
  issued_by: Names | null
  revoked_at: string | null
  revoked_by: Names | null
  revoked_reason: string | null
  state: PaperRow['state']
  valid_until: string | null
  disclosure: Disclosure
}
const COLUMNS = `p.id, p.kind, json_build_object('name', p.title, 'name_local', p.title_local) as title, p.serial, p.code, p.lang,
  p.issued_at, (select json_build_object('name', u.name, 'name_local', u.name_local) from users u where u.id = p.issued_by) as issued_by,
  p.revoked_at, (select json_build_object('name', u.name, 'name_local', u.name_local) from users u where u.id = p.revoked_by) as revoked_by,
  p.revoked_reason, p.disclosure, p.valid_until,
  case when p.revoked_at is not null then 'revoked' when p.replaced_by is not null then 'replaced'
    when p.valid_until < university_today() then 'expired' else 'valid' end as state`

/** Revokes papers, in the unit of work of whoever decided so. @returns how many were not revoked yet */
export async function revokePapers(ctx: Ctx, tx: Tx, ids: readonly number[], reason: string): Promise<number> {
  const { rows } =
    await sql`update papers set revoked_at = now(), revoked_by = ${ctx.actor?.user_id ?? null}, revoked_reason = ${reason}
    where id = any(${[...ids]}::int[]) and revoked_at is null returning id`.execute(tx)
  return rows.length
}

/** Serves the calls of declared papers. */
export function servePapers<P extends Papers>(of: P, source: PaperSource<P>): Handled[] {
  const calls = paperCalls(of)
  const { permissions } = of
  preparePapers(of, source.kinds)
  /** What the reader may do with the record, one round trip; refuses what is beyond reach. */
  const reach = async (ctx: Ctx, id: number, access: Access, db: Db = ctx.db) => {
    const { rows } = await sql<{ open: boolean; issue: boolean; revoke: boolean; hold: boolean }>`
      select ${source.scope(ctx, permissions.open)} as open, ${source.scope(ctx, permissions.issue)} as issue, ${source.scope(ctx, permissions.revoke)} as revoke,
        ${ctx.system === null ? source.scope(ctx, permissions.hold) : sql`false`} as hold
      from ${sql.table(source.table)} t where t.id = ${id} and ${source.scope(ctx, access)}`.execute(db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return rows[0]
  }
  type Reached = Awaited<ReturnType<typeof reach>>
  const shown = ({ code, ...row }: Row, { open, revoke, hold }: Reached, withheld?: Reason): PaperRow => {
    const disclosures = declared.get(row.kind)?.kind.disclosures ?? [row.disclosure]
    return {
      ...row,
      area: declared.get(row.kind)?.area ?? null,
      disclosures: [...disclosures],
      address: addressOf(code),
      withheld: open && withheld ? toProblem(withheld) : null,
      abilities: [
        ...(open && !withheld ? (['open'] as const) : []),
        ...(revoke && !row.revoked_at ? (['revoke'] as const) : []),
        ...(hold && !row.revoked_at && disclosures.length > 1 ? (['disclose'] as const) : []),
      ],
    }
  }
  const again = async (ctx: Ctx, row: Row, reached: Reached): Promise<PaperRow> =>
    shown(row, reached, (await papersWithheld(ctx, [row.id])).get(row.id))
  const one = async (db: Db | Tx, id: number, paper: number): Promise<Row> => {
    const { rows } = await sql<Row>`select ${sql.raw(COLUMNS)} from papers p
      where p.subject = ${of.subject} and p.subject_id = any(same_record(${of.subject}, ${id})) and p.id = ${paper}`.execute(
      db,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    return rows[0]
  }

  return [
    handle(calls.list, async (ctx, { params: { id } }) => {
      const reached = await reach(ctx, id, permissions.list)
      const { rows } = await sql<Row>`select ${sql.raw(COLUMNS)} from papers p
        where p.subject = ${of.subject} and p.subject_id = any(same_record(${of.subject}, ${id})) order by p.id desc`.execute(
        ctx.db,
      )
      const withheld = await papersWithheld(
        ctx,
        rows.map((row) => row.id),
      )
      const ways = reached.issue ? await papersOnTheirWay(ctx, of.subject) : new Map<string, Reason>()
      return {
        data: rows.map((row) => shown(row, reached, withheld.get(row.id))),
        meta: {
          issue: reached.issue
            ? kindsOf(of.subject).map(({ kind, area, label, languages }) => ({
                kind,
                title: { name: label[0], name_local: label[1] },
                area,
                languages: [...languages],
                refused: ways.has(kind) ? toProblem(ways.get(kind)!) : null,
              }))
            : [],
        },
      }
    }),
    handle(calls.issue, async (ctx, { params: { id }, body: { kind, lang } }) => {
      const reached = await reach(ctx, id, permissions.issue)
      const prepare = declared.has(kind) ? prepared.get(of.subject)?.get(kind) : undefined
      // Where none is issued at once, no other kind would do.
      if (!prepare) throw refuse(prepared.get(of.subject)?.size ? 422 : 409, 'not_a_choice', {}, 'kind')
      await refuseAtOnce(ctx, of, kind)
      const paper = await issuePaper(ctx, of, { id, kind, lang, prepared: await prepare(ctx, id, lang, []) })
      return { data: shown(await one(ctx.db, id, paper), reached) }
    }),
    handle(calls.open, async (ctx, { params: { id, paper } }): Promise<FileResult> => {
      await reach(ctx, id, permissions.open)
      await refuseWithheld(ctx, paper)
      return paperFile(ctx, of, id, paper)
    }),
    handle(calls.revoke, async (ctx, { params: { id, paper }, body: { reason } }) => {
      const reached = await reach(ctx, id, permissions.revoke)
      const row = await ctx.write(
        async (tx) => {
          await one(tx, id, paper)
          if (!(await revokePapers(ctx, tx, [paper], reason))) throw refuse(409, 'paper_revoked')
          return one(tx, id, paper)
        },
        { reason },
      )
      return { data: await again(ctx, row, reached) }
    }),
    handle(calls.disclose, async (ctx, { params: { id, paper }, body: { disclosure } }) => {
      const reached = await reach(ctx, id, permissions.hold)
      const row = await ctx.write(async (tx) => {
        const { kind } = await one(tx, id, paper)
        if (!declared.get(kind)?.kind.disclosures.includes(disclosure))
          throw refuse(422, 'not_a_choice', {}, 'disclosure')
        const { rows } = await sql`update papers set disclosure = ${disclosure}
          where id = ${paper} and revoked_at is null returning id`.execute(tx)
        if (!rows.length) throw refuse(409, 'paper_revoked')
        return one(tx, id, paper)
      })
      return { data: await again(ctx, row, reached) }
    }),
  ]
}
