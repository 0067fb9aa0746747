/** Students whose term stands out, and what was done: within the reach of an advisor, a dean or a registrar; and one's own. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { inLanguage, type ListQuery, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { pagedList, wholeList, type ListSource } from '#kit/server/resource/list.ts'
import { EXPORT_LIMIT, paperLang, tableFile, type ExportColumn } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import { RISK_KINDS, type RiskReason } from '../rules/risk.rules.ts'
import { riskClock } from './count.server.ts'
import {
  CONTACT_OUTCOMES,
  RISK_LEVELS,
  riskCalls,
  type RiskContact,
  type RiskDetails,
  type RiskRow,
} from './risk.contract.ts'
import { needWholeUniversity, warningSettings } from './settings.server.ts'

/** How students (alias `s`) are bound to who offers help: who only teaches a course of theirs sees nothing of it. */
export const riskScope = (ctx: Ctx): ScopeParts => {
  const { taught: _taught, own: _own, ...reach } = studentReach(ctx, 's')
  return reach
}

/** A reason as an answer tells it. */
export const toldRisk = ({ code, data, points }: RiskReason) => ({ ...toProblem({ code, data }), code, points })

const contactOf = sql`(select json_build_object('on_date', c.on_date, 'outcome', c.outcome, 'again_on', c.again_on) from risk_contacts c
  where c.student_id = s.id order by c.on_date desc, c.id desc limit 1)`
const LAST = sql`(select c.on_date from risk_contacts c where c.student_id = s.id order by c.on_date desc, c.id desc limit 1)`

/** A filter by one id or several. @throws {Refusal} 422 */
function ids(value: unknown): number[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (
    !list.every((one): one is number => Number.isSafeInteger(one) && (one as number) >= 0 && (one as number) < 2 ** 31)
  )
    throw refuse(422, 'wrong_type', undefined, 'filters')
  return list
}
/** A filter by one of the known words or several. @throws {Refusal} 422 */
function words(value: unknown, known: readonly string[]): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (!list.every((one): one is string => known.includes(one as string)))
    throw refuse(422, 'not_a_choice', undefined, 'filters')
  return list
}
const valuesOf = (of: readonly { readonly value: string }[]) => of.map(({ value }) => value)
const CODES = RISK_KINDS.map((kind) => `risk_${kind}`)

const listSource = (ctx: Ctx): ListSource => ({
  from: sql`student_risks k join students s on s.id = k.student_id join faculties f on f.id = s.faculty_id
    join programs p on p.id = s.program_id left join instructors i on i.id = s.advisor_id`,
  select: sql`s.id, s.code, s.name, s.name_local, ${ref('f')} as faculty, ${ref('p')} as program, s.level, ${refOrNull('i')} as advisor,
    k.level as risk, k.points, k.probability::float8, k.began_at as since, k.reasons, ${contactOf} as contact`,
  where: [
    sql`k.ended_at is null and s.removed_at is null`,
    scopeCondition(ctx, 'access_early_warning', riskScope(ctx)),
  ],
  search: ['s.search_text'],
  sort: {
    points: sql`(k.points + coalesce(k.probability, 0))`,
    probability: 'k.probability',
    since: 'k.began_at',
    code: 's.code',
    name: 's.name',
    name_local: 's.name_local collate "ar-x-icu"',
    level: 's.level',
    contact: LAST,
  },
  order: ['points', 'desc'],
  filters: {
    risk: (value) => sql`k.level = any(${words(value, valuesOf(RISK_LEVELS))}::text[])`,
    code: (value) =>
      sql`exists (select from jsonb_array_elements(k.reasons) x where x ->> 'code' = any(${words(value, CODES)}::text[]))`,
    faculty_id: (value) => sql`s.faculty_id = any(${ids(value)}::int[])`,
    program_id: (value) => sql`s.program_id = any(${ids(value)}::int[])`,
    level: (value) => sql`s.level = any(${ids(value)}::int[])`,
    advisor_id: (value) => sql`s.advisor_id = any(${ids(value)}::int[])`,
    outcome: (value) => sql`${contactOf} ->> 'outcome' = any(${words(value, valuesOf(CONTACT_OUTCOMES))}::text[])`,
    contacted: (value) => {
      if (typeof value !== 'boolean') throw refuse(422, 'wrong_type', undefined, 'filters')
      const since = sql`exists (select from risk_contacts c where c.student_id = s.id and c.on_date >= k.began_at::date)`
      return value ? since : sql`not ${since}`
    },
  },
  key: 'k.id',
})

type StoredRow = Omit<RiskRow, 'reasons'> & { reasons: RiskReason[] }
const rowOf = ({ reasons, since, ...row }: StoredRow): RiskRow => ({
  ...row,
  since: new Date(since).toISOString(),
  reasons: reasons.map(toldRisk),
})

async function detailsOf(ctx: Ctx, on: boolean): Promise<RiskDetails> {
  const { rows } = await sql<{ high: number; watch: number; without_contact: number; counted_at: string | null }>`
    select (count(*) filter (where k.level = 'high'))::int as high, (count(*) filter (where k.level = 'watch'))::int as watch,
      (count(*) filter (where not exists (select from risk_contacts c where c.student_id = s.id and c.on_date >= k.began_at::date)))::int as without_contact,
      max(k.counted_at) as counted_at
    from student_risks k join students s on s.id = k.student_id where k.ended_at is null and s.removed_at is null
      and ${scopeCondition(ctx, 'access_early_warning', riskScope(ctx))}`.execute(ctx.db)
  const { counted_at, ...counts } = firstRow(rows)
  return { on, ...counts, counted_at: counted_at && new Date(counted_at).toISOString() }
}
const NOTHING: RiskDetails = { on: false, high: 0, watch: 0, without_contact: 0, counted_at: null }

const exportColumns = (lang: PaperLanguage): ExportColumn<RiskRow>[] => {
  const named = (one: { name: string; name_local?: string | null } | null) =>
    one ? (lang === 'ar' && one.name_local) || one.name : null
  const column = (
    label: readonly [string, string],
    type: ExportColumn<RiskRow>['type'],
    text: ExportColumn<RiskRow>['text'],
  ) => ({
    header: inLanguage(label, lang),
    type,
    text,
  })
  const label = (of: readonly { value: string; label: readonly [string, string] }[], value: string) =>
    inLanguage(of.find((one) => one.value === value)?.label ?? [value, value], lang)
  return [
    column(['Code', 'الكود'], 'text', (row) => row.code),
    column(['English name', 'الاسم بالإنجليزية'], 'text', (row) => row.name),
    column(['Arabic name', 'الاسم بالعربية'], 'text', (row) => row.name_local),
    column(['Faculty', 'الكلية'], 'text', (row) => named(row.faculty)),
    column(['Program', 'البرنامج'], 'text', (row) => named(row.program)),
    column(['Level', 'المستوى'], 'number', (row) => row.level),
    column(['Academic advisor', 'المرشد الأكاديمي'], 'text', (row) => named(row.advisor)),
    column(['Attention', 'درجة الاهتمام'], 'text', (row) => label(RISK_LEVELS, row.risk)),
    column(['Points', 'النقاط'], 'number', (row) => row.points),
    column(['Why', 'الأسباب'], 'text', (row) => row.reasons.map((one) => (lang === 'ar' ? one.ar : one.en)).join(' ')),
    column(['Last contact', 'آخر تواصل'], 'date', (row) => row.contact?.on_date ?? null),
    column(
      ['What came of it', 'النتيجة'],
      'text',
      (row) => row.contact && label(CONTACT_OUTCOMES, row.contact.outcome),
    ),
  ]
}

const KEYS: readonly PermissionKey[] = ['access_early_warning']
/** A student within reach. @throws {Refusal} 404; 409 where early warning is switched off */
export async function findRiskStudent(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  keys: readonly PermissionKey[] = KEYS,
): Promise<void> {
  const { rows } =
    await sql`select from students s where s.id = ${id} and s.removed_at is null and ${scopeCondition(ctx, keys, riskScope(ctx))}`.execute(
      db,
    )
  if (!rows.length) throw refuse(404, 'not_found')
  if (!(await warningSettings(db)).on) throw refuse(409, 'early_warning_off')
}

interface Stood {
  id: number
  level: 'high' | 'watch'
  points: number
  probability: number | null
  term: { id: number; name: string }
  began_at: string
  counted_at: string
  ended_at: string | null
  reasons: RiskReason[]
}
const stoodOf = ({ reasons, began_at, counted_at, ended_at, ...one }: Stood) => ({
  ...one,
  began_at: new Date(began_at).toISOString(),
  counted_at: new Date(counted_at).toISOString(),
  ended_at: ended_at && new Date(ended_at).toISOString(),
  reasons: reasons.map(toldRisk),
})
/** Of what stood before, so much is shown. */
const SHOWN = 50

async function readStudent(ctx: Ctx, id: number) {
  await findRiskStudent(ctx, ctx.db, id)
  const note = scopeCondition(ctx, 'note_early_warning', riskScope(ctx))
  const { rows } = await sql<{
    student: {
      id: number
      name: string
      code: string
      faculty: RiskRow['faculty']
      program: RiskRow['program']
      level: number
      advisor: RiskRow['advisor']
    }
    risks: Stood[]
    contacts: RiskContact[]
    may_note: boolean
  }>`
    select json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local, 'faculty', ${ref('f')}, 'program', ${ref('p')},
        'level', s.level, 'advisor', ${refOrNull('i')}) as student, ${note} as may_note,
      coalesce((select json_agg(x order by x.began_at desc, x.id desc) from (
        select k.id, k.level, k.points, k.probability::float8, ${ref('w')} as term, k.began_at, k.counted_at, k.ended_at, k.reasons
        from student_risks k join terms w on w.id = k.term_id where k.student_id = s.id order by k.began_at desc, k.id desc limit ${SHOWN}) x), '[]') as risks,
      coalesce((select json_agg(json_build_object('id', c.id, 'on_date', c.on_date, 'way', c.way, 'said', c.said, 'outcome', c.outcome,
          'outcome_note', c.outcome_note, 'again_on', c.again_on, 'version', c.version,
          'by', case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end,
          'abilities', case when ${note} then array['edit'] else '{}' end) order by c.on_date desc, c.id desc)
        from risk_contacts c left join users u on u.id = c.created_by where c.student_id = s.id), '[]') as contacts
    from students s join faculties f on f.id = s.faculty_id join programs p on p.id = s.program_id left join instructors i on i.id = s.advisor_id
    where s.id = ${id}`.execute(ctx.db)
  const { student, risks, contacts, may_note } = firstRow(rows)
  const shown = risks.map(stoodOf)
  return {
    student,
    now: shown.find((one) => one.ended_at === null) ?? null,
    before: shown.filter((one) => one.ended_at !== null),
    contacts,
    may_note,
  }
}

type ExportBody = ListQuery & { lang?: PaperLanguage | undefined; ids?: number[] | undefined }

export const riskHandlers: readonly Handled[] = [
  handle(riskCalls.list, async (ctx, { body }) => {
    const { on } = await warningSettings(ctx.db)
    const source = listSource(ctx)
    const { data, meta } = await pagedList<StoredRow>(ctx, on ? source : { ...source, where: [sql`false`] }, body)
    return { data: data.map(rowOf), meta: { ...meta, details: on ? await detailsOf(ctx, on) : NOTHING } }
  }),
  handle(riskCalls.export, async (ctx, { body }) => {
    if (!(await warningSettings(ctx.db)).on) throw refuse(409, 'early_warning_off')
    const { lang = paperLang(ctx), ids: chosen, ...query } = body as ExportBody
    const source = listSource(ctx)
    const narrowed = chosen?.length
      ? { ...source, where: [...source.where, sql`s.id = any(${chosen}::int[])`] }
      : source
    const rows = (await wholeList<StoredRow>(ctx, narrowed, query, EXPORT_LIMIT + 1)).map(rowOf)
    const title = inLanguage(['Early warning', 'الإنذار المبكر'], lang)
    return tableFile(ctx, { title, name: 'early-warning', lang, columns: exportColumns(lang), rows }, 'xlsx')
  }),
  handle(riskCalls.of, async (ctx, { params }) => ({ data: await readStudent(ctx, params.id) })),
  handle(riskCalls.count, async (ctx) => {
    needWholeUniversity(ctx)
    if (!(await warningSettings(ctx.db)).on) throw refuse(409, 'early_warning_off')
    return { job_id: await ctx.write((tx) => ctx.services.jobs.send(tx, riskClock, {}, { actor: ctx.actor })) }
  }),
]
