import { sql } from 'kysely'
import { z } from 'zod'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { id, inLanguage } from '#kit/contract/index.ts'
import type { Access, Label, ListQuery } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { parse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { pagedList, wholeList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { ACADEMIC_TITLES } from '../instructors/instructor.contract.ts'
import { instructors } from '../instructors/instructor.server.ts'
import { loadCalls } from './load.contract.ts'
import type { InstructorLoad } from './load.contract.ts'

const ids = z.union([id.transform((one) => [one]), z.array(id).max(1000)])
const among = (name: string, column: string) => (value: unknown) =>
  sql`${sql.raw(column)} = any(${parse(ids, value, ['filters', name])}::int[])`
const hoursOf = (type: string) =>
  sql`coalesce(sum(extract(epoch from p.end_time - p.start_time) / 3600) filter (where os.type = ${type}), 0)`
const text = (column: string) => sql.raw(`trim_scale(round(w.${column}, 2))::text as ${column}`)

/** Instructors with their week in a term. A meeting counts with its regular time. */
function source(ctx: Ctx, query: ListQuery, access: Access): ListSource {
  const [term_id = null] =
    query.filters.term_id === undefined ? [] : parse(ids, query.filters.term_id, ['filters', 'term_id'])
  const term = sql`coalesce(${term_id}::int, ${currentTermId()})`
  return {
    from: sql`instructors t join faculties f on f.id = t.faculty_id left join departments d on d.id = t.department_id
      cross join lateral (
        select count(*)::int as offerings, count(*) filter (where oi.role = 'leader')::int as leads,
          coalesce(sum((select count(*) from registrations r where r.offering_id = o.id and r.letter is distinct from 'W')), 0)::int as students
        from offering_instructors oi join offerings o on o.id = oi.offering_id
        where oi.instructor_id = t.id and o.term_id = ${term} and o.removed_at is null) b
      cross join lateral (
        select count(*)::int as meetings, ${hoursOf('Lecture')} as lecture_hours, ${hoursOf('Tutorial')} as tutorial_hours,
          ${hoursOf('Lab')} as laboratory_hours, ${hoursOf('Clinic')} as clinical_hours,
          coalesce(sum(extract(epoch from p.end_time - p.start_time) / 3600), 0) as hours
        from offering_slot_instructors si join offering_slots os on os.id = si.offering_slot_id
          join offerings o on o.id = os.offering_id and o.removed_at is null left join slots p on p.id = os.slot_id
        where si.instructor_id = t.id and os.term_id = ${term}) w`,
    select: sql`t.id, t.code, t.name, t.name_local, t.academic_title, ${refOrNull('f')} as faculty, ${refOrNull('d')} as department,
      b.offerings, b.leads, b.students, w.meetings, ${text('lecture_hours')}, ${text('tutorial_hours')}, ${text('laboratory_hours')},
      ${text('clinical_hours')}, ${text('hours')}, (select count(*)::int from students s where s.advisor_id = t.id and s.removed_at is null) as advised`,
    where: [sql`t.removed_at is null`, instructors.scope(ctx, access)],
    search: ['t.search_text'],
    sort: {
      code: 't.code',
      name: ctx.lang === 'ar' ? 't.name_local collate "ar-x-icu"' : 't.name',
      offerings: 'b.offerings',
      leads: 'b.leads',
      students: 'b.students',
      meetings: 'w.meetings',
      lecture_hours: 'w.lecture_hours',
      tutorial_hours: 'w.tutorial_hours',
      laboratory_hours: 'w.laboratory_hours',
      clinical_hours: 'w.clinical_hours',
      hours: 'w.hours',
    },
    order: ['hours', 'desc'],
    filters: {
      term_id: () => sql`true`,
      faculty_id: among('faculty_id', 't.faculty_id'),
      department_id: among('department_id', 't.department_id'),
      /** Only those who teach in the term. */
      teaches: (value) => (value === false ? sql`b.offerings = 0` : sql`b.offerings > 0`),
    },
  }
}

const COLUMNS: readonly (readonly [Exclude<keyof InstructorLoad, 'id' | 'name_local'>, Label])[] = [
  ['code', ['Code', 'الكود']],
  ['name', ['Name', 'الاسم']],
  ['academic_title', ['Academic rank', 'الدرجة العلمية']],
  ['faculty', ['Faculty', 'الكلية']],
  ['department', ['Department', 'القسم']],
  ['offerings', ['Offerings', 'المقررات']],
  ['leads', ['Leads', 'منسق']],
  ['meetings', ['Meetings', 'المواعيد']],
  ['lecture_hours', ['Lecture hours', 'ساعات المحاضرات']],
  ['tutorial_hours', ['Tutorial hours', 'ساعات التمارين']],
  ['laboratory_hours', ['Laboratory hours', 'ساعات المعامل']],
  ['clinical_hours', ['Clinical hours', 'ساعات العيادات']],
  ['hours', ['Weekly hours', 'الساعات الأسبوعية']],
  ['students', ['Students', 'الطلاب']],
  ['advised', ['Advised students', 'طلاب الإرشاد']],
]

/** Handlers of the teaching load. */
export const loadHandlers: readonly Handled[] = [
  handle(loadCalls.load, (ctx, { body }) =>
    pagedList<InstructorLoad>(ctx, source(ctx, body, 'access_instructor'), body),
  ),
  handle(loadCalls.exportLoad, async (ctx, { body }) => {
    const lang = body.lang ?? paperLang(ctx)
    const base = source(ctx, body, 'export_instructor')
    const rows = await wholeList<InstructorLoad>(
      ctx,
      body.ids ? { ...base, where: [...base.where, sql`t.id = any(${body.ids}::int[])`] } : base,
      body,
      EXPORT_LIMIT + 1,
    )
    const columns = COLUMNS.filter(([key]) => !body.columns?.length || body.columns.includes(key))
    return tableFile<InstructorLoad>(
      ctx,
      {
        title: inLanguage(['Teaching load', 'الأعباء التدريسية'], lang),
        name: 'Teaching load.xlsx',
        lang,
        columns: columns.map(([key, label]) => ({
          header: inLanguage(label, lang),
          type: ['code', 'name', 'academic_title', 'faculty', 'department'].includes(key) ? 'text' : 'number',
          text: (row) => {
            if (key === 'name') return nameIn(row, lang)
            if (key === 'faculty' || key === 'department') return nameIn(row[key], lang)
            if (key === 'academic_title') {
              const title = ACADEMIC_TITLES.find((academicTitle) => academicTitle.value === row.academic_title)
              return title ? inLanguage(title.label, lang) : null
            }
            return key === 'code' ? row.code : Number(row[key])
          },
        })),
        rows,
      },
      'xlsx',
    )
  }),
]
