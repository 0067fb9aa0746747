/** Looks whether the chain of signed grade sheets is whole, and whether what was signed last is what stands. */
import { joinCourse } from '#areas/academics/course-words.server.ts'
import type { Db } from '#db/connect.ts'
import type { Seal } from '#kit/server/sealed.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  LINK,
  SHEET_FIELDS,
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
import type { Finding, Verified } from './signing.contract.ts'

const LINKS = 20_000
/** Registrations compared at a time. */
const PORTION = 10_000
/** Findings that are told in full. */
const MOST_TOLD = 200

export interface Verifying {
  readonly seal: Pick<Seal, 'digest'>
  /** Offerings `o` whose sheets are compared; the chain is always looked at as a whole. */
  readonly where?: RawBuilder<unknown>
  /** An end of the chain that somebody noted earlier. */
  readonly noted?: { readonly number: number; readonly hash: string } | undefined
  readonly progress?: (percent: number) => Promise<void>
}
type Link = LinkBody & { readonly hash: string; readonly seal: string | null }
type Found = Omit<Finding, 'student' | 'offering' | 'category'> & {
  offering_id: number | null
  student_id?: number
  offering_mark_id?: number
}

/** Everything that is found. One snapshot: what people change meanwhile is not seen in part. */
export const verifyGrades = (db: Db, options: Verifying): Promise<Verified> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const found: Found[] = []
      let count = 0
      const tell = (one: Found) => {
        count++
        if (found.length < MOST_TOLD) found.push(one)
      }
      const head = await verifyChain(tx, options, tell)
      const { sheets, registrations } = await verifySheets(tx, options, tell)
      return { head, sheets, registrations, findings: await named(tx, found, options.where), count }
    })

/** Every link follows from the one before, by the hash and by the seal. */
async function verifyChain(
  tx: Db,
  { seal, noted, progress }: Verifying,
  tell: (one: Found) => void,
): Promise<Verified['head']> {
  let last = null as Link | null
  let sealed = false
  let strange = false
  for (;;) {
    const { rows }: { rows: Link[] } = await sql<Link>`select ${sql.raw(LINK)} from grade_links l
      where l.number > ${last?.number ?? 0} order by l.number limit ${LINKS}`.execute(tx)
    for (const link of rows) {
      const about = { offering_id: link.offering_id, link: link.number }
      if (link.number !== (last?.number ?? 0) + 1 || link.previous !== (last?.hash ?? null))
        tell({ kind: 'chain', ...about })
      else if (linkHash(link) !== link.hash) tell({ kind: 'link', ...about })
      // Links that were loaded before the program ran have no seal, those of before SECRETS_KEY was changed another one: the
      // first of the present key holds them by the chain, and after it each has one of that key.
      const right = link.seal === seal.digest(link.hash).toString('hex')
      if (sealed && !right) tell({ kind: 'seal', ...about })
      sealed ||= right
      strange ||= link.seal !== null && !right
      if (noted?.number === link.number && noted.hash !== link.hash) tell({ kind: 'noted', ...about })
      last = link
    }
    if (rows.length < LINKS) break
  }
  if (last && strange && !sealed) tell({ kind: 'seal', offering_id: last.offering_id, link: last.number })
  if (noted && noted.number > (last?.number ?? 0)) tell({ kind: 'noted', offering_id: null, link: noted.number })
  await progress?.(10)
  return last && { number: last.number, hash: last.hash, at: last.at }
}

interface Compared {
  id: number
  control_status: string
  scheme: unknown
  links: { number: number; cause: string; scheme: string; students: number | null; sheet_hash: string | null }[] | null
  rows: [number: number, registration_id: number, content: string | null, hash: string][] | null
  stands: SheetRow[] | null
}

async function verifySheets(
  tx: Db,
  { where = sql`true`, progress }: Verifying,
  tell: (one: Found) => void,
): Promise<{ sheets: number; registrations: number }> {
  const { rows: sizes } = await sql<{ id: number; n: number }>`
    select o.id, (select count(*)::int from registrations r where r.offering_id = o.id) as n from offerings o
    where (o.control_status = any(${[...SIGNED]}) or exists (select from grade_links l where l.offering_id = o.id)) and ${where}
    order by o.id`.execute(tx)
  let sheets = 0
  let registrations = 0
  for (let from = 0; from < sizes.length;) {
    let until = from
    for (let n = 0; until < sizes.length && (until === from || n + sizes[until]!.n <= PORTION); until++)
      n += sizes[until]!.n
    const ids = sizes.slice(from, until).map(({ id }) => id)
    const { rows } = await sql<Compared>`
      select o.id, o.control_status, ${sql.raw(SHEET_SCHEME)} as scheme,
        (select json_agg(json_build_object('number', l.number, 'cause', l.cause, 'scheme', l.scheme, 'students', l.students,
          'sheet_hash', l.sheet_hash) order by l.number) from grade_links l where l.offering_id = o.id) as links,
        (select json_agg(json_build_array(w.number, w.registration_id, w.content, w.hash) order by w.number)
          from grade_link_rows w where w.offering_id = o.id) as rows,
        (select json_agg(${sql.raw(SHEET_ROW)}) from registrations r where r.offering_id = o.id) as stands
      from offerings o where o.id = any(${ids}::int[]) order by o.id`.execute(tx)
    for (const one of rows) {
      const signed = compare(one, tell)
      if (signed === null) continue
      sheets++
      registrations += signed
    }
    from = until
    await progress?.(10 + Math.round((until * 90) / sizes.length))
  }
  return { sheets, registrations }
}

/** One offering: its links in their order, then what stands. @returns how many registrations are signed; null: it is not */
function compare(
  { id, control_status, scheme, links, rows, stands }: Compared,
  tell: (one: Found) => void,
): number | null {
  const offering_id = id
  const last = links?.at(-1)
  const approved = (SIGNED as readonly string[]).includes(control_status)
  if (approved && (!last || last.cause === 'undo')) tell({ kind: 'unsigned', offering_id })
  if (!last) return null
  const hashes = new Map<number, string>()
  const contents = new Map<number, string>()
  const byLink = Map.groupBy(rows ?? [], ([number]) => number)
  for (const { number, students, sheet_hash } of links!) {
    for (const [, registration_id, content, hash] of byLink.get(number) ?? []) {
      if (rowHash(registration_id, content) !== hash) tell({ kind: 'row', offering_id, link: number, registration_id })
      if (content === null) {
        hashes.delete(registration_id)
        contents.delete(registration_id)
      } else {
        hashes.set(registration_id, hash)
        contents.set(registration_id, content)
      }
    }
    if (sheet_hash !== null && (students !== hashes.size || sheet_hash !== sheetHash(hashes)))
      tell({ kind: 'sheet', offering_id, link: number })
  }
  if (last.cause === 'undo') return null
  if (!approved) {
    tell({ kind: 'status', offering_id, link: last.number, stands: control_status })
    return contents.size
  }
  if (last.scheme !== canonical(scheme)) tell({ kind: 'scheme', offering_id, link: last.number })
  for (const row of stands ?? []) {
    const [registration_id, student_id] = row
    const content = contents.get(registration_id)
    contents.delete(registration_id)
    const about = { offering_id, registration_id, student_id }
    if (content === undefined) tell({ kind: 'added', ...about })
    else if (content !== canonical(row)) cells(JSON.parse(content) as SheetRow, row, about, tell)
  }
  for (const [registration_id, content] of contents)
    tell({ kind: 'gone', offering_id, registration_id, student_id: (JSON.parse(content) as SheetRow)[1] })
  return hashes.size
}

/** The cells in which a row differs from the one that was signed. */
function cells(
  signed: SheetRow,
  stands: SheetRow,
  about: { offering_id: number; registration_id: number; student_id: number },
  tell: (one: Found) => void,
): void {
  const text = (value: unknown): string | null => (value === null ? null : String(value))
  for (const [i, field] of SHEET_FIELDS.entries())
    if (signed[i] !== stands[i])
      tell({ kind: 'cell', ...about, field, signed: text(signed[i]), stands: text(stands[i]) })
  const [was, is] = [new Map(signed[11]), new Map(stands[11])]
  for (const offering_mark_id of new Set([...was.keys(), ...is.keys()])) {
    const [before, now] = [was.get(offering_mark_id) ?? null, is.get(offering_mark_id) ?? null]
    if (before !== now) tell({ kind: 'cell', ...about, field: 'mark', offering_mark_id, signed: before, stands: now })
  }
}

/** With the names of whom and what they are about. */
async function named(tx: Db, found: readonly Found[], where = sql`true`): Promise<Finding[]> {
  if (!found.length) return []
  const { rows } = await sql<{
    offering: Finding['offering']
    student: Finding['student']
    category: Finding['category']
  }>`
    select case when o.id is not null and ${where} then json_build_object('id', o.id, 'code', c.code || ' (' || o.code || ')', 'name', c.name, 'name_local', c.name_local) end as offering,
      case when s.id is not null then json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) end as student,
      case when k.id is not null then json_build_object('id', k.id, 'code', k.code, 'name', k.name, 'name_local', k.name_local) end as category
    from jsonb_to_recordset(${JSON.stringify(found.map((one, i) => ({ ...one, i })))}::jsonb)
        as f (i int, offering_id int, student_id int, offering_mark_id int)
      left join offerings o on o.id = f.offering_id left ${sql.raw(joinCourse('o.course_id', 'o.id'))}
      left join students s on s.id = f.student_id
      left join offering_marks m on m.id = f.offering_mark_id left join mark_categories k on k.id = m.mark_category_id
    order by f.i`.execute(tx)
  return found.map(({ offering_id: _offering, student_id: _student, offering_mark_id: _mark, ...one }, i) => ({
    ...one,
    ...rows[i]!,
  }))
}
