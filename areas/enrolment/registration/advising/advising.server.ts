/** Academic advisors, their students, and who advises whom. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { instructorReach } from '#areas/people/people/instructors/instructor.server.ts'
import type { AnswerOf, ListQuery, PaperLanguage } from '#kit/contract/index.ts'
import { inLanguage, listQuery } from '#kit/contract/index.ts'
import type { Ctx, FileResult, Handled } from '#kit/server/base/context.ts'
import { handle } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { pagedList, searchCondition, wholeList, type ListSource } from '#kit/server/resource/list.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { isId, scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { EXPORT_LIMIT, paperLang, tableFile, type ExportColumn } from '#kit/server/resource/transfer.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { BulkResult } from '../changes/bulk.contract.ts'
import { studentScope } from '../capacity.server.ts'
import { flag, loadMask } from '#areas/common/academics/status.rules.ts'
import { advisingCalls, type AdviseeRow, type AdvisorRow } from './advising.contract.ts'
import { distribute, type Advisee, type Advisor } from './advising.rules.ts'

const KEYS = ['access_advising', 'edit_advising'] as const
const WAITING = flag.RegisterRequest | flag.AddRequest | flag.DropRequest | flag.WithdrawRequest | flag.ExcuseRequest
const bits = (value: bigint): RawBuilder<unknown> => sql.raw(value.toString())

/** Instructors (alias `i`) as everywhere; an advisor reaches the own row. */
const instructorScope = (ctx: Ctx): ScopeParts => ({
  ...instructorReach('i'),
  advised: isId(sql`i.id`, ctx.actor?.instructor_id),
})

// --- Students ---------------------------------------------------------------------------------------------------------

const waitingOf = sql`(select count(*)::int from registrations r join terms t on t.id = r.term_id
  where r.student_id = s.id and r.status & ${bits(WAITING)} <> 0 and t.end_date >= university_today())`

const adviseeColumns = sql`s.id, s.code, s.name, s.name_local, ${refOrNull('p')} as program, ${refOrNull('f')} as faculty, s.level, s.status, s.gpa, s.passed_hours::float8, s.warnings,
  (select coalesce(sum(r.credit_hours), 0)::float8 from registrations r where r.student_id = s.id and r.status & ${bits(loadMask)} <> 0
    and r.term_id = ${currentTermId()} and not outweighed(r.id)) as hours,
  ${waitingOf} as waiting,
  ((select count(*) from standing_holds h where h.student_id = s.id)
    + (s.blocked_at is not null)::int)::int as holds, ${refOrNull('a')} as advisor`

const adviseeSource = (where: RawBuilder<unknown>): ListSource => ({
  from: sql`students s join programs p on p.id = s.program_id join faculties f on f.id = s.faculty_id left join instructors a on a.id = s.advisor_id`,
  select: adviseeColumns,
  where: [sql`s.removed_at is null and s.status = 'studying'`, where],
  search: ['s.search_text'],
  sort: {
    code: 's.code',
    name: 's.name',
    name_local: 's.name_local collate "ar-x-icu"',
    level: 's.level',
    gpa: 's.gpa',
    passed_hours: 's.passed_hours',
    warnings: 's.warnings',
    waiting: waitingOf,
  },
  order: ['code', 'asc'],
  filters: {
    faculty_id: (value) => sql`s.faculty_id = any(${ids(value)}::int[])`,
    department_id: (value) => sql`p.department_id = any(${ids(value)}::int[])`,
    program_id: (value) => sql`s.program_id = any(${ids(value)}::int[])`,
    level: (value) => sql`s.level = any(${ids(value)}::int[])`,
    advisor_id: (value) => sql`s.advisor_id = any(${ids(value)}::int[])`,
    without_advisor: (value) => (value === true ? sql`s.advisor_id is null` : sql`s.advisor_id is not null`),
    waiting: (value) => (value === true ? sql`${waitingOf} > 0` : sql`true`),
    at_risk: (value) =>
      value === true
        ? sql`(s.warnings > 0 or s.gpa < (select b.warning_gpa from bylaws b where b.id = s.bylaw_id))`
        : sql`true`,
    warned: (value) => (value === true ? sql`s.warnings > 0` : sql`true`),
  },
  key: 's.id',
})

/** A filter by one id or several. @throws {Refusal} 422 */
function ids(value: unknown): number[] {
  const list = Array.isArray(value) ? value : [value]
  if (!list.every((one) => Number.isSafeInteger(one) && one >= 0 && one < 2 ** 31))
    throw refuse(422, 'wrong_type', undefined, 'filters')
  return list as number[]
}

/** Columns of an export in the reader's language, and how it names what a row points to. */
const columnsIn = <Row>(lang: PaperLanguage) => ({
  of: (row: { name: string; name_local?: string | null } | null) =>
    row ? (lang === 'ar' && row.name_local) || row.name : null,
  column: (
    label: readonly [string, string],
    type: ExportColumn<Row>['type'],
    text: ExportColumn<Row>['text'],
  ): ExportColumn<Row> => ({ header: inLanguage(label, lang), type, text }),
})

const adviseeExport = (lang: PaperLanguage): ExportColumn<AdviseeRow>[] => {
  const { of, column } = columnsIn<AdviseeRow>(lang)
  return [
    column(['Code', 'الكود'], 'text', (row) => row.code),
    column(['English name', 'الاسم بالإنجليزية'], 'text', (row) => row.name),
    column(['Arabic name', 'الاسم بالعربية'], 'text', (row) => row.name_local),
    column(['Faculty', 'الكلية'], 'text', (row) => of(row.faculty)),
    column(['Program', 'البرنامج'], 'text', (row) => of(row.program)),
    column(['Level', 'المستوى'], 'number', (row) => row.level),
    column(['GPA', 'المعدل التراكمي'], 'decimal', (row) => row.gpa),
    column(['Passed hours', 'الساعات المجتازة'], 'number', (row) => row.passed_hours),
    column(['Hours this term', 'ساعات الفصل'], 'number', (row) => row.hours),
    column(['Waiting requests', 'طلبات منتظرة'], 'number', (row) => row.waiting),
    column(['Warnings', 'الإنذارات'], 'number', (row) => row.warnings),
    column(['Academic advisor', 'المرشد الأكاديمي'], 'text', (row) => of(row.advisor)),
  ]
}

// --- Advisors ---------------------------------------------------------------------------------------------------------

const advisedCount = sql`(select count(*)::int from students s where s.advisor_id = i.id and s.removed_at is null and s.status = 'studying')`
const advisorColumns = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`i.id, i.code, i.name, i.name_local, i.academic_title, ${refOrNull('f')} as faculty, ${refOrNull('d')} as department,
  i.max_advised, n.advised, greatest(i.max_advised - n.advised, 0) as free,
  (select count(*)::int from students s where s.advisor_id = i.id and s.removed_at is null and ${waitingOf} > 0) as waiting,
  case when ${scopeCondition(ctx, 'edit_advising', instructorScope(ctx))} then array['edit', 'remove'] else '{}' end as abilities`

const advisorSource = (ctx: Ctx, where: RawBuilder<unknown> = sql`true`): ListSource => ({
  from: sql`instructors i join faculties f on f.id = i.faculty_id left join departments d on d.id = i.department_id
    cross join lateral (select ${advisedCount} as advised) n`,
  select: advisorColumns(ctx),
  where: [
    sql`i.removed_at is null and i.max_advised is not null`,
    scopeCondition(ctx, KEYS, instructorScope(ctx)),
    where,
  ],
  search: ['i.search_text'],
  sort: {
    code: 'i.code',
    name: 'i.name',
    name_local: 'i.name_local collate "ar-x-icu"',
    advised: 'n.advised',
    max_advised: 'i.max_advised',
    free: 'i.max_advised - n.advised',
  },
  order: ['name', 'asc'],
  filters: {
    faculty_id: (value) => sql`i.faculty_id = any(${ids(value)}::int[])`,
    department_id: (value) => sql`i.department_id = any(${ids(value)}::int[])`,
    with_places: (value) => (value === true ? sql`n.advised < i.max_advised` : sql`true`),
  },
  key: 'i.id',
})

const advisorExport = (lang: PaperLanguage): ExportColumn<AdvisorRow>[] => {
  const { of, column } = columnsIn<AdvisorRow>(lang)
  return [
    column(['Code', 'الكود'], 'text', (row) => row.code),
    column(['English name', 'الاسم بالإنجليزية'], 'text', (row) => row.name),
    column(['Arabic name', 'الاسم بالعربية'], 'text', (row) => row.name_local),
    column(['Faculty', 'الكلية'], 'text', (row) => of(row.faculty)),
    column(['Department', 'القسم'], 'text', (row) => of(row.department)),
    column(['Students', 'الطلاب'], 'number', (row) => row.advised),
    column(['Maximum', 'الحد الأقصى'], 'number', (row) => row.max_advised),
    column(['Free places', 'أماكن متاحة'], 'number', (row) => row.free),
  ]
}

type ExportBody = ListQuery & { lang?: PaperLanguage; ids?: number[] }

async function exported<Row extends object>(
  ctx: Ctx,
  source: ListSource,
  body: ExportBody,
  table: { title: readonly [string, string]; name: string; columns: (lang: PaperLanguage) => ExportColumn<Row>[] },
): Promise<FileResult> {
  const { lang = paperLang(ctx), ids: chosen, ...query } = body
  const narrowed = chosen?.length
    ? { ...source, where: [...source.where, sql`${sql.raw(source.key ?? 't.id')} = any(${chosen}::int[])`] }
    : source
  const rows = await wholeList<Row>(ctx, narrowed, query, EXPORT_LIMIT + 1)
  return tableFile(
    ctx,
    { title: inLanguage(table.title, lang), name: table.name, lang, columns: table.columns(lang), rows },
    'xlsx',
  )
}

// --- Assigning --------------------------------------------------------------------------------------------------------

type Place = Advisor & { name: string; name_local: string; code: string; full?: never }

/** Advisors within reach, locked, so that nobody gets more students than places while others assign too. */
const lockAdvisors = async (ctx: Ctx, tx: Tx, where: RawBuilder<unknown>): Promise<Place[]> => {
  await sql`select from instructors i where i.removed_at is null and i.max_advised is not null and ${where} order by i.id for no key update`.execute(
    tx,
  )
  const { rows } =
    await sql<Place>`select i.id, i.code, i.name, i.name_local, i.faculty_id, i.department_id, i.max_advised, ${advisedCount} as advised
    from instructors i where i.removed_at is null and i.max_advised is not null and ${where}
      and ${scopeCondition(ctx, 'edit_advising', instructorScope(ctx))}`.execute(tx)
  return rows
}

type Candidate = Advisee & { advisor_id: number | null; user_id: number | null }

async function lockStudents(ctx: Ctx, tx: Tx, where: RawBuilder<unknown>): Promise<Candidate[]> {
  const { rows } =
    await sql<Candidate>`select s.id, s.faculty_id, p.department_id, s.advisor_id, s.user_id from students s join programs p on p.id = s.program_id
    where s.removed_at is null and ${where} and ${scopeCondition(ctx, 'edit_advising', studentScope(ctx))} order by s.id for no key update of s`.execute(
      tx,
    )
  return rows
}

const failed = (id: number, code: string, data?: Record<string, unknown>): BulkResult['failed'][number] => ({
  id,
  errors: [toProblem({ code, ...(data && { data }) })],
})

async function setAdvisors(
  tx: Tx,
  pairs: readonly { student_id: number; advisor_id: number | null }[],
  students: readonly Candidate[],
  advisors: readonly Place[],
): Promise<void> {
  if (!pairs.length) return
  await sql`update students s set advisor_id = x.advisor_id from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as x (student_id int, advisor_id int)
    where s.id = x.student_id and s.advisor_id is distinct from x.advisor_id`.execute(tx)
  const users = new Map(students.map((student) => [student.id, student.user_id]))
  const names = new Map(advisors.map((one) => [one.id, one]))
  await notifyEach(
    tx,
    pairs.flatMap(({ student_id, advisor_id }) => {
      const advisor = advisor_id === null ? undefined : names.get(advisor_id)
      return advisor
        ? [
            {
              user_id: users.get(student_id) ?? null,
              records: [student_id],
              key: 'registration.notice_advisor',
              data: { name: advisor.name, name_local: advisor.name_local },
            },
          ]
        : []
    }),
  )
}

async function assign(
  ctx: Ctx,
  asked: {
    advisor_id?: number | null
    student_ids: readonly number[]
    faculty_id?: number | null
    program_id?: number | null
  },
): Promise<
  BulkResult & {
    assigned: { advisor: { id: number; name: string; name_local: string; code: string }; count: number }[]
    unchanged: number[]
  }
> {
  const { advisor_id, student_ids, faculty_id, program_id } = asked
  return ctx.write(async (tx) => {
    const students = await lockStudents(
      ctx,
      tx,
      student_ids.length
        ? sql`s.id = any(${[...student_ids]}::int[])`
        : sql`s.status = 'studying' and s.advisor_id is null
          and s.faculty_id = coalesce(${faculty_id ?? null}::int, s.faculty_id) and s.program_id = coalesce(${program_id ?? null}::int, s.program_id)`,
    )
    const found = new Set(students.map((student) => student.id))
    const out: BulkResult['failed'] = [...new Set(student_ids)]
      .filter((id) => !found.has(id))
      .map((id) => failed(id, 'not_found'))
    const faculties = [...new Set(students.map((student) => student.faculty_id))]
    const advisors = await lockAdvisors(
      ctx,
      tx,
      advisor_id ? sql`i.id = ${advisor_id}` : sql`i.faculty_id = any(${faculties}::int[])`,
    )
    if (advisor_id && !advisors.length) throw refuse(404, 'not_found', undefined, 'advisor_id')
    let pairs: { student_id: number; advisor_id: number }[]
    if (advisor_id) {
      const advisor = advisors[0]!
      const fresh = students.filter((student) => student.advisor_id !== advisor.id)
      const others = fresh.filter((one) => one.faculty_id !== advisor.faculty_id)
      out.push(
        ...others.map((other) =>
          failed(other.id, 'advisor_other_faculty', { advisor: advisor.name, advisor_local: advisor.name_local }),
        ),
      )
      const able = fresh.filter((one) => one.faculty_id === advisor.faculty_id)
      const free = advisor.max_advised - advisor.advised
      if (able.length > free) {
        throw new Refusal(409, [
          {
            field: 'advisor_id',
            code: 'advisor_full',
            data: { free: Math.max(0, free), count: able.length, maximum: advisor.max_advised },
          },
        ])
      }
      pairs = able.map((one) => ({ student_id: one.id, advisor_id: advisor.id }))
    } else {
      // Whoever has an advisor already keeps this one.
      const shared = distribute(
        students.filter((student) => student.advisor_id === null),
        advisors,
      )
      pairs = shared.assigned
      out.push(...shared.left.map((id) => failed(id, 'advisor_none')))
    }
    await setAdvisors(tx, pairs, students, advisors)
    const counts = Map.groupBy(pairs, (pair) => pair.advisor_id)
    return {
      done: pairs.map((pair) => pair.student_id),
      failed: out,
      unchanged: students.flatMap((student) =>
        (advisor_id ? student.advisor_id === advisor_id : student.advisor_id !== null) ? [student.id] : [],
      ),
      assigned: advisors.flatMap(({ id, name, name_local, code }) => {
        const count = counts.get(id)?.length ?? 0
        return count ? [{ advisor: { id, name, name_local, code }, count }] : []
      }),
    }
  })
}

/** The role that lets advisors work; given and taken with the advising. */
const ROLE = 'academic_advisor'

export const advisingHandlers: Handled[] = [
  handle(advisingCalls.mine, (ctx, { query: { waiting, at_risk, ...query } }) =>
    pagedList<AdviseeRow>(ctx, adviseeSource(advisedBySelf(ctx)), {
      ...EMPTY,
      ...query,
      filters: { ...(waiting && { waiting }), ...(at_risk && { at_risk }) },
    }),
  ),
  handle(advisingCalls.exportMine, (ctx, { body }) =>
    exported<AdviseeRow>(ctx, adviseeSource(advisedBySelf(ctx)), body, {
      title: ['My advised students', 'طلاب الإرشاد'],
      name: 'advisor-students',
      columns: adviseeExport,
    }),
  ),
  handle(advisingCalls.advisors, (ctx, { body }) => pagedList<AdvisorRow>(ctx, advisorSource(ctx), body)),
  handle(advisingCalls.export, (ctx, { body }) =>
    exported<AdvisorRow>(ctx, advisorSource(ctx), body, {
      title: ['Academic advisors', 'المرشدون الأكاديميون'],
      name: 'advisors',
      columns: advisorExport,
    }),
  ),
  handle(advisingCalls.available, async (ctx, { body }) => {
    const { data } = await pagedList<AdvisorRow>(
      ctx,
      advisorSource(
        ctx,
        sql`n.advised < i.max_advised and i.faculty_id = coalesce(${body.faculty_id ?? null}::int, i.faculty_id)
          and ${body.student_ids.length ? sql`i.faculty_id in (select faculty_id from students where id = any(${body.student_ids}::int[]))` : sql`true`}`,
      ),
      { ...EMPTY, search: body.search, perPage: 100, order_by: 'free', order_direction: 'desc' },
    )
    return { data }
  }),
  handle(advisingCalls.students, (ctx, { body }) =>
    pagedList<AdviseeRow>(ctx, adviseeSource(scopeCondition(ctx, KEYS, studentScope(ctx))), body),
  ),
  handle(advisingCalls.search, async (ctx, { query }) => {
    const search = searchCondition(query.search, ['i.search_text'])
    const { rows } = await sql<
      AnswerOf<typeof advisingCalls.search>['data'][number]
    >`select i.id, i.code, i.name, i.name_local, ${refOrNull('f')} as faculty, i.max_advised, ${advisedCount} as advised
      from instructors i join faculties f on f.id = i.faculty_id
      where i.removed_at is null and ${scopeCondition(ctx, KEYS, instructorScope(ctx))} and ${search ?? sql`true`}
        and i.faculty_id = coalesce(${query.faculty_id ?? null}::int, i.faculty_id)
      order by i.name, i.id limit 30`.execute(ctx.db)
    return { data: rows }
  }),
  handle(advisingCalls.byFaculty, async (ctx) => {
    const { rows } = await sql<
      AnswerOf<typeof advisingCalls.byFaculty>['data'][number]
    >`select ${refOrNull('f')} as faculty, coalesce(i.advisors, 0) as advisors, coalesce(i.places, 0) as places,
        coalesce(s.advised, 0) as advised, coalesce(s.without, 0) as without
      from faculties f
      left join (select i.faculty_id, count(*)::int as advisors, sum(i.max_advised)::int as places from instructors i
        where i.removed_at is null and i.max_advised is not null and ${scopeCondition(ctx, KEYS, instructorScope(ctx))} group by 1) i on i.faculty_id = f.id
      left join (select s.faculty_id, count(s.advisor_id)::int as advised, (count(*) - count(s.advisor_id))::int as without
        from students s join programs p on p.id = s.program_id
        where s.removed_at is null and s.status = 'studying' and ${scopeCondition(ctx, KEYS, studentScope(ctx))} group by 1) s on s.faculty_id = f.id
      where i.faculty_id is not null or s.faculty_id is not null order by f.name`.execute(ctx.db)
    return { data: rows }
  }),
  handle(advisingCalls.assign, (ctx, { body }) => assign(ctx, body)),
  handle(advisingCalls.unassign, (ctx, { body }) =>
    ctx.write(
      async (tx) => {
        const students = await lockStudents(ctx, tx, sql`s.id = any(${body.student_ids}::int[])`)
        const found = new Map(students.map((one) => [one.id, one]))
        const out = [...new Set(body.student_ids)].flatMap((id) => {
          const student = found.get(id)
          if (!student) return [failed(id, 'not_found')]
          return student.advisor_id === null ? [failed(id, 'advisor_none_yet')] : []
        })
        const able = students.filter((one) => one.advisor_id !== null)
        await setAdvisors(
          tx,
          able.map((one) => ({ student_id: one.id, advisor_id: null })),
          able,
          [],
        )
        return { done: able.map((one) => one.id), failed: out }
      },
      body.reason ? { reason: body.reason } : {},
    ),
  ),
  handle(advisingCalls.add, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        id: number
        user_id: number | null
        advised: number
      }>`select i.id, i.user_id, ${advisedCount} as advised from instructors i
        where i.id = any(${body.instructor_ids}::int[]) and i.removed_at is null and ${scopeCondition(ctx, 'edit_advising', instructorScope(ctx))}
        order by i.id for no key update of i`.execute(tx)
      const found = new Set(rows.map((row) => row.id))
      const out = [...new Set(body.instructor_ids)].filter((id) => !found.has(id)).map((id) => failed(id, 'not_found'))
      const able = rows.filter((row) => {
        if (row.advised <= body.max_advised) return true
        out.push(failed(row.id, 'advisor_has_more', { count: row.advised, maximum: body.max_advised }))
        return false
      })
      const done = able.map((row) => row.id)
      if (done.length) {
        await sql`update instructors set max_advised = ${body.max_advised} where id = any(${done}::int[])`.execute(tx)
        await sql`insert into role_assignments (user_id, role_id, created_by)
          select u.id, r.id, ${ctx.actor?.user_id ?? null} from unnest(${able.flatMap((row) => row.user_id ?? [])}::int[]) as u (id) join roles r on r.key = ${ROLE} and r.removed_at is null
          where not exists (select from role_assignments x where x.user_id = u.id and x.role_id = r.id)`.execute(tx)
      }
      return { done, failed: out }
    }),
  ),
  handle(advisingCalls.remove, (ctx, { params, body: { to_advisor_id } }) =>
    ctx.write(async (tx) => {
      const wanted = [params.id, ...(to_advisor_id ? [to_advisor_id] : [])]
      const advisors = await lockAdvisors(ctx, tx, sql`i.id = any(${wanted}::int[])`)
      const advisor = advisors.find((one) => one.id === params.id)
      const next = advisors.find((one) => one.id === to_advisor_id)
      if (!advisor) throw refuse(404, 'not_found')
      if (to_advisor_id && (!next || next.id === advisor.id)) throw refuse(404, 'not_found', undefined, 'to_advisor_id')
      const { rows: students } =
        await sql<Candidate>`select s.id, s.faculty_id, p.department_id, s.advisor_id, s.user_id from students s join programs p on p.id = s.program_id
        where s.advisor_id = ${advisor.id} order by s.id for no key update of s`.execute(tx)
      if (next && advisor.advised > next.max_advised - next.advised) {
        throw refuse(
          409,
          'advisor_full',
          { free: Math.max(0, next.max_advised - next.advised), count: advisor.advised, maximum: next.max_advised },
          'to_advisor_id',
        )
      }
      await setAdvisors(
        tx,
        students.map((one) => ({ student_id: one.id, advisor_id: next?.id ?? null })),
        students,
        advisors,
      )
      await sql`update instructors set max_advised = null where id = ${advisor.id}`.execute(tx)
      await sql`delete from role_assignments x using roles r, instructors i
        where r.id = x.role_id and r.key = ${ROLE} and i.id = ${advisor.id} and x.user_id = i.user_id`.execute(tx)
      return { id: advisor.id, students: students.length }
    }),
  ),
]

const EMPTY: ListQuery = listQuery.parse({})

/** Students of the advisor who asks. */
function advisedBySelf(ctx: Ctx): RawBuilder<unknown> {
  const own = ctx.actor?.instructor_id
  return own ? sql`s.advisor_id = ${own}` : sql`false`
}
