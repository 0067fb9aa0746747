/** Transfers and equivalences as sheets. */
import { inLanguage } from '#kit/contract/index.ts'
import type { exportQuery, Label } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { nameIn, serverField } from '#kit/server/base/fields.ts'
import type { columnsOf } from '#kit/server/base/fields.ts'
import { wholeList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { EQUIVALENCE_STATES } from './equivalence.contract.ts'
import type { Equivalence } from './equivalence.contract.ts'
import type { TransferKind } from './target.server.ts'

type Query = z.output<typeof exportQuery>

/** All rows of a list for a sheet, or those that were chosen. */
export function sheetRows<Row extends object>(
  ctx: Ctx,
  source: (ctx: Ctx, query: Query) => ListSource,
  body: Query,
): Promise<Row[]> {
  const base = source(ctx, body)
  const narrowed = body.ids ? { ...base, where: [...base.where, sql`t.id = any(${body.ids}::int[])`] } : base
  return wholeList<Row>(ctx, narrowed, body, EXPORT_LIMIT + 1)
}

/** A list of transfers as a sheet. @throws {Refusal} 422 for none, and for more than one file holds */
export function transferSheet<Row extends object>(
  ctx: Ctx,
  columns: ReturnType<typeof columnsOf>,
  rows: readonly Row[],
  query: Query,
  title: Label,
): Promise<FileResult> {
  const lang = query.lang ?? paperLang(ctx)
  const shown = columns.filter(({ name }) => !query.columns?.length || query.columns.includes(name))
  return tableFile(
    ctx,
    {
      title: inLanguage(title, lang),
      name: `${title[0]}.xlsx`,
      lang,
      columns: shown.map((column) => ({
        header: inLanguage(column.field.label, lang),
        type: serverField(column.field).sheet ?? 'text',
        text: (row: Row) => serverField(column.field).text(row as never, column, lang),
      })),
      rows: [...rows],
    },
    'xlsx',
  )
}

interface Line extends Omit<Equivalence, 'id' | 'origin' | 'mark' | 'maximum' | 'more' | 'joined_to'> {
  student: { code: string; name: string | null; name_local: string | null }
  program: { name: string; name_local: string }
}

/** The equivalences of transfers as a sheet. @throws {Refusal} 422 for none, and for more than one file holds */
export async function equivalenceSheet(
  ctx: Ctx,
  kind: TransferKind,
  ids: readonly number[],
  query: Query,
): Promise<FileResult> {
  const { rows } = await sql<Line>`
    select json_build_object('code', coalesce(s.code, a.code), 'name', coalesce(s.name, a.name), 'name_local', coalesce(s.name_local, a.name_local)) as student,
      json_build_object('name', p.name, 'name_local', p.name_local) as program,
      json_build_object('course_id', e.source_course_id, 'code', e.source_code, 'name', e.source_name, 'name_local', e.source_name_local,
        'credit_hours', e.source_hours, 'grade', e.source_grade) as source,
      case when c.id is not null then json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local,
        'credit_hours', c.credit_hours) end as course,
      e.credit_hours::float8 as credit_hours, e.letter, e.points::text as points, e.counts_in_gpa, e.state
    from equivalences e left join internal_transfers i on i.id = e.internal_transfer_id left join external_transfers x on x.id = e.external_transfer_id
      left join students s on s.id = coalesce(i.student_id, x.student_id) left join applicants a on a.id = x.applicant_id join programs p on p.id = coalesce(i.program_id, x.program_id)
      left join courses c on c.id = e.course_id
    where ${kind === 'internal' ? sql`e.internal_transfer_id` : sql`e.external_transfer_id`} = any(${[...ids]}::int[])
    order by coalesce(s.code, a.code), coalesce(i.id, x.id), e.position limit ${EXPORT_LIMIT + 1}`.execute(ctx.db)
  const lang = query.lang ?? paperLang(ctx)
  const column = (label: Label, text: (row: Line) => string | null, type: 'text' | 'number' = 'text') => ({
    header: inLanguage(label, lang),
    type,
    text: (row: Line) => text(row) ?? '',
  })
  const hours = (value: number | null) => (value === null ? null : String(value))
  const title: Label = ['Equivalent', 'معادلة المقررات']
  return tableFile(
    ctx,
    {
      title: inLanguage(title, lang),
      name: `${title[0]}.xlsx`,
      lang,
      columns: [
        column(['Student code', 'كود الطالب'], (row) => row.student.code),
        column(['Student', 'الطالب'], (row) => nameIn(row.student, lang)),
        column(['Program', 'البرنامج'], (row) => nameIn(row.program, lang)),
        column(['Code of the course passed', 'كود المقرر المجتاز'], (row) => row.source.code),
        column(['Course passed', 'المقرر المجتاز'], (row) => nameIn(row.source, lang)),
        column(
          ['Hours of the course passed', 'ساعات المقرر المجتاز'],
          (row) => hours(row.source.credit_hours),
          'number',
        ),
        column(['Grade of the course passed', 'تقدير المقرر المجتاز'], (row) => row.source.grade),
        column(['Code of the course here', 'كود المقرر المعادل'], (row) => row.course?.code ?? null),
        column(['Course here', 'المقرر المعادل'], (row) => nameIn(row.course, lang)),
        column(['Hours credited', 'الساعات المحتسبة'], (row) => hours(row.credit_hours), 'number'),
        column(['Grade credited', 'التقدير المحتسب'], (row) => row.letter),
        column(['Counts in GPA', 'يدخل في المعدل'], (row) =>
          inLanguage(row.counts_in_gpa ? ['Yes', 'نعم'] : ['No', 'لا'], lang),
        ),
        column(['Decision', 'القرار'], (row) =>
          inLanguage(EQUIVALENCE_STATES.find((equivalenceState) => equivalenceState.value === row.state)!.label, lang),
        ),
      ],
      rows,
    },
    'xlsx',
  )
}
