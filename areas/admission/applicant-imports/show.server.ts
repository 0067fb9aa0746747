/** Imports, their rows and their mistakes as whoever imports sees them. */
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Db, Tx } from '#db/connect.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { BodyOf } from '#kit/contract/call.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { parse, refuse, toProblem } from '#kit/server/base/errors.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { SEXES, type ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import {
  OUTCOME_KEYS,
  ROW_OUTCOMES,
  type applicantImportCalls,
  type ImportStage,
  type ImportSummary,
  type OutcomeCounts,
  type RowOutcome,
  type ShownImport,
  type ShownRow,
} from './import.contract.ts'
import { ROW_VALUES, type RowValue } from './rows/judge.server.ts'
import type { RowError } from './rows/row.rules.ts'
import { columnsByHeadings, proposeSheetColumns, type SheetColumns, type SheetEncoding } from './sheet.rules.ts'

/** SQL: whether a job works on the import `i`. One that died too often, or was stopped, does not. */
const UNDER_WAY = sql`(i.token is not null and exists (select from jobs j where j.id = i.job_id and j.state in ('queued', 'running')))`
/** SQL: where the import `i` stands: what was being saved and is not any more can be saved again. */
const STAGE = sql`case when i.stage = 'saving' and not ${UNDER_WAY} then 'checked' else i.stage end`

/** SQL: imports of the reader: the own, or all with reach over the whole university. */
export const mine = (ctx: Ctx) =>
  reachesAll(ctx, 'import_applicant') ? sql`true` : sql`i.created_by = ${ctx.actor?.user_id ?? null}`

const SUMMARY = sql`i.id, json_build_object('id', d.id, 'code', d.code, 'name', d.name, 'name_local', d.name_local) as admission, i.file_name as file,
  i.file_size::float8 as size, ${STAGE} as stage, i.counts, i.created_at, i.saved_at,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as by`
const FROM = sql`applicant_imports i join admissions d on d.id = i.admission_id left join users u on u.id = i.created_by`

type Stored = Omit<ImportSummary, 'rows' | 'counts'> & { counts: Partial<OutcomeCounts> }
const full = (counts: Partial<OutcomeCounts>): OutcomeCounts =>
  Object.fromEntries(OUTCOME_KEYS.map((key) => [key, counts[key] ?? 0])) as unknown as OutcomeCounts
const summed = (counts: OutcomeCounts): number => Object.values(counts).reduce((all, n) => all + n, 0)

/** The last imports of the reader. */
export async function lastImports(ctx: Ctx): Promise<ImportSummary[]> {
  const { rows } =
    await sql<Stored>`select ${SUMMARY} from ${FROM} where ${mine(ctx)} order by i.id desc limit 20`.execute(ctx.db)
  return rows.map((row) => ({ ...row, rows: summed(full(row.counts)), counts: full(row.counts) }))
}

interface StoredImport extends Stored {
  type: ShownImport['type']
  format: ShownImport['format']
  encoding: SheetEncoding
  headings: string[]
  first: string[][]
  columns: Record<string, number> | null
  job_id: string | null
  subjects: ShownImport['subjects']
  kept: { id: number; name: string; columns: Record<string, string> }[]
}

/** An import as it stands. @throws {Refusal} 404 where it is somebody else's */
export async function showImport(ctx: Ctx, db: Db | Tx, id: number): Promise<ShownImport> {
  const { rows } =
    await sql<StoredImport>`select ${SUMMARY}, d.applicant_type as type, i.format, i.encoding, i.headings, i.first, i.columns,
      case when ${UNDER_WAY} then i.job_id end as job_id,
      coalesce((select json_agg(json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) order by s.code)
        from certificate_subjects s where s.removed_at is null), '[]') as subjects,
      coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name, 'columns', m.columns) order by m.name)
        from applicant_mappings m where m.applicant_type = d.applicant_type and m.removed_at is null), '[]') as kept
    from ${FROM} where i.id = ${id} and ${mine(ctx)}`.execute(db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { rows: mistakes } = await sql<{ count: number; one: RowError }>`
    with e as (select x.one from applicant_import_rows r, jsonb_array_elements(r.errors) as x (one) where r.import_id = ${id})
    select count(*)::int as count, (array_agg(one))[1] as one from e group by one ->> 'code' order by 1 desc limit 20`.execute(
    db,
  )
  const { rows: saved } = await sql<{ n: number }>`select coalesce(sum(saved), 0)::int as n
    from applicant_import_portions where import_id = ${id}`.execute(db)
  const { kept, ...stored } = found
  const mappings = kept.map((one) => ({
    id: one.id,
    name: one.name,
    columns: asColumns(columnsByHeadings(one.columns, stored.headings)),
  }))
  // What fits exactly was said by a person; words are only what headings probably mean.
  const subjects = stored.subjects.map((one) => ({
    id: one.id,
    code: one.code ?? '',
    name: one.name,
    name_local: one.name_local ?? '',
  }))
  const proposed =
    mappings.find((one) => one.columns)?.columns ?? asColumns(proposeSheetColumns(stored.headings, subjects)) ?? {}
  const counts = full(stored.counts)
  return {
    ...stored,
    rows: summed(counts),
    counts,
    columns: stored.columns ?? proposed,
    mappings,
    saved: saved[0]?.n ?? 0,
    mistakes: mistakes.map(({ count, one }) => ({
      count,
      problem: toProblem({ code: one.code, ...(one.data && { data: one.data }) }),
    })),
  }
}
const asColumns = (columns: SheetColumns | null): Record<string, number> | null =>
  columns && (Object.fromEntries(Object.entries(columns)) as Record<string, number>)

interface StoredRow extends Record<RowValue, string | number | null> {
  id: number
  outcome: RowOutcome
  saved: boolean
  ministry_number: string | null
  cells: string[]
  errors: RowError[] | null
  applicant: { id: number; code: string; status: ApplicantStatus } | null
  headings: string[]
  wishes: number[] | null
  subjects: { certificate_subject_id: number; mark: string }[] | null
  before: (Record<string, unknown> & { wishes: number[]; subjects: Record<string, string> | null }) | null
}

/** Names of records that values of rows point to, in the language of papers. */
async function namesOf(ctx: Ctx, db: Db): Promise<(field: string, value: unknown) => string | null> {
  const name = paperLang(ctx) === 'ar' ? sql`x.name_local` : sql`x.name`
  const { rows } = await sql<{
    kind: string
    id: number
    name: string
  }>`select 'country' as kind, x.id, ${name} as name from countries x
    union all select 'community', x.id, ${name} from communities x union all select 'certificate', x.id, ${name} from certificate_types x
    union all select 'program', x.id, ${name} from programs x union all select 'subject', x.id, ${name} from certificate_subjects x`.execute(
    db,
  )
  const names = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row.name]))
  const kinds: Readonly<Record<string, string>> = {
    nationality_id: 'country',
    birth_community_id: 'community',
    community_id: 'community',
    certificate_type_id: 'certificate',
    wishes: 'program',
    subjects: 'subject',
  }
  return (field, value) => {
    if (value === null || value === undefined || value === '') return null
    const kind = kinds[field]
    if (kind) return names.get(`${kind} ${String(value)}`) ?? String(value)
    if (field === 'gender') {
      const sex = SEXES.find((one) => one.value === value)
      return sex ? inLanguage(sex.label, paperLang(ctx)) : String(value)
    }
    return field === 'certificate_total' ? Number(value).toFixed(2) : String(value)
  }
}

/** What a row changes, old beside new. */
function changesOf({ before, ...row }: StoredRow, named: Awaited<ReturnType<typeof namesOf>>): ShownRow['changes'] {
  if (row.outcome !== 'changed' || row.saved || !before) return []
  const changes: ShownRow['changes'] = []
  const note = (field: string, old: string | null, next: string | null) => {
    if (next !== null && next !== old) changes.push({ field, old, new: next })
  }
  for (const field of ROW_VALUES) note(field, named(field, before[field]), named(field, row[field]))
  note('ministry_number', named('', before.ministry_number), row.ministry_number)
  if (row.wishes) {
    const list = (ids: readonly number[]) => ids.map((one) => named('wishes', one)).join(' · ') || null
    note('wishes', list(before.wishes), list(row.wishes))
  }
  for (const { certificate_subject_id: id, mark } of row.subjects ?? [])
    note(`subject_${id}`, named('certificate_total', before.subjects?.[id]), named('certificate_total', mark))
  return changes
}

/** SQL of rows `r` of an import `i` as they are shown. */
const ROWS = (ctx: Ctx) => ({
  from: sql`applicant_import_rows r join applicant_imports i on i.id = r.import_id
    left join applicant_import_portions p on p.import_id = r.import_id and p.done and r.row between p.from_row and p.to_row
    left join applicant_nominations o on r.outcome = 'new' and o.admission_id = i.admission_id and o.person = r.person
    left join applicants a on a.id = coalesce(r.applicant_id, o.applicant_id) and exists (select from applicants t where t.id = a.id
      and ${applicants.scope(ctx, 'import_applicant')})`,
  select: sql`r.row as id, r.outcome, p.done is not null and r.outcome in ('new', 'changed') as saved, r.ministry_number, r.cells, r.errors, i.headings, r.wishes, r.subjects,
    ${sql.join(ROW_VALUES.map((name) => (name === 'birth_date' || name === 'certificate_total' ? sql`${sql.ref(`r.${name}`)}::text as ${sql.ref(name)}` : sql.ref(`r.${name}`))))},
    case when a.id is not null then json_build_object('id', a.id, 'code', a.code, 'status', a.status) end as applicant,
    case when r.outcome = 'changed' and a.id is not null then (select to_jsonb(a) || jsonb_build_object('ministry_number', n.ministry_number,
      'wishes', array(select w.program_id from applicant_preferences w where w.applicant_id = a.id order by w.position),
      'subjects', (select jsonb_object_agg(s.certificate_subject_id, s.mark) from applicant_subjects s where s.applicant_id = a.id))
      from (select 1) x left join applicant_nominations n on n.applicant_id = a.id) end as before`,
})
const errorsOf = ({ errors, cells, headings }: StoredRow): ShownRow['errors'] =>
  (errors ?? []).map(({ at, code, data }) => ({
    column: at === null ? null : (headings[at] ?? null),
    value: at === null ? null : (cells[at] ?? '').slice(0, 200),
    problem: toProblem({ code, ...(data && { data }) }),
  }))

const outcomes = z.array(z.enum(OUTCOME_KEYS))
const words = z.array(z.string().max(60))

/** A page of rows. They are found by what an officer has at hand: a number, an id, the beginning of a name. */
export async function importRows(ctx: Ctx, id: number, body: BodyOf<typeof applicantImportCalls.rows>) {
  await requireMine(ctx, ctx.db, id)
  const { search, ...query } = body
  const list = await pagedList<StoredRow>(
    ctx,
    {
      ...ROWS(ctx),
      where: [
        sql<SqlBool>`r.import_id = ${id}`,
        ...(search
          ? [
              sql<SqlBool>`(${search} in (r.ministry_number, r.national_id, r.passport_number, r.seat_number)
                or starts_with(r.name_local, ${search}) or starts_with(lower(r.name), lower(${search})))`,
            ]
          : []),
      ],
      key: 'r.row',
      search: [],
      sort: { row: 'r.row' },
      order: ['row', 'asc'],
      filters: {
        outcome: (value) => sql<SqlBool>`r.outcome = any(${parse(outcomes, value, ['filters', 'outcome'])}::text[])`,
        code: (value) =>
          sql<SqlBool>`exists (select from jsonb_array_elements(r.errors) e where e ->> 'code' = any(${parse(words, value, ['filters', 'code'])}::text[]))`,
      },
    },
    { ...query, search: '' },
  )
  const named = await namesOf(ctx, ctx.db)
  const arabic = ctx.lang === 'ar'
  return {
    ...list,
    data: list.data.map((row) => ({
      id: row.id,
      outcome: row.outcome,
      saved: row.saved,
      name: String((arabic ? (row.name_local ?? row.name) : (row.name ?? row.name_local)) ?? '') || null,
      ministry_number: row.ministry_number,
      identity: row.national_id === null ? named('', row.passport_number) : String(row.national_id),
      applicant: row.applicant,
      changes: changesOf(row, named),
      errors: errorsOf(row),
    })),
  }
}

/** @throws {Refusal} 404 where the import is somebody else's */
export async function requireMine(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
): Promise<{ stage: ImportStage; under_way: boolean }> {
  const { rows } = await sql<{
    stage: ImportStage
    under_way: boolean
  }>`select ${STAGE} as stage, ${UNDER_WAY} as under_way
    from applicant_imports i where i.id = ${id} and ${mine(ctx)}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const MOST_MISTAKES = 20_000
/** The rows that are not written, as they stand in the file, with what is wrong: text in every cell, so that nothing is worked out. */
export async function mistakesSheet(ctx: Ctx, id: number) {
  await requireMine(ctx, ctx.db, id)
  const lang = paperLang(ctx)
  const { from, select } = ROWS(ctx)
  const { rows } = await sql<StoredRow>`select ${select} from ${from} where r.import_id = ${id}
    and r.outcome in ('wrong', 'duplicate', 'elsewhere', 'decided') order by r.row limit ${MOST_MISTAKES + 1}`.execute(
    ctx.db,
  )
  const headings = (rows[0]?.headings ?? []) as readonly string[]
  const say = (en: string, ar: string) => (lang === 'ar' ? ar : en)
  // Whoever mends these hands the sheet in again, and gets the others.
  const cut = rows.length > MOST_MISTAKES
  const content = await writeSheet({
    sheets: [
      {
        name: cut ? say('Not written, the first', 'لم يُحفظ، الأوائل') : say('Not written', 'لم يُحفظ'),
        direction: lang === 'ar' ? 'rtl' : 'ltr',
        columns: [
          { header: say('Row', 'الصف'), key: 'row', type: 'number' },
          { header: say('What', 'الحالة'), key: 'outcome', type: 'text' },
          { header: say('What is wrong', 'الخطأ'), key: 'errors', type: 'text', width: 60 },
          ...headings.map((header, at) => ({ header: header || `${at + 1}`, key: `c${at}`, type: 'text' as const })),
        ],
        rows: rows.slice(0, MOST_MISTAKES).map((row) => ({
          row: row.id,
          outcome: inLanguage(ROW_OUTCOMES.find(({ value }) => value === row.outcome)!.label, lang),
          errors: errorsOf(row)
            .map(({ column, problem }) => `${column ? `${column}: ` : ''}${lang === 'ar' ? problem.ar : problem.en}`)
            .join('\n'),
          ...Object.fromEntries(row.cells.map((cell, at) => [`c${at}`, cell])),
        })),
      },
    ],
  })
  return { content, name: 'mistakes.xlsx', type: 'xlsx' as const }
}
