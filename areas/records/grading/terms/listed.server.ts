import { basisSql } from '#areas/records/degree-audit/audits/basis.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { id } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { filterConditions, searchCondition, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refText } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf, yesNo } from '../control/control.server.ts'
import { listedMains, maskOf } from '../grades/grades.rules.ts'
import { STANDINGS } from '#areas/common/academics/grading-words.contract.ts'

export const LISTED = maskOf(listedMains)
/** States of which the result is control's matter; who has left a course waits for nobody. */
export const WAITING_STATUSES = maskOf(
  listedMains.filter((main) => !['Withdrawn', 'ForcedWithdrawn', 'Excused'].includes(main)),
)
export const SETTLED = `o.control_status in ('Approved', 'Published', 'Frozen')`

// --- List -----------------------------------------------------------------------------------------------------------

export const recordsInTerm = (
  what: string,
  term_id: number,
  more = '',
): string => `(select ${what} from registrations r join offerings o on o.id = r.offering_id
  where r.student_id = t.id and r.term_id = ${term_id} and r.status & ${LISTED} <> 0${more})`
const BELOW = ` and r.status & ${WAITING_STATUSES} <> 0 and not ${SETTLED}`
export const WAITS = ` and r.status & ${WAITING_STATUSES} <> 0 and (not ${SETTLED} or r.letter is null)`
/** SQL: whether the student `t` studies by marks: no GPA, and no rows of terms. */
export const BY_MARKS = `(select b.program_type in ('term', 'annual') from bylaws b where b.id = t.bylaw_id) is true`
/** SQL: the bylaw of student `t` does not say by what it works: nothing tells by which rules a term would be finished. */
export const UNTYPED = `(select b.program_type is null from bylaws b where b.id = t.bylaw_id)`
/** SQL: whether row `x` is the last that the student `t` has, while he or she studies: its eligibility for graduation counts. */
export const COUNTS = `x.revised_since is null and t.status in ('studying', 'suspended') and x.term_id = (select y.term_id
  from student_terms y join terms w on w.id = y.term_id where y.student_id = t.id order by w.start_date desc, w.id desc limit 1)`
/** SQL: what its eligibility stood on has changed since. What is not known (rows that were loaded) is taken to hold. */
export const outdated = (basis: string): string => `x.graduation_basis is not null and x.graduation_basis <> ${basis}`
/** SQL: ids of students of a term of whom it has; what programs require is found once for each. */
const outdatedIn = (
  term_id: number,
): string => `(select t.id from student_terms x join students t on t.id = x.student_id
    join (select program_id, bylaw_id, degree_basis(program_id, bylaw_id) as basis
      from (select distinct program_id, bylaw_id from students) k) d on d.program_id = t.program_id and d.bylaw_id = t.bylaw_id
  where x.term_id = ${term_id} and ${outdated(basisSql('t', 'd.basis'))} and ${COUNTS})`
const WITHOUT = ` and r.status & ${WAITING_STATUSES} <> 0 and ${SETTLED} and r.letter is null`

export function source(ctx: Ctx, term_id: number, access: PermissionKey): ListSource {
  const rowOf = `from student_terms x where x.student_id = t.id and x.term_id = ${term_id}`
  // What is being revised is valid for nobody: its figures are not shown.
  const row = (column: string) => `(select x.${column} ${rowOf} and x.revised_since is null)`
  return {
    from: sql`students t join programs p on p.id = t.program_id`,
    select: sql`${sql.raw(`t.id, t.code, t.name, t.name_local, t.level, ${term_id}::int as term_id, ${refText('p')} as program,
        (select ${refText('f')} from faculties f where f.id = t.faculty_id) as faculty,
        ${recordsInTerm('count(*)::int', term_id)} as courses, ${recordsInTerm('coalesce(sum(r.credit_hours), 0)::float8', term_id)} as hours,
        ${recordsInTerm('count(*)::int', term_id, BELOW)} as below_approved, ${recordsInTerm('count(*)::int', term_id, WITHOUT)} as without_result,
        ${BY_MARKS} as by_marks, ${UNTYPED} as untyped, exists ${row('student_id')} as finished, exists (select ${rowOf} and x.revised_since is not null) as revised, ${row('gpa')} as gpa, ${row('cumulative_gpa')} as cumulative_gpa,
        ${row('standing')} as standing, ${row('warnings')} as warnings, ${row('graduation is null')} as may_graduate,
        exists (select ${rowOf} and ${outdated(basisSql('t'))} and ${COUNTS}) as graduation_outdated`)},
      ${scopeCondition(ctx, 'finish_term', studentReach(ctx))} as may_finish`,
    where: [
      sql`t.removed_at is null`,
      scopeCondition(ctx, access, studentReach(ctx)),
      sql.raw(
        `exists (select from registrations r where r.term_id = ${term_id} and r.student_id = t.id and r.status & ${LISTED} <> 0)`,
      ),
    ],
    search: ['t.search_text'],
    sort: {
      code: 't.code',
      name: 't.name collate "und-x-icu"',
      name_local: 't.name_local collate "ar-x-icu"',
      level: 't.level',
      program: 'p.code',
      gpa: row('gpa'),
      cumulative_gpa: row('cumulative_gpa'),
      warnings: row('warnings'),
      hours: recordsInTerm('coalesce(sum(r.credit_hours), 0)', term_id),
      below_approved: recordsInTerm('count(*)', term_id, BELOW),
    },
    order: ['code', 'asc'],
    filters: {
      faculty_id: oneOf('t.faculty_id', id, 'faculty_id'),
      program_id: oneOf('t.program_id', id, 'program_id'),
      bylaw_id: oneOf('t.bylaw_id', id, 'bylaw_id'),
      level: oneOf('t.level', z.int().min(0).max(100), 'level'),
      finished: yesNo(`exists ${row('student_id')}`, 'finished'),
      revised: yesNo(`exists (select ${rowOf} and x.revised_since is not null)`, 'revised'),
      waiting: yesNo(`(${UNTYPED} or exists ${recordsInTerm('', term_id, WAITS)})`, 'waiting'),
      standing: (value) => {
        const wanted = parse(
          z
            .array(z.enum(STANDINGS.map((one) => one.value)))
            .or(z.enum(STANDINGS.map((one) => one.value)).transform((one) => [one])),
          value,
          ['filters', 'standing'],
        )
        return sql`${sql.raw(row('standing'))} = any(${wanted})`
      },
      may_graduate: yesNo(`coalesce(${row('graduation is null')}, false)`, 'may_graduate'),
      graduation_outdated: yesNo(`t.id in ${outdatedIn(term_id)}`, 'graduation_outdated'),
    },
  }
}

/** Takes the term out of the filters: it shapes the whole query. */
export function filteredTermOf(filters: Readonly<Record<string, unknown>>): {
  term_id: number | undefined
  rest: Record<string, unknown>
} {
  const { term_id, ...rest } = filters
  const asked = Array.isArray(term_id) ? (term_id[0] as unknown) : term_id
  return {
    term_id:
      asked === undefined || asked === null || asked === '' ? undefined : parse(id, asked, ['filters', 'term_id']),
    rest,
  }
}

export interface Selection {
  term_id?: number | null
  ids?: readonly number[]
  filters: Record<string, unknown>
  search: string
}

/** The rows of the students whom a selection names, as far as the reader may finish their terms. */
export function selection(ctx: Ctx, { term_id, ids, filters, search }: Selection) {
  if (!term_id) throw refuse(422, 'FinishTermError', undefined, 'term_id')
  const { rest } = filteredTermOf(filters)
  const from = source(ctx, term_id, 'finish_term')
  // Under a regulation by marks years are settled, not terms.
  const conditions = [...from.where, sql.raw(`not ${BY_MARKS}`), ...filterConditions(rest, from.filters ?? {})]
  const words = searchCondition(search, from.search ?? [])
  if (words) conditions.push(words)
  if (ids) conditions.push(sql`t.id = any(${ids}::int[])`)
  return { term_id, rows: sql`from ${from.from} where ${sql.join(conditions, sql` and `)}` }
}
export async function selected(ctx: Ctx, given: Selection): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select t.id ${selection(ctx, given).rows} order by t.id`.execute(ctx.db)
  return rows.map((row) => row.id)
}
