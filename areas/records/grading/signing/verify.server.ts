/** Looks whether the chain of signed grade sheets is whole, and whether what was signed last is what stands. */
import type { Absent } from '#kit/server/base/sql.ts'
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import type { Db } from '#db/connect.ts'
import type { Seal } from '#kit/server/identity/sealed.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  HISTORY_HASH,
  SIGNED_KINDS,
  SEALED,
  recordHash,
  recordsHash,
  sealedHistory,
  standingRecords,
  type SignedKind,
  type SealedRecord,
} from './records.server.ts'
import {
  LINK,
  SHEET_FIELDS,
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
import type { SigningFinding, Verified } from './signing.contract.ts'

const LINKS = 20_000
/** Sealed records that are read at a time. */
const RECORDS = 20_000
/** Registrations compared at a time. */
const PORTION = 10_000
/** Findings that are told in full. */
const MOST_TOLD = 200

export interface VerifyingGrades {
  readonly seal: Pick<Seal, 'digest'>
  /** Offerings `o` whose sheets are compared; the chain is always looked at as a whole. */
  readonly where?: RawBuilder<unknown>
  /** An end of the chain that somebody noted earlier. */
  /** Students `s` whose records are compared. */
  readonly students?: RawBuilder<unknown>
  readonly noted?: { readonly number: number; readonly hash: string } | undefined
  readonly progress?: (percent: number) => Promise<void>
}
type Link = LinkBody & { readonly hash: string; readonly seal: string | null }
type Found = Omit<SigningFinding, 'student' | 'offering' | 'category' | 'term' | 'course'> & {
  offering_id: number | null
  term_id?: number
  course_id?: number
  student_id?: number
  offering_mark_id?: number
}

/** Everything that is found. One snapshot: what people change meanwhile is not seen in part. */
export const verifyGrades = (db: Db, options: VerifyingGrades): Promise<Verified> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const found: Found[] = []
      let count = 0
      const unsigned = new Set<number | null>()
      const tell = (one: Found) => {
        if (one.kind === 'unsigned') unsigned.add(one.offering_id)
        // That a sheet was never signed is told once, not of its offering as well.
        if (one.kind === 'unsealed' && one.about === 'offering' && unsigned.has(one.offering_id)) return
        count++
        if (found.length < MOST_TOLD) found.push(one)
      }
      const head = await verifyChain(tx, options, tell)
      const { sheets, registrations } = await verifySheets(tx, options, tell)
      const records = await verifyRecords(tx, options, tell)
      return { head, sheets, registrations, records, findings: await named(tx, found, options.where), count }
    })

/** Every link follows from the one before, by the hash and by the seal. */
async function verifyChain(
  tx: Db,
  { seal, noted, progress }: VerifyingGrades,
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
    await verifyLinkRecords(tx, rows, tell)
    if (rows.length < LINKS) break
  }
  if (last && strange && !sealed) tell({ kind: 'seal', offering_id: last.offering_id, link: last.number })
  // Records of a link that is left away.
  const { rows: left } = await sql<{ number: number }>`select distinct number::float8 as number from grade_link_records
    where number > ${last?.number ?? 0} order by 1`.execute(tx)
  for (const { number } of left) tell({ kind: 'records', offering_id: null, link: number })
  if (noted && noted.number > (last?.number ?? 0)) tell({ kind: 'noted', offering_id: null, link: noted.number })
  await progress?.(10)
  return last && { number: last.number, hash: last.hash, at: last.at }
}

/** Records of some links are those that the links were hashed over. */
async function verifyLinkRecords(tx: Db, links: readonly Link[], tell: (one: Found) => void): Promise<void> {
  if (!links.length) return
  const [first, until] = [links[0]!.number, links.at(-1)!.number]
  const hashes = new Map<number, Pick<SealedRecord, 'kind' | 'key' | 'hash'>[]>()
  let after: { number: number; kind: string; key: string } = { number: first, kind: '', key: '' }
  for (;;) {
    const { rows }: { rows: (SealedRecord & { number: number })[] } = await sql<SealedRecord & { number: number }>`
      select g.number::float8 as number, g.kind, g.key, g.content, g.hash from grade_link_records g
      where g.number between ${first} and ${until}
        and (g.number, g.kind, g.key) > (${after.number}::bigint, ${after.kind}::text, ${after.key}::text)
      order by g.number, g.kind, g.key limit ${RECORDS}`.execute(tx)
    for (const { number, kind, key, content, hash } of rows) {
      if (recordHash(kind, key, content) !== hash) tell({ kind: 'row', offering_id: null, link: number, about: kind })
      hashes.set(number, [...(hashes.get(number) ?? []), { kind, key, hash }])
    }
    if (rows.length < RECORDS) break
    after = rows.at(-1)!
  }
  for (const { number, offering_id, records_hash } of links) {
    const records = hashes.get(number) ?? []
    if ((records.length ? recordsHash(records) : null) !== records_hash)
      tell({ kind: 'records', offering_id, link: number })
  }
}

interface Differing {
  key: string
  signed: unknown[] | null
  stands: unknown[] | null
  link: number | null
  student_id: number | null
  offering_id: number | null
}

/** What is sealed beside the sheets: every record as it was sealed last, the whole history, and the figures that follow. */
async function verifyRecords(
  tx: Db,
  { where = sql`true`, students = sql`true`, progress }: VerifyingGrades,
  tell: (one: Found) => void,
): Promise<number> {
  // Of whom a record is that is no more is written in what was sealed.
  const reached = sql`(x.student_id is null or exists (select from students s where s.id = x.student_id and ${students}))
    and (x.offering_id is null or exists (select from offerings o where o.id = x.offering_id and ${where}))`
  let records = 0
  for (const kind of SIGNED_KINDS) {
    const { fields } = SEALED[kind]
    const place = (name: string): string => {
      const i = fields.findIndex(([field]) => field === name)
      return i < 0 ? 'null::int' : `(l.content::jsonb ->> ${i})::int`
    }
    const student = kind === 'level' ? `split_part(l.key, '-', 2)::int` : place('student_id')
    const { rows } = await sql<(Differing & { counted: null }) | (Absent<Differing> & { counted: number })>`
      with last as materialized (select distinct on (g.key) g.key, g.content, g.number from grade_link_records g
        where g.kind = ${kind} order by g.key, g.number desc),
      stands as materialized (${sql.raw(standingRecords(kind))}),
      x as (select coalesce(s.key, l.key) as key, l.content::jsonb as signed, s.content::jsonb as stands, l.number::float8 as link,
          coalesce(s.student_id, case when l.content is not null then ${sql.raw(student)} end) as student_id,
          coalesce(s.offering_id, ${sql.raw(kind === 'offering' ? 'l.key::int' : 'null::int')}) as offering_id
        from stands s full join last l on l.key = s.key where s.key is not null or l.content is not null)
      select x.*, null::int as counted from x where x.signed is distinct from x.stands and ${reached}
      union all select null, null, null, null, null, null, count(*)::int from stands`.execute(tx)
    for (const row of rows) {
      if (row.counted !== null) {
        records += row.counted
        continue
      }
      const { key, signed, stands, link, student_id, offering_id } = row
      const about = {
        about: kind,
        offering_id,
        ...(link !== null && { link }),
        ...(student_id !== null && { student_id }),
        ...ofTerm(kind, key, signed ?? stands),
      }
      // An offering that is signed and approved no more is told by its sheet.
      if (kind === 'offering' && (signed === null || stands === null)) {
        if (signed === null) tell({ kind: 'unsealed', ...about })
      } else if (signed === null) tell({ kind: link === null ? 'unsealed' : 'added', ...about })
      else if (stands === null) tell({ kind: 'gone', ...about })
      else
        for (const [i, [field]] of fields.entries())
          if (signed[i] !== stands[i])
            tell({ kind: 'cell', ...about, field, signed: text(signed[i]), stands: text(stands[i]) })
    }
  }
  await progress?.(96)
  const { rows: histories } = await sql<{
    kind: 'cell' | 'gone' | 'added'
    offering_id: number
    student_id: number | null
    registration_id: number | null
    link: number | null
  }>`
    with sealed as materialized (${sql.raw(sealedHistory())}),
    whole as materialized (select distinct offering_id from sealed),
    stands as materialized (select h.id, h.offering_id, h.student_id, h.registration_id, ${sql.raw(HISTORY_HASH)} as hash
      from registration_history h where h.offering_id in (select offering_id from whole) or h.id in (select id from sealed)),
    x as (select case when s.id is null then 'gone' when e.id is null then 'added' else 'cell' end as kind,
        coalesce(e.offering_id, s.offering_id) as offering_id, s.student_id, s.registration_id, e.number::float8 as link
      from stands s full join sealed e on e.id = s.id where s.hash is distinct from e.hash)
    select x.* from x where ${reached} order by x.offering_id`.execute(tx)
  for (const { kind, link, student_id, registration_id, offering_id } of histories)
    tell({
      kind,
      about: 'history',
      offering_id,
      ...(link !== null && { link }),
      ...(student_id !== null && { student_id }),
      ...(registration_id !== null && { registration_id }),
    })
  // The course of a registration is that of its offering, and the figures of a student are those of the last valid row.
  const { rows: strays } = await sql<{
    id: number
    student_id: number
    offering_id: number
    signed: string
    stands: string
  }>`
    select x.* from (select r.id, r.student_id, r.offering_id, oc.code as signed, rc.code as stands
      from registrations r join offerings o on o.id = r.offering_id join courses oc on oc.id = o.course_id join courses rc on rc.id = r.course_id
      where r.course_id <> o.course_id and o.control_status = any(${[...SIGNED_SHEET]})) x where ${reached} order by x.id`.execute(
    tx,
  )
  for (const { id, student_id, offering_id, signed, stands } of strays)
    tell({
      kind: 'cell',
      about: 'offering',
      offering_id,
      student_id,
      registration_id: id,
      field: 'course_id',
      signed,
      stands,
    })
  const { rows: figures } = await sql<{
    student_id: number
    field: string
    signed: string | null
    stands: string | null
  }>`
    select x.student_id, f.field, f.signed, f.stands from (
      select s.id as student_id, null::int as offering_id, s.gpa, s.passed_hours, s.warnings, y.cumulative_gpa, y.cumulative_passed_hours,
        y.warnings as counted
      from students s cross join lateral (select t.* from student_terms t join terms w on w.id = t.term_id
        where t.student_id = s.id and t.revised_since is null
          and (s.entry_standing ->> 'after_term_id' is null or term_after(t.term_id, (s.entry_standing ->> 'after_term_id')::integer))
        order by w.start_date desc, w.id desc limit 1) y
      where (s.gpa, s.passed_hours, s.warnings) is distinct from (y.cumulative_gpa, y.cumulative_passed_hours, y.warnings)) x
      cross join lateral (values ('cumulative_gpa', trim_scale(x.cumulative_gpa)::text, trim_scale(x.gpa)::text),
        ('cumulative_passed_hours', trim_scale(x.cumulative_passed_hours)::text, trim_scale(x.passed_hours)::text),
        ('warnings', x.counted::text, x.warnings::text)) as f (field, signed, stands)
    where f.signed is distinct from f.stands and ${reached} order by x.student_id`.execute(tx)
  for (const figure of figures) tell({ kind: 'cell', about: 'student', offering_id: null, ...figure })
  await progress?.(100)
  return records
}

/** Of which term, or course, a record is. */
function ofTerm(kind: SignedKind, key: string, content: unknown[] | null): { term_id?: number; course_id?: number } {
  if (kind === 'term') return { term_id: Number(key.split('-')[1]) }
  const at = SEALED[kind].fields.findIndex(([field]) => field === 'course_id')
  const course_id = kind === 'credit' ? content?.[at] : null
  return typeof course_id === 'number' ? { course_id } : {}
}

const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

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
  { where = sql`true`, progress }: VerifyingGrades,
  tell: (one: Found) => void,
): Promise<{ sheets: number; registrations: number }> {
  const { rows: sizes } = await sql<{ id: number; n: number }>`
    select o.id, (select count(*)::int from registrations r where r.offering_id = o.id) as n from offerings o
    where (o.control_status = any(${[...SIGNED_SHEET]}) or exists (select from grade_links l where l.offering_id = o.id)) and ${where}
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
    for (const row of rows) {
      const signed = compare(row, tell)
      if (signed === null) continue
      sheets++
      registrations += signed
    }
    from = until
    await progress?.(10 + Math.round((until * 80) / sizes.length))
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
  const approved = (SIGNED_SHEET as readonly string[]).includes(control_status)
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
async function named(tx: Db, found: readonly Found[], where = sql`true`): Promise<SigningFinding[]> {
  if (!found.length) return []
  const { rows } = await sql<{
    offering: SigningFinding['offering']
    student: SigningFinding['student']
    category: SigningFinding['category']
    term: SigningFinding['term']
    course: SigningFinding['course']
  }>`
    select case when o.id is not null and ${where} then json_build_object('id', o.id, 'code', c.code || ' (' || o.code || ')', 'name', c.name, 'name_local', c.name_local) end as offering,
      case when s.id is not null then json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) end as student,
      case when k.id is not null then json_build_object('id', k.id, 'code', k.code, 'name', k.name, 'name_local', k.name_local) end as category,
      case when w.id is not null then json_build_object('id', w.id, 'code', w.code, 'name', w.name, 'name_local', w.name_local) end as term,
      case when q.id is not null then json_build_object('id', q.id, 'code', q.code, 'name', q.name, 'name_local', q.name_local) end as course
    from jsonb_to_recordset(${JSON.stringify(found.map((one, i) => ({ ...one, i })))}::jsonb)
        as f (i int, offering_id int, student_id int, offering_mark_id int, term_id int, course_id int)
      left join terms w on w.id = f.term_id left join courses q on q.id = f.course_id
      left join offerings o on o.id = f.offering_id left ${sql.raw(joinCourse('o.course_id', 'o.id'))}
      left join students s on s.id = f.student_id
      left join offering_marks m on m.id = f.offering_mark_id left join mark_categories k on k.id = m.mark_category_id
    order by f.i`.execute(tx)
  return found.map((one, i) => {
    const {
      offering_id: _offering,
      student_id: _student,
      offering_mark_id: _mark,
      term_id: _term,
      course_id: _course,
      ...rest
    } = one
    return { ...rest, ...rows[i]! }
  })
}
