import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Language, ListQuery } from '#kit/contract/index.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList, wholeList, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { ref, refPairs } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { CURRENCY_CHOICES, TYPE_CHOICES } from '../words.contract.ts'
import { GRANT_STATES, grantFields, type GrantRow } from './grants.contract.ts'

export const KEY = 'grant_scholarship'
export const SEE: readonly PermissionKey[] = ['access_scholarship', 'access_student']
const MOST_EXPORTED = 50_000
const FROM = sql`scholarship_grants t join students s on s.id = t.student_id join faculties f on f.id = s.faculty_id
  join programs p on p.id = s.program_id join scholarships h on h.id = t.scholarship_id
  join years y on y.id = t.year_id join years e on e.id = t.until_year_id
  left join users gb on gb.id = t.granted_by left join users eb on eb.id = t.ended_by`
type Stored = Omit<GrantRow, 'abilities'> & { __may: boolean }
const person = (alias: string) =>
  sql.raw(
    `case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local) end`,
  )
export const select = (
  ctx: Ctx,
) => sql`t.id, t.version, ${ref('s')} as student, ${ref('f')} as faculty, ${ref('p')} as program,
  json_build_object(${sql.raw(refPairs('h'))}, 'basis', h.basis) as scholarship, ${ref('y')} as year, ${ref('e')} as until_year,
  t.status, t.percent::text as percent, t.amount::float8 as amount, t.currency, t.types, t.facts ->> 'value' as value, t.reason, t.granted_at,
  ${person('gb')} as granted_by, t.ended_at, ${person('eb')} as ended_by, t.ended_reason,
  ${scopeCondition(ctx, KEY, studentReach(ctx, 's'))} as __may`
const opened = ({ __may: may, ...row }: Stored): GrantRow => ({
  ...row,
  abilities: may && row.status === 'applied' ? ['remove'] : [],
})
const filters = Object.fromEntries(
  columnsOf(grantFields, {
    student_id: 't.student_id',
    scholarship_id: 't.scholarship_id',
    year_id: 't.year_id',
    faculty_id: 's.faculty_id',
    status: 't.status',
    granted_at: 't.granted_at',
  }).map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (
  ctx: Ctx,
  access: readonly PermissionKey[],
  where: readonly RawBuilder<unknown>[] = [],
): ListSource => ({
  from: FROM,
  select: select(ctx),
  where: [scopeCondition(ctx, access, studentReach(ctx, 's')), ...where],
  search: ['s.search_text', 'h.search_text'],
  sort: {
    student_id: 's.code',
    scholarship_id: 'h.code',
    year_id: 'y.start_date',
    faculty_id: 'f.code',
    status: 't.status',
    granted_at: 't.granted_at',
  },
  order: ['granted_at', 'desc'],
  filters,
})
export const list = async (ctx: Ctx, query: ListQuery, where: readonly RawBuilder<unknown>[] = []) => {
  const { data, meta } = await pagedList<Stored>(ctx, source(ctx, SEE, where), query)
  return { data: data.map(opened), meta }
}
export async function one(ctx: Ctx, db: Db | Tx, id: number): Promise<GrantRow> {
  const { rows } = await sql<Stored>`select ${select(ctx)} from ${FROM} where t.id = ${id}`.execute(db)
  return opened(firstRow(rows))
}
// --- Sheets -------------------------------------------------------------------------------------------------------------

const word = (
  choices: readonly { value: string; label: readonly [string, string] }[],
  value: string,
  lang: Language,
): string => choices.find((one) => one.value === value)?.label[lang === 'ar' ? 1 : 0] ?? value
const COLUMNS = [
  ['code', 'Code', 'الكود'],
  ['student', 'Student', 'الطالب'],
  ['faculty', 'Faculty', 'الكلية'],
  ['program', 'Program', 'البرنامج'],
  ['scholarship', 'Scholarship', 'المنحة'],
  ['year', 'Academic year', 'العام الدراسي'],
  ['until', 'Until', 'حتى'],
  ['status', 'State', 'الحالة'],
  ['percent', 'Percent', 'النسبة'],
  ['amount', 'Amount', 'المبلغ'],
  ['currency', 'Currency', 'العملة'],
  ['types', 'Reduces', 'تخفض'],
  ['reason', 'Reason', 'السبب'],
] as const
export async function sheet(
  ctx: Ctx,
  query: ListQuery & { ids?: readonly number[] | undefined },
  lang: Language,
): Promise<FileResult> {
  const ar = lang === 'ar'
  const named = (row: { name: string; name_local?: string | null | undefined }) =>
    ar ? (row.name_local ?? row.name) : row.name
  const where = query.ids ? [sql`t.id = any(${query.ids}::int[])`] : []
  const rows = await wholeList<Stored>(ctx, source(ctx, ['export_scholarship'], where), query, MOST_EXPORTED)
  const content = await writeSheet({
    sheets: [
      {
        name: ar ? 'المنح' : 'Scholarships',
        direction: ar ? 'rtl' : 'ltr',
        columns: COLUMNS.map(([key, en, local]) => ({
          key,
          header: ar ? local : en,
          type: key === 'percent' || key === 'amount' ? ('decimal' as const) : ('text' as const),
        })),
        rows: rows.map((row) => ({
          code: row.student.code ?? '',
          student: named(row.student),
          faculty: named(row.faculty),
          program: named(row.program),
          scholarship: named(row.scholarship),
          year: named(row.year),
          until: named(row.until_year),
          status: word(GRANT_STATES, row.status, lang),
          percent: row.percent,
          amount: row.amount === null ? null : (row.amount / 100).toFixed(2),
          currency: row.currency === null ? '' : word(CURRENCY_CHOICES, row.currency, lang),
          types: row.types.map((type) => word(TYPE_CHOICES, type, lang)).join(ar ? '، ' : ', '),
          reason: row.ended_reason ?? row.reason ?? '',
        })),
      },
    ],
  })
  return { name: 'scholarships.xlsx', type: 'xlsx', content, rows: rows.length }
}
