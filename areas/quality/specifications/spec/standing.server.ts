/** How far specifications are, by department: of programs, and of the courses that are offered in the year. */
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { specificationFacts } from '../matrix/facts.server.ts'
import { specificationGaps } from '../matrix/gaps.rules.ts'
import { specStandingCalls, type SpecificationStanding } from './standing.contract.ts'

type Ref = { id: number; name: string }
type Counted = Record<SpecificationStanding, number>
interface Department {
  faculty: Ref | null
  department: Ref | null
  courses: Counted
  programs: Counted
}
interface Of {
  type: 'course' | 'program'
  of: Ref
  specification_id: number | null
  standing: SpecificationStanding
}
const KEYS: readonly PermissionKey[] = ['approve_specification', 'export_specification']
/** Where the thing `x` belongs; who teaches or is bound otherwise sees the own specifications in the list. */
const reachOf = (ctx: Ctx): Pick<ScopeParts, 'faculty' | 'department' | 'own'> => {
  const instructor = ctx.actor?.instructor_id ?? null
  return {
    faculty: sql`x.faculty_id`,
    department: sql`x.department_id`,
    own:
      instructor === null
        ? sql`false`
        : sql`exists (select from departments hd where hd.id = x.department_id and hd.head_id = ${instructor})`,
  }
}
const counts = (type: string) =>
  sql.raw(
    `json_build_object(${['approved', 'submitted', 'sent_back', 'draft', 'none']
      .map((one) => `'${one}', count(*) filter (where x.type = '${type}' and x.standing = '${one}')`)
      .join(', ')})`,
  )

/** Courses offered in the year and programs that are not removed, each with its latest version of the year. */
const all = (year: number) => sql`(
  select b.type, b.id, b.faculty_id, b.department_id, l.id as specification_id, coalesce(l.status, 'none') as standing
  from (select 'course' as type, c.id, c.faculty_id, c.department_id from courses c where c.removed_at is null
        and exists (select from offerings o join terms w on w.id = o.term_id where o.course_id = c.id and w.year_id = ${year} and o.removed_at is null)
      union all select 'program', p.id, p.faculty_id, p.department_id from programs p where p.removed_at is null) b
    left join lateral (select s.id, s.status from specifications s where s.year_id = ${year} and s.removed_at is null
      and case b.type when 'course' then s.course_id = b.id else s.program_id = b.id end
      order by s.revision desc limit 1) l on true)`

export const specStandingHandlers: readonly Handled[] = [
  handle(specStandingCalls.standing, async (ctx, { body }) => {
    const { rows: years } = await sql<{ id: number | null; year: Ref | null }>`
      select y.id, ${refOrNull('y')} as year from (select 1) one left join years y on y.id = coalesce(${body.year_id ?? null}::int,
        (select k.id from years k where k.removed_at is null and k.start_date <= university_today() order by k.start_date desc limit 1))`.execute(
      ctx.db,
    )
    const { id: year_id, year } = firstRow(years)
    if (year_id === null) return { data: { year: null, departments: [], of: [] } }
    const within = scopeCondition(ctx, KEYS, reachOf(ctx))
    const { rows: departments } = await sql<Department>`
      select ${refOrNull('f')} as faculty, ${refOrNull('d')} as department, ${counts('course')} as courses, ${counts('program')} as programs
      from ${all(year_id)} x left join faculties f on f.id = x.faculty_id left join departments d on d.id = x.department_id
      where (${body.faculty_id ?? null}::int is null or x.faculty_id = ${body.faculty_id ?? null}) and ${within}
      group by f.id, d.id order by f.code nulls first, d.code nulls first`.execute(ctx.db)
    if (body.department_id === undefined) return { data: { year, departments, of: [] } }
    const { rows: of } = await sql<Of>`
      select x.type, coalesce((select ${ref('c')} from courses c where x.type = 'course' and c.id = x.id),
        (select ${ref('p')} from programs p where x.type = 'program' and p.id = x.id)) as of, x.specification_id, x.standing
      from ${all(year_id)} x where x.department_id = ${body.department_id} and ${within} order by x.type desc, x.id`.execute(
      ctx.db,
    )
    const facts = await specificationFacts(
      ctx.db,
      of.flatMap((one) => (one.specification_id === null ? [] : [one.specification_id])),
    )
    return {
      data: {
        year,
        departments,
        of: of.map((one) => {
          const known = one.specification_id === null ? undefined : facts.get(one.specification_id)
          const gaps = known ? specificationGaps(known) : []
          return { ...one, gaps: gaps.map(({ blocks, reason }) => ({ blocks, problem: toProblem(reason) })) }
        }),
      },
    }
  }),
]
