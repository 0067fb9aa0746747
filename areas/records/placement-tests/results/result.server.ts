/** Results of placement tests: entered singly, for many, by sheet; whom they concern, and which registrations they touch. */
import { sql, type RawBuilder } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, asRefusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refText } from '#kit/server/base/sql.ts'
import { everybodys, testReach } from '../tests/test.server.ts'
import { MODELS, placementTestCalls, type PlacementRow, type TouchedByTest } from '../tests/test.contract.ts'
import { placementResult } from './result.contract.ts'

const ofStudent = (ctx: Ctx, kind: 'faculty' | 'department' | 'bylaw' | 'program' | 'advised') =>
  kind === 'advised'
    ? sql`exists (select from students s where s.id = t.student_id and ${studentReach(ctx, 's').advised})`
    : (ids: readonly number[]) =>
        sql`exists (select from students s where s.id = t.student_id and ${studentReach(ctx, 's')[kind]} = any(${[...ids]}::int[]))`

const LOAD = loadMask.toString()

/** What stands in a term that is not over against the result `t`: registrations of courses below its level, or above what is open. */
const TOUCHED = `registrations g join terms w on w.id = g.term_id and w.end_date >= (now() at time zone university_zone())::date
    join placement_courses c on c.placement_test_id = t.placement_test_id and c.course_id = g.course_id
  where g.student_id = t.student_id and g.status & ${LOAD} <> 0 and t.state = 'scored' and t.removed_at is null
    and (c.level < t.level or exists (select from placement_courses d where d.placement_test_id = c.placement_test_id
      and d.level >= t.level and d.level < c.level and not exists (select from registrations p
        where p.student_id = t.student_id and p.course_id = d.course_id and p.passed)))`

export const results = workings(placementResult, {
  scope: {
    faculty: (ctx) => ofStudent(ctx, 'faculty'),
    department: (ctx) => ofStudent(ctx, 'department'),
    bylaw: (ctx) => ofStudent(ctx, 'bylaw'),
    program: (ctx) => ofStudent(ctx, 'program'),
    advised: (ctx) => ofStudent(ctx, 'advised') as RawBuilder<unknown>,
  },
  computed: { touches: `(select count(*)::int from ${TOUCHED})` },
  search: [`(select s.search_text from students s where s.id = t.student_id)`],
  lookups: ['placement_test_id'],
  async beforeWrite(_ctx, tx, merged) {
    const reasons: Reason[] = []
    if (merged.is_exempt && merged.score != null) reasons.push({ field: 'score', code: 'placement_result_exempt' })
    const { rows } = await sql<{ takes: boolean; test: string; test_local: string }>`
      select ${takes('x', 's')} as takes, x.name as test, x.name_local as test_local
      from placement_tests x, students s where x.id = ${merged.placement_test_id}::int and s.id = ${merged.student_id}::int`.execute(
      tx,
    )
    const [row] = rows
    if (row && !row.takes)
      reasons.push({
        field: 'student_id',
        code: 'placement_not_taken_by',
        data: { test: row.test, test_local: row.test_local },
      })
    if (reasons.length) throw new Refusal(422, reasons)
  },
})

/** SQL: whether a student takes a test by faculty, bylaw and program. */
export const takes = (test: string, student: string): RawBuilder<unknown> => {
  const x = (column: string) => sql.ref(`${test}.${column}`)
  const s = (column: string) => sql.ref(`${student}.${column}`)
  return sql`(coalesce(${x('faculty_id')} = ${s('faculty_id')}, true) and coalesce(${x('bylaw_id')} = ${s('bylaw_id')}, true)
    and coalesce(${x('program_id')} = ${s('program_id')}, true))`
}

const coursesOf = (which: string): RawBuilder<unknown> =>
  sql.raw(`coalesce((select json_agg(${refText('k')} order by c.level, c.position) from placement_courses c join courses k on k.id = c.course_id
    where c.placement_test_id = x.id and ${which}), '[]')`)

/** Students in tests, those without a row as well. */
async function placements(
  db: Db | Tx,
  model: (typeof MODELS)[number],
  where: RawBuilder<unknown>,
  limit = 2000,
): Promise<PlacementRow[]> {
  const by = { student: sql`x.id`, test: sql`s.id`, faculty: sql`r.id`, bylaw: sql`r.id`, program: sql`r.id` }[model]
  const { rows } = await sql<PlacementRow>`
    select ${by} as id, ${ref('x')} as test, ${ref('s')} as student, coalesce(r.state, 'missing') as state, r.id as result_id, r.version,
      trim_scale(r.score)::text as score, trim_scale(x.max_score)::text as max_score, r.taken_on::text as taken_on, r.reason, r.level,
      l.name as level_name, l.name_local as level_name_local, x.is_required,
      ${coursesOf('c.level < r.level')} as excused, ${coursesOf('c.level = r.level')} as placed, ${coursesOf('c.level > r.level')} as above
    from placement_tests x cross join students s
      left join placement_results r on r.placement_test_id = x.id and r.student_id = s.id and r.removed_at is null
      left join placement_levels l on l.placement_test_id = x.id and l.position + 1 = r.level
    where x.removed_at is null and s.removed_at is null and (r.id is not null or ${takes('x', 's')}) and ${where}
    order by s.code, x.code limit ${limit}`.execute(db)
  return rows
}
/** Registrations of terms that are not over which these results do not permit. */
export async function touchedBy(tx: Tx, resultIds: readonly number[]): Promise<TouchedByTest[]> {
  const { rows } = await sql<TouchedByTest>`
    select ${ref('s')} as student, ${ref('k')} as course, ${ref('w')} as term,
      case when c.level < t.level then 'placement_excused' else 'placement_above' end as code
    from placement_results t join students s on s.id = t.student_id cross join lateral (
        select g.course_id, g.term_id, c.level from ${sql.raw(TOUCHED)}) c
      join courses k on k.id = c.course_id join terms w on w.id = c.term_id
    where t.id = any(${[...resultIds]}::int[]) order by s.code, k.code`.execute(tx)
  return rows
}

/** A result as it is entered. */
export interface EnteredResult {
  student_id: number
  placement_test_id: number
  score?: string | null | undefined
  is_exempt: boolean
  taken_on?: string | null | undefined
  reason?: string | null | undefined
  version?: number | undefined
}

/**
 * Stores results, all or none, each as the resource does: what is wrong is told with the place of its entry.
 * @throws {Refusal} 422 with every wrong entry; 409 when somebody changed one meanwhile
 */
export async function store(
  ctx: Ctx,
  tx: Tx,
  entries: readonly EnteredResult[],
  /** What the caller calls a field of the record. */
  called: (field: string) => string = (field) => field,
): Promise<number[]> {
  const reasons: Reason[] = []
  const done: number[] = []
  // One after the other in one order, so that two officers wait for each other and never in a ring.
  const order = entries
    .map((entry, i) => [entry, i] as const)
    .toSorted(([a], [b]) => a.student_id - b.student_id || a.placement_test_id - b.placement_test_id)
  for (const [{ student_id, placement_test_id, version, ...one }, i] of order) {
    const { rows } = await sql<{
      id: number
      removed: boolean
    }>`select id, removed_at is not null as removed from placement_results
      where student_id = ${student_id} and placement_test_id = ${placement_test_id}`.execute(tx)
    const [there] = rows
    const values = {
      score: one.score ?? null,
      is_exempt: one.is_exempt,
      taken_on: one.taken_on ?? null,
      reason: one.reason ?? null,
    }
    try {
      await ctx.attempt(async () => {
        if (!there) return void done.push(await results.insert(ctx, tx, { ...values, student_id, placement_test_id }))
        if (there.removed) await sql`update placement_results set removed_at = null where id = ${there.id}`.execute(tx)
        await results.update(ctx, tx, there.id, { ...values, ...(version !== undefined && { version }) })
        done.push(there.id)
      })
    } catch (error) {
      const refusal = asRefusal(error)
      if (!refusal || refusal.status === 503 || refusal.reasons[0]?.code === 'changed_meanwhile') throw error
      reasons.push(
        ...refusal.reasons.map((reason) => ({ ...reason, field: `results.${i}.${called(reason.field ?? 'id')}` })),
      )
    }
  }
  if (reasons.length) throw new Refusal(422, reasons)
  return done
}

const LOOK = ['access_placementResult', 'show_placementResult'] as const
const WRITE = ['add_placementResult', 'edit_placementResult'] as const

export const resultHandlers: readonly Handled[] = [
  ...results.handlers,
  handle(placementTestCalls.placements, async (ctx, { params: { model, id } }) => {
    if (model !== 'student' && !ctx.can(...LOOK)) throw refuse(404, 'not_found')
    const mine = scopeCondition(ctx, LOOK, studentReach(ctx, 's'))
    if (model === 'student') {
      const own = sql`(s.id = ${ctx.actor?.student_id ?? null}::int and ${ctx.can('access_student')})`
      const seen = scopeCondition(ctx, ['show_student_record', 'show_students'], studentReach(ctx, 's'))
      const { rows } = await sql<{ open: boolean }>`select coalesce(${mine} or ${own}, false) as open from students s
        where s.id = ${id} and s.removed_at is null and (${mine} or ${own} or ${seen})`.execute(ctx.db)
      const [found] = rows
      if (!found) throw refuse(404, 'not_found')
      // Who sees the record by another right, and has this one elsewhere, is shown the record without it.
      if (!found.open) return { data: [] }
      return { data: await placements(ctx.db, model, sql`s.id = ${id}`) }
    }
    if (model === 'test') {
      const { rows } = await sql`select from placement_tests t where t.id = ${id} and t.removed_at is null
        and (${scopeCondition(ctx, LOOK, testReach())} or ${everybodys()})`.execute(ctx.db)
      if (!rows.length) throw refuse(404, 'not_found')
      return { data: await placements(ctx.db, model, sql`x.id = ${id} and s.status = 'studying' and ${mine}`) }
    }
    const column = { faculty: sql`s.faculty_id`, bylaw: sql`s.bylaw_id`, program: sql`s.program_id` }[model]
    return { data: await placements(ctx.db, model, sql`${column} = ${id} and r.id is not null and ${mine}`) }
  }),
  handle(placementTestCalls.update, (ctx, { params: { model, id }, body }) =>
    ctx.write(async (tx) => {
      // An address of what is not there, or not for this reader, is told as such; a result of it would be a broken reference.
      const { rows: there } = await (
        model === 'test'
          ? sql`select from placement_tests t where t.id = ${id} and t.removed_at is null
              and (${scopeCondition(ctx, WRITE, testReach())} or ${everybodys()})`
          : sql`select from students s where s.id = ${id} and s.removed_at is null
              and ${scopeCondition(ctx, WRITE, studentReach(ctx, 's'))}`
      ).execute(tx)
      if (!there.length) throw refuse(404, 'not_found')
      const named = model === 'test' ? 'student_id' : 'placement_test_id'
      const done = await store(
        ctx,
        tx,
        body.results.map((one) => ({
          ...one,
          student_id: model === 'student' ? id : one.id,
          placement_test_id: model === 'test' ? id : one.id,
        })),
        (field) => (field === named ? 'id' : field),
      )
      return { data: await placements(tx, model, sql`r.id = any(${done}::int[])`), touched: await touchedBy(tx, done) }
    }),
  ),
  handle(placementTestCalls.createMissing, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => {
      const { rows: tests } = await sql<{
        name: string
        name_local: string
      }>`select t.name, t.name_local from placement_tests t
        where t.id = ${id} and t.removed_at is null and (${scopeCondition(ctx, 'add_placementResult', testReach())} or ${everybodys()})
        for no key update`.execute(tx)
      const [test] = tests
      if (!test) throw refuse(404, 'not_found')
      const { rows } = await sql<{ student_id: number; user_id: number | null }>`
        with made as (
          insert into placement_results (code, placement_test_id, student_id)
          select x.code || '-' || s.code, x.id, s.id from placement_tests x join students s on ${takes('x', 's')}
          where x.id = ${id} and s.removed_at is null and s.status = 'studying'
            and (${body.entry_term_id ?? null}::int is null or s.entry_term_id = ${body.entry_term_id ?? null}::int)
            and ${scopeCondition(ctx, 'add_placementResult', studentReach(ctx, 's'))}
            and not exists (select from registrations r join placement_courses c on c.course_id = r.course_id and c.placement_test_id = x.id
              where r.student_id = s.id and r.passed)
          on conflict do nothing returning student_id)
        select m.student_id, s.user_id from made m join students s on s.id = m.student_id`.execute(tx)
      await notify(
        tx,
        rows.map((row) => row.user_id),
        {
          key: 'placement-tests.notice_due',
          data: { test: test.name, test_local: test.name_local },
          link: '/student-academic',
        },
      )
      const { rows: all } = await sql<{ there: number }>`select count(*)::int as there from placement_results
        where placement_test_id = ${id} and removed_at is null`.execute(tx)
      return { data: { created: rows.length, there: all[0]!.there } }
    }),
  ),
]
