import type { AnswerOf } from '#kit/contract/index.ts'
import type { Db, Tx } from '#db/connect.ts'
import { inLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { reaches, requireReach, scopeCondition } from '#kit/server/base/scope.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Requisite } from '../requisites.rules.ts'
import type { RequirementType } from '../words.contract.ts'
import { LATEST_OFFERINGS, course, courseCalls, type courseConnections } from './course.contract.ts'
import { emptied } from '../emptied.server.ts'
import { keepRequisites } from './requisites.server.ts'
import { demandFew, demandSome } from '#kit/server/resource/transfer.ts'

type Unit = Readonly<Record<string, unknown>>
/** A course of the university itself is changed by who reaches the whole university. */
const mayChange = (
  ctx: Ctx,
  key: 'edit_course' | 'remove_course' | 'restore_course',
  row: { faculty_id?: number | null; department_id?: number | null },
): boolean =>
  reaches(ctx, key).some(
    (reach) =>
      reach.all ||
      (row.faculty_id != null && reach.faculty.includes(row.faculty_id)) ||
      (row.department_id != null && reach.department.includes(row.department_id)),
  )
const requireUnit = (ctx: Ctx, key: 'add_course' | 'edit_course', row: Unit): void =>
  requireReach(ctx, key, {
    faculty: (row.faculty_id as number | null | undefined) ?? null,
    department: (row.department_id as number | null | undefined) ?? null,
  })

export const courses = workings(course, {
  abilities: {
    edit: (row, ctx) => mayChange(ctx, 'edit_course', row),
    remove: (row, ctx) => mayChange(ctx, 'remove_course', row),
    restore: (row, ctx) => mayChange(ctx, 'restore_course', row),
  },
  async beforeWrite(ctx, tx, merged, current) {
    emptied(merged, {
      lecture_hours: 0,
      tutorial_hours: 0,
      laboratory_hours: 0,
      clinical_hours: 0,
      min_passed_hours: 0,
      min_level: 0,
      max_mark: 100,
      grade_kind: 'letter',
      requirement: 'none',
    })
    if (current) requireUnit(ctx, 'edit_course', current)
    requireUnit(ctx, current ? 'edit_course' : 'add_course', merged)
    const { department_id, faculty_id } = merged
    if (department_id == null || faculty_id == null) return
    // A university requirement may be taught by a department; a course of a faculty, only by one of that faculty.
    const { rows } = await sql<{
      faculty_id: number
    }>`select faculty_id from departments where id = ${department_id}`.execute(tx)
    if (rows[0] && rows[0].faculty_id !== faculty_id) throw refuse(422, 'department_other_faculty', {}, 'department_id')
  },
  async afterWrite(_ctx, tx, id, merged, current) {
    const requisite = (merged.prerequisites ?? null) as Requisite | null
    // A course beside itself is refused by the database, which has its corequisites by now.
    if (current && JSON.stringify(requisite) === JSON.stringify(current.prerequisites ?? null)) return
    await keepRequisites(tx, id, requisite)
  },
})

type Connections = z.output<typeof courseConnections>
const small = (alias: string) =>
  sql.raw(
    `json_build_object('id', ${alias}.id, 'code', ${alias}.code, 'name', ${alias}.name, 'name_local', ${alias}.name_local, 'credit_hours', ${alias}.credit_hours)`,
  )
const list = (what: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql`coalesce((select json_agg(${what} ${rest}), '[]')`

/** What a course requires and what requires it, to the end of both chains, where it stands in plans and who teaches it. */
async function connections(ctx: Ctx, db: Db | Tx, id: number): Promise<Connections> {
  const { rows } = await sql<Connections>`
    with recursive down (course_id) as (
      select ${id}::int union select p.required_course_id from down d join course_prerequisites p on p.course_id = d.course_id
    ), up (course_id) as (
      select ${id}::int union select p.course_id from up u join course_prerequisites p on p.required_course_id = u.course_id
    ), edges as (
      select p.course_id, p.required_course_id from course_prerequisites p
      where p.course_id in (select course_id from down) or p.required_course_id in (select course_id from up)
    )
    select t.prerequisites,
      ${list(small('c'), sql`order by c.code) from courses c where c.id in (select course_id from down union select course_id from up union select required_course_id from edges union select course_id from edges)`)} as courses,
      ${list(sql`json_build_object('course_id', e.course_id, 'required_course_id', e.required_course_id)`, sql`order by e.course_id, e.required_course_id) from edges e`)} as edges,
      ${list(small('c'), sql`order by c.code) from course_corequisites q join courses c on c.id = q.required_course_id where q.course_id = t.id`)} as corequisites,
      ${list(small('c'), sql`order by c.code) from course_corequisites q join courses c on c.id = q.course_id where q.required_course_id = t.id`)} as corequisite_of,
      ${list(
        sql`json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local, 'level', x.level, 'semester', x.semester,
          'kind', x.kind, 'faculty', ${ref('f')})`,
        sql`order by p.code) from program_courses x join programs p on p.id = x.program_id and p.removed_at is null
          join faculties f on f.id = p.faculty_id where x.course_id = t.id`,
      )} as programs,
      coalesce((select json_agg(o) from (
        select o.id, o.code, o.control_status, ${ref('m')} as term,
          ${list(ref('i'), sql`order by oi.role desc, i.name) from offering_instructors oi join instructors i on i.id = oi.instructor_id where oi.offering_id = o.id`)} as instructors,
          (select count(*)::int from registrations r where r.offering_id = o.id) as registered
        from offerings o join terms m on m.id = o.term_id
        where o.course_id = t.id and o.removed_at is null
        order by m.start_date desc, o.code limit ${LATEST_OFFERINGS}) o), '[]') as offerings
    from courses t where t.id = ${id} and ${scopeCondition(ctx, ['show_course', 'edit_course'], 'university')}`.execute(
    db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const SHEET = {
  code: ['Code', 'الكود'],
  name: ['English name', 'الاسم بالإنجليزية'],
  name_local: ['Arabic name', 'الاسم بالعربية'],
  credit_hours: ['Credit hours', 'الساعات المعتمدة'],
  bylaw: ['Bylaw', 'اللائحة'],
  programs: ['Programs', 'البرامج'],
} as const
const TITLES = {
  university: ['University requirements', 'متطلبات الجامعة'],
  faculty: ['Faculty requirements', 'متطلبات الكلية'],
} as const

/** The requirement lists of bylaws as a sheet: one line per bylaw and course, with the programs whose plan has it. */
async function exportRequirements(
  ctx: Ctx,
  type: RequirementType,
  {
    bylaw_id,
    faculty_id,
    lang = ctx.lang === 'ar' ? 'ar' : 'en',
  }: { bylaw_id?: number | undefined; faculty_id?: number | undefined; lang?: 'ar' | 'en' | undefined },
): Promise<FileResult> {
  const where = [
    sql`q.type = ${type}`,
    sql`b.removed_at is null`,
    scopeCondition(ctx, 'export_course', {
      faculty: sql`b.faculty_id`,
      bylaw: sql`b.id`,
      department: sql`c.department_id`,
    }),
    ...(bylaw_id === undefined ? [] : [sql`b.id = ${bylaw_id}`]),
    ...(faculty_id === undefined ? [] : [sql`b.faculty_id = ${faculty_id}`]),
  ]
  const { rows } = await sql<Record<keyof typeof SHEET, string | number | null>>`
    select c.code, c.name, c.name_local, c.credit_hours::float8, ${sql.raw(lang === 'ar' ? 'b.name_local' : 'b.name')} as bylaw,
      (select string_agg(p.code, ', ' order by p.code) from program_courses x join programs p on p.id = x.program_id
        where x.course_id = c.id and p.bylaw_id = b.id and p.removed_at is null) as programs
    from bylaw_requirements q join bylaws b on b.id = q.bylaw_id join courses c on c.id = q.course_id
    where ${sql.join(where, sql` and `)} order by b.code, c.code limit 5001`.execute(ctx.db)
  demandSome(rows)
  demandFew(rows)
  const keys = Object.keys(SHEET) as (keyof typeof SHEET)[]
  const content = await writeSheet({
    sheets: [
      {
        name: inLanguage(TITLES[type], lang),
        direction: lang === 'ar' ? 'rtl' : 'ltr',
        columns: keys.map((key) => ({
          key,
          header: inLanguage(SHEET[key], lang),
          type: key === 'credit_hours' ? 'number' : 'text',
        })),
        rows,
      },
    ],
  })
  return { name: `${type}-requirements.xlsx`, type: 'xlsx', content }
}

async function instructorCourses(ctx: Ctx, instructor_id: number | undefined, term_id: number | undefined) {
  const own = ctx.actor?.instructor_id ?? null
  const wanted = instructor_id ?? own
  if (wanted === null) throw refuse(422, 'no_instructor', {}, 'instructor_id')
  const within =
    wanted === own
      ? sql`true`
      : scopeCondition(ctx, 'show_instructor', { faculty: sql`i.faculty_id`, department: sql`i.department_id` })
  const { rows } = await sql<{
    data: AnswerOf<typeof courseCalls.instructorCourses>['data']
    terms: { id: number; name: string; name_local: string; code: string }[]
  }>`
    select coalesce((select json_agg(x order by x.code) from (
        select c.id, c.code, c.name, c.name_local, c.credit_hours::float8, json_agg(json_build_object('id', o.id, 'code', o.code, 'role', oi.role,
            'control_status', o.control_status, 'term', ${ref('m')}) order by m.start_date desc, o.code) as offerings
        from offering_instructors oi join offerings o on o.id = oi.offering_id and o.removed_at is null
          join courses c on c.id = o.course_id join terms m on m.id = o.term_id
        where oi.instructor_id = i.id and (${term_id ?? null}::int is null or o.term_id = ${term_id ?? null}::int)
        group by c.id) x), '[]') as data,
      coalesce((select json_agg(${ref('m')} order by m.start_date desc) from terms m where m.id in (
        select o.term_id from offering_instructors oi join offerings o on o.id = oi.offering_id where oi.instructor_id = i.id)), '[]') as terms
    from instructors i where i.id = ${wanted} and ${within}`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw refuse(404, 'not_found')
  return { data: row.data, meta: { count: row.data.length, lookup: { terms: row.terms } } }
}

export const courseHandlers: Handled[] = [
  ...courses.handlers,
  handle(courseCalls.connections, async (ctx, { params }) => ({ data: await connections(ctx, ctx.db, params.id) })),
  handle(courseCalls.sync, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      await courses.update(ctx, tx, params.id, body)
      return { data: await connections(ctx, tx, params.id) }
    }),
  ),
  handle(courseCalls.exportUniversityRequirements, (ctx, { body }) => exportRequirements(ctx, 'university', body)),
  handle(courseCalls.exportFacultyRequirements, (ctx, { body }) => exportRequirements(ctx, 'faculty', body)),
  handle(courseCalls.instructorCourses, (ctx, { body }) => instructorCourses(ctx, body.instructor_id, body.term_id)),
]
