/** Levels of years and their results, as they are listed and shown. */
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { sql } from 'kysely'
import { describe as inWords, type Problem } from '#areas/common/academics/problem.rules.ts'
import { trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { listedMains, maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import { id as anId, type ListQuery } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { ref } from '#kit/server/base/sql.ts'
import { z } from 'zod'
import type { Degree } from './degree.server.ts'
import { reasonTexts, type ReasonCode } from './reasons.contract.ts'
import type { LevelResultRow, ResultCourse, ResultHead, StudentLevelResult } from './levels.contract.ts'
import { levelScope } from './reach.server.ts'
import type { KeptCourse } from './preview.server.ts'
import { OUTCOMES } from './words.contract.ts'

const LISTED = maskOf(listedMains)

const oneOf = (column: string, schema: z.ZodType, name: string) => (value: unknown) => {
  const wanted = parse(z.union([schema, z.array(schema).max(100)]), value, ['filters', name])
  return sql`${sql.raw(column)} = any(${Array.isArray(wanted) ? wanted : [wanted]})`
}

const SAME = 'y.bylaw_id = t.bylaw_id and y.year_id = t.year_id and y.level = t.level'
const LAST = `(select r.id, r.status, r.made_at from level_results r where r.bylaw_id = t.bylaw_id and r.year_id = t.year_id
  and r.level = t.level and r.status <> 'undone' and not r.named order by r.id desc limit 1)`

function source(ctx: Ctx): ListSource {
  return {
    from: sql`(select min(id) as id, bylaw_id, year_id, level, count(*)::int as students from student_years group by 2, 3, 4) t
      join bylaws b on b.id = t.bylaw_id join years x on x.id = t.year_id
      left join bylaw_levels n on n.bylaw_id = t.bylaw_id and n.level = t.level
      left join lateral ${sql.raw(LAST)} l on true
      left join second_sessions s on s.bylaw_id = t.bylaw_id and s.year_id = t.year_id and s.level = t.level`,
    select: sql`t.id, t.bylaw_id, t.year_id, t.level, t.students, ${ref('b')} as bylaw, ${ref('x')} as year,
      coalesce(n.name, 'Level ' || t.level) as name, coalesce(n.name_local, 'المستوى ' || t.level) as name_local,
      (select count(*)::int from student_years y join level_result_students a on a.student_year_id = y.id and a.applied
        where ${sql.raw(SAME)}) as decided,
      (select count(distinct o.id)::int from student_years y join registrations r on r.student_id = y.student_id
        join terms w on w.id = r.term_id and w.year_id = y.year_id join offerings o on o.id = r.offering_id
        where ${sql.raw(SAME)} and r.status & ${sql.raw(LISTED)} <> 0 and o.control_status not in ('Approved', 'Published', 'Frozen')) as below_approved,
      coalesce(l.status, case when s.id is null then 'open' else 'second_session' end) as state,
      (select ${ref('w')} from terms w where w.id = s.term_id) as second_session, b.second_session as has_second_session,
      exists (select from grace_rules g where g.bylaw_id = t.bylaw_id and g.year_id = t.year_id) as has_rule,
      l.id as result_id, l.made_at, ${levelScope(ctx, 'apply_level_result')} as may`,
    where: [levelScope(ctx, 'access_level_result')],
    search: ['b.search_text', 'x.search_text'],
    sort: { year: 'x.start_date', bylaw: 'b.code', level: 't.level', students: 't.students' },
    order: ['year', 'desc'],
    filters: {
      year_id: oneOf('t.year_id', anId, 'year_id'),
      bylaw_id: oneOf('t.bylaw_id', anId, 'bylaw_id'),
      faculty_id: oneOf('b.faculty_id', anId, 'faculty_id'),
      level: oneOf('t.level', z.int().min(0).max(7), 'level'),
    },
  }
}

/** Levels of years, with where each stands. */
export async function listLevels(ctx: Ctx, query: ListQuery) {
  type Row = Omit<LevelResultRow, 'abilities'> & { may: boolean }
  const { data, meta } = await pagedList<Row>(ctx, source(ctx), query)
  return {
    data: data.map(({ may, ...row }) => ({
      ...row,
      abilities: may
        ? [
            ...(row.decided < row.students ? ['preview'] : []),
            ...(row.has_second_session && !row.second_session && row.decided === 0 ? ['second_session'] : []),
          ]
        : [],
    })),
    meta,
  }
}

const told = (reasons: readonly { code: string; data: Record<string, unknown> }[]) =>
  reasons.map(({ code, data }) => {
    const { en, ar } = inWords({ code, field: null, data } as Problem<ReasonCode>, reasonTexts)
    return { code, data, en, ar }
  })

const hundredths = (value: number | null): string | null => (value === null ? null : trimHundredths(value))

/** The students of a result. */
export async function listStudents(ctx: Ctx, id: number, query: ListQuery) {
  interface Row extends Omit<StudentLevelResult, 'courses' | 'reasons' | 'degree'> {
    courses: (KeptCourse & { code: string; name: string; name_local: string })[]
    reasons: { code: string; data: Record<string, unknown> }[]
    degree: Degree | null
  }
  const outcomes = z.enum(OUTCOMES.map((one) => one.value))
  const { data, meta } = await pagedList<Row>(
    ctx,
    {
      from: sql`level_result_students t join students s on s.id = t.student_id`,
      select: sql`t.student_id as id, ${ref('s')} as student, t.outcome_before, t.outcome, t.rating_before, t.rating,
        trim_scale(t.marks)::text as marks, trim_scale(t.maximum)::text as maximum, trim_scale(t.grace)::text as grace,
        trim_scale(t.grace_on_sum)::text as grace_on_sum, t.failed, t.uses_chance, t.applied, t.reasons, t.degree,
        (select coalesce(json_agg(k || jsonb_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local) order by c.code), '[]')
          from jsonb_array_elements(t.courses) k ${sql.raw(joinCourse(`(k ->> 'c')::int`, `(k ->> 'o')::int`))}) as courses`,
      where: [
        sql`t.level_result_id = ${id}`,
        sql`exists (select from level_results r join bylaws b on b.id = r.bylaw_id
          where r.id = t.level_result_id and ${levelScope(ctx, 'access_level_result')})`,
      ],
      search: ['s.search_text'],
      sort: {
        code: 's.code',
        name: 's.name collate "und-x-icu"',
        name_local: 's.name_local collate "ar-x-icu"',
        marks: 't.marks',
        grace: 't.grace',
        outcome: 't.outcome',
      },
      order: ['code', 'asc'],
      key: 't.student_id',
      filters: {
        outcome: oneOf('t.outcome', outcomes, 'outcome'),
        outcome_before: oneOf('t.outcome_before', outcomes, 'outcome_before'),
        turned: (value) => (value === true ? sql`t.grace > 0` : sql`t.grace = 0`),
      },
    },
    query,
  )
  return {
    data: data.map(({ courses, reasons, degree, ...row }) => ({
      ...row,
      reasons: told(reasons),
      degree: degree && {
        rating: degree.rating,
        share: degree.share,
        honours: degree.honours,
        problems: told(degree.problems as never),
      },
      courses: courses.map((course): ResultCourse => ({
        registration_id: course.r,
        course_id: course.c,
        code: course.code,
        name: course.name,
        name_local: course.name_local,
        mark: hundredths(course.m),
        maximum: trimHundredths(course.x),
        state: course.s,
        carried: course.k,
        grace: course.g ? trimHundredths(course.g) : null,
      })),
    })),
    meta,
  }
}

/** One result: figures, who did what, what can be done. */
export async function showResult(ctx: Ctx, id: number): Promise<ResultHead> {
  const person = (column: string) =>
    sql`(select json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) from users u where u.id = ${sql.ref(column)})`
  const { rows } = await sql<Omit<ResultHead, 'abilities'> & { may: boolean }>`
    select r.id, r.version, r.bylaw_id, r.year_id, r.level, r.status, r.rule, r.named, ${ref('b')} as bylaw, ${ref('x')} as year,
      coalesce(n.name, 'Level ' || r.level) as name, coalesce(n.name_local, 'المستوى ' || r.level) as name_local,
      r.made_at, r.applied_at, r.announced_at, r.undone_at, ${person('r.made_by')} as made_by, ${person('r.applied_by')} as applied_by,
      ${person('r.announced_by')} as announced_by, ${person('r.undone_by')} as undone_by, f.*,
      (select coalesce(json_agg(json_build_object('outcome', o.outcome, 'before', o.before, 'after', o.after)), '[]') from (
        select outcome, sum(before)::int as before, sum(after)::int as after from (
          select outcome_before as outcome, 1 as before, 0 as after from level_result_students where level_result_id = r.id
          union all select outcome, 0, 1 from level_result_students where level_result_id = r.id) e group by 1) o) as outcomes,
      (select coalesce(json_agg(json_build_object('rating', json_build_object('code', g.code, 'name', g.name, 'name_local', g.name_local),
          'before', coalesce(o.before, 0), 'after', coalesce(o.after, 0)) order by g.from_share desc), '[]')
        from bylaw_ratings g left join (select rating, sum(before)::int as before, sum(after)::int as after from (
          select rating_before as rating, 1 as before, 0 as after from level_result_students where level_result_id = r.id
          union all select rating, 0, 1 from level_result_students where level_result_id = r.id) e group by 1) o on o.rating = g.code
        where g.bylaw_id = r.bylaw_id) as ratings,
      (select count(distinct l.student_id)::int from level_result_students l
        cross join jsonb_to_recordset(l.courses) as k(r int, m int, s text, g int) join registrations q on q.id = k.r
        where l.level_result_id = r.id and k.s in ('passed', 'failed') and (r.status = 'previewed' or l.applied)
          and ((q.total * 100)::int is distinct from k.m or q.passed is distinct from (k.s = 'passed' or (l.applied and k.g > 0)))) as changed,
      (select coalesce(json_agg(json_build_object('id', e.id, 'status', e.status, 'made_at', e.made_at, 'named', e.named, 'students',
          (select count(*)::int from level_result_students c where c.level_result_id = e.id)) order by e.id desc), '[]')
        from level_results e where e.bylaw_id = r.bylaw_id and e.year_id = r.year_id and e.level = r.level and e.id <> r.id) as others,
      ${levelScope(ctx, 'apply_level_result')} as may
    from level_results r join bylaws b on b.id = r.bylaw_id join years x on x.id = r.year_id
    left join bylaw_levels n on n.bylaw_id = r.bylaw_id and n.level = r.level
    cross join lateral (select count(*)::int as students, count(*) filter (where l.grace > 0)::int as with_grace,
        trim_scale(coalesce(sum(l.grace), 0))::text as grace,
        count(*) filter (where l.outcome in ('waiting', 'second_session'))::int as waiting
      from level_result_students l where l.level_result_id = r.id) f
    where r.id = ${id} and ${levelScope(ctx, 'access_level_result')}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { may, ...head } = found
  return {
    ...head,
    abilities: may
      ? {
          previewed: ['apply', 'preview'],
          applied: ['announce', 'undo'],
          announced: ['undo'],
          undone: ['preview'],
        }[head.status]
      : [],
  }
}
