/** The audits of all students of a program or faculty: in the background, each against one revision, told beside it. */
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { fill } from '#areas/common/academics/problem.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { inLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { missingTexts } from '../requirements/texts.contract.ts'
import type { Missing } from './audit.rules.ts'
import { MOST_RUNS, degreeAuditCalls, type AuditResult, type AuditRun } from './audit.contract.ts'
import { gatherStudents, requiredBy, type Required } from './required.server.ts'
import { missingOf, missingProblem } from './wire.server.ts'
import { demandSome } from '#kit/server/resource/transfer.ts'

const CHUNK = 500
/** Requirements that a line tells; more are counted in the audit of the student. */
const TOLD = 12
const KEY = 'access_degree_audits'

/** Students (`s`) whom a right reaches, who are studying. */
const studying = (ctx: Ctx) =>
  sql`s.removed_at is null and s.status in ('studying', 'suspended') and ${scopeCondition(ctx, KEY, studentReach(ctx, 's'))}`

// --- The work -------------------------------------------------------------------------------------------------------

/**
 * Audits the students of a run that are not audited yet, in the order of their ids, and keeps nothing but the requirements
 * of their programs. Whatever is edited meanwhile, those of one program are held against the revision that was read first.
 */
async function work(
  ctx: Ctx,
  run_id: number,
  progress: (percent: number) => Promise<void>,
): Promise<{ students: number }> {
  const { rows: runs } = await sql<{ program_id: number | null; faculty_id: number | null }>`
    select program_id, faculty_id from degree_audit_runs where id = ${run_id}`.execute(ctx.db)
  const [run] = runs
  if (!run) throw refuse(404, 'not_found')
  const whom = sql`${run.program_id === null ? sql`s.faculty_id = ${run.faculty_id}` : sql`s.program_id = ${run.program_id}`} and ${studying(ctx)}`
  const { rows: counts } = await sql<{ count: number; done: number; last: number }>`
    select (select count(*)::int from students s where ${whom}) as count,
      (select count(*)::int from degree_audit_results where run_id = ${run_id}) as done,
      coalesce((select max(student_id) from degree_audit_results where run_id = ${run_id}), 0) as last`.execute(ctx.db)
  const { count, last: from } = counts[0]!
  let { done } = counts[0]!
  const equals = await equalCourses(ctx.db)
  const required = new Map<string, Required>()
  for (let last = from; ;) {
    const { rows: ids } = await sql<{ id: number }>`
      select s.id from students s where ${whom} and s.id > ${last} order by s.id limit ${CHUNK}`.execute(ctx.db)
    if (!ids.length) break
    last = ids.at(-1)!.id
    const results = await auditSome(
      ctx.db,
      ids.map((row) => row.id),
      equals,
      required,
    )
    await ctx.write((tx) => keepAudits(tx, run_id, results))
    done += results.length
    await progress(Math.min(99, Math.floor((100 * done) / Math.max(count, 1))))
  }
  await ctx.write((tx) => sql`update degree_audit_runs set finished_at = now() where id = ${run_id}`.execute(tx))
  return { students: done }
}

interface Line {
  student_id: number
  program_id: number
  program_revision: number
  bylaw_revision: number
  state: string
  percent: number
  missing: object[]
}
/** Audits some students; what their programs require is read once and kept in `required`. */
export async function auditSome(
  db: Db | Tx,
  ids: readonly number[],
  equals: ReadonlyMap<number, readonly number[]>,
  required: Map<string, Required>,
): Promise<Line[]> {
  const results: Line[] = []
  for (const { id, program_id, bylaw_id, student } of await gatherStudents(db, ids, equals)) {
    const key = `${program_id} ${bylaw_id}`
    if (!required.has(key)) required.set(key, await requiredBy(db, { program_id, bylaw_id, courses: 'all' }))
    const held = required.get(key)!
    const answer = held.auditor.evaluator.audit(student(held))
    const missing = missingOf(held.auditor.tree, answer)
      .slice(0, TOLD)
      .map(({ missing: each, ...one }) => ({
        ...one,
        missing: each.map(({ code, data }) => ({ code, data: withCodes(data, held) })),
      }))
    results.push({
      student_id: id,
      program_id,
      program_revision: held.revisions.program,
      bylaw_revision: held.revisions.bylaw,
      state: answer.state,
      percent: answer.percent,
      missing,
    })
  }
  return results
}

/** Keeps the lines of a run; those that are there already stay. */
export const keepAudits = (tx: Tx, run_id: number, results: readonly Line[]) =>
  sql`insert into degree_audit_results (run_id, student_id, program_id, program_revision, bylaw_revision, state, percent, missing)
    select ${run_id}, student_id, program_id, program_revision, bylaw_revision, state, percent, missing
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as n(student_id int, program_id int, program_revision int,
      bylaw_revision int, state text, percent int, missing jsonb) on conflict do nothing`.execute(tx)

/** Ids of missing courses as codes, so that a line is read without the catalogue. */
function withCodes(data: Missing['data'], { names }: Required): Missing['data'] {
  if (!Array.isArray(data.courses)) return data
  const codes = data.courses.map((id) => names.get(id)?.code ?? String(id))
  return {
    ...data,
    courses: codes.length > 8 ? `${codes.slice(0, 8).join(', ')} … (${codes.length})` : codes.join(', '),
  }
}

/** Audits many students in the background. */
export const auditJob = defineJob<{ run_id: number }, { students: number }>({
  name: 'degree-audits',
  retries: 2,
  run: (ctx, { run_id }, progress) => work(ctx, run_id, progress),
})

// --- Calls ----------------------------------------------------------------------------------------------------------

async function readRuns(ctx: Ctx, db: Db | Tx, id?: number): Promise<AuditRun[]> {
  const reach = (alias: 'p' | 'f') =>
    alias === 'p'
      ? scopeCondition(ctx, KEY, {
          faculty: sql`p.faculty_id`,
          department: sql`p.department_id`,
          bylaw: sql`p.bylaw_id`,
          program: sql`p.id`,
        })
      : scopeCondition(ctx, KEY, { faculty: sql`f.id` })
  const { rows } = await sql<AuditRun>`
    select r.id, ${refOrNull('p')} as program, ${refOrNull('f')} as faculty, r.job_id,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as started_by,
      to_json(r.started_at) #>> '{}' as started_at, to_json(r.finished_at) #>> '{}' as finished_at,
      n.students, n.met, n.in_progress
    from degree_audit_runs r left join programs p on p.id = r.program_id left join faculties f on f.id = r.faculty_id
      left join users u on u.id = r.started_by
      left join lateral (select count(*)::int as students, count(*) filter (where state = 'met')::int as met,
        count(*) filter (where state = 'in_progress')::int as in_progress from degree_audit_results x where x.run_id = r.id) n on true
    where case when r.program_id is not null then ${reach('p')} else ${reach('f')} end
      and ${id === undefined ? sql`true` : sql`r.id = ${id}`}
    order by r.id desc limit ${MOST_RUNS}`.execute(db)
  return rows
}

async function runOf(ctx: Ctx, id: number): Promise<AuditRun> {
  const [run] = await readRuns(ctx, ctx.db, id)
  if (!run) throw refuse(404, 'not_found')
  return run
}

const start = handle(degreeAuditCalls.startAudit, async (ctx, { body }) => {
  const program_id = body.program_id ?? null
  const faculty_id = body.faculty_id ?? null
  if ((program_id === null) === (faculty_id === null)) throw refuse(422, 'audit_of_what', {}, 'program_id')
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into degree_audit_runs (program_id, faculty_id, started_by)
      select ${program_id}::int, ${faculty_id}::int, ${actorIn(ctx).user_id}
      where ${program_id === null ? sql`exists (select from faculties where id = ${faculty_id} and removed_at is null)` : sql`exists (select from programs where id = ${program_id} and removed_at is null)`}
      returning id`.execute(tx)
    // What one may not see is not there.
    const [run] = rows[0] ? await readRuns(ctx, tx, rows[0].id) : []
    if (!run) throw refuse(404, 'not_found')
    const job_id = await ctx.services.jobs.send(tx, auditJob, { run_id: run.id }, { actor: ctx.actor, lang: ctx.lang })
    await sql`update degree_audit_runs set job_id = ${job_id} where id = ${run.id}`.execute(tx)
    return { job_id, data: { ...run, job_id } }
  })
})

type StoredResult = Omit<AuditResult, 'missing'> & {
  missing: { key: string; name: string; name_local: string; missing: Missing[] }[]
}
/** Lines of a run, of students whom the reader reaches now: who lacks least first. */
async function readResults(
  ctx: Ctx,
  id: number,
  { state, lacks }: { state?: string | undefined; lacks?: string | undefined },
  limit: number,
  offset: number,
) {
  const { rows } = await sql<StoredResult & { count: number }>`
    select ${ref('s')} as student, ${ref('p')} as program, x.state, x.percent, x.missing,
      json_build_object('program', x.program_revision, 'bylaw', x.bylaw_revision) as revisions, count(*) over ()::int as count
    from degree_audit_results x join students s on s.id = x.student_id join programs p on p.id = x.program_id
    where x.run_id = ${id} and ${state === undefined ? sql`true` : sql`x.state = ${state}`}
      and ${lacks === undefined ? sql`true` : sql`x.missing @> ${JSON.stringify([{ key: lacks }])}::jsonb`}
      and ${scopeCondition(ctx, KEY, studentReach(ctx, 's'))}
    order by x.percent desc, s.code limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows
}

const results = handle(degreeAuditCalls.auditResults, async (ctx, { params: { id }, query }) => {
  const run = await runOf(ctx, id)
  const per_page = query.per_page ?? 50
  const rows = await readResults(ctx, id, query, per_page, ((query.page ?? 1) - 1) * per_page)
  return {
    data: rows.map(({ count: _count, missing, ...row }) => ({
      ...row,
      missing: missing.map(({ missing: each, ...one }) => ({
        ...one,
        missing: each.map((what) => missingProblem(what, () => undefined)),
      })),
    })),
    run,
    meta: { count: rows[0]?.count ?? 0 },
  }
})

/** Requirements of a run that most students lack, as far as the reader reaches them. */
const lacks = handle(degreeAuditCalls.auditLacks, async (ctx, { params: { id } }) => {
  await runOf(ctx, id)
  const { rows } = await sql<{
    key: string
    name: string
    name_local: string
    program: AuditResult['program']
    students: number
  }>`
    select m.key, max(m.name) as name, max(m.name_local) as name_local, ${ref('p')} as program, count(*)::int as students
    from degree_audit_results x join students s on s.id = x.student_id join programs p on p.id = x.program_id
      cross join jsonb_to_recordset(x.missing) as m(key text, name text, name_local text)
    where x.run_id = ${id} and ${scopeCondition(ctx, KEY, studentReach(ctx, 's'))}
    group by m.key, p.id order by students desc, m.key limit 15`.execute(ctx.db)
  return { data: rows }
})

const SHEET = {
  code: ['Code', 'الكود'],
  name: ['Name', 'الاسم'],
  program: ['Program', 'البرنامج'],
  percent: ['Percent', 'النسبة'],
  missing: ['Missing', 'الناقص'],
  revisions: ['Revisions', 'الإصدارات'],
} as const

async function exported(ctx: Ctx, id: number): Promise<FileResult> {
  await runOf(ctx, id)
  const lang = ctx.lang === 'ar' ? 'ar' : 'en'
  const rows = await readResults(ctx, id, {}, 50_000, 0)
  demandSome(rows)
  const named = (one: { name: string; name_local?: string | null | undefined }) =>
    (lang === 'ar' ? one.name_local : one.name) ?? one.name
  const keys = Object.keys(SHEET) as (keyof typeof SHEET)[]
  const content = await writeSheet({
    sheets: [
      {
        name: inLanguage(['Degree audit', 'الموقف من متطلبات الدرجة'], lang),
        direction: lang === 'ar' ? 'rtl' : 'ltr',
        columns: keys.map((key) => ({
          key,
          header: inLanguage(SHEET[key], lang),
          type: key === 'percent' ? ('number' as const) : ('text' as const),
        })),
        rows: rows.map((row) => ({
          code: row.student.code ?? '',
          name: named(row.student),
          program: named(row.program),
          percent: row.percent,
          missing: row.missing
            .map((one) =>
              [
                named(one),
                one.missing.map(({ code, data }) => fill(missingTexts[code][lang === 'ar' ? 1 : 0], data)).join(', '),
              ].join(': '),
            )
            .join('; ')
            .slice(0, 2000),
          revisions: `${row.revisions.program} / ${row.revisions.bylaw}`,
        })),
      },
    ],
  })
  return { name: `degree-audit-${id}.xlsx`, type: 'xlsx', content }
}

/** Handlers of audits of many. */
export const runHandlers: readonly Handled[] = [
  handle(degreeAuditCalls.auditRuns, async (ctx) => ({ data: await readRuns(ctx, ctx.db) })),
  start,
  results,
  lacks,
  handle(degreeAuditCalls.exportAudit, (ctx, { params: { id } }) => exported(ctx, id)),
]
