/** Whose standing an edit of requirements, bylaw or plan would change, before it is saved. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import { toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { AuditAnswer, RequirementAudit } from '../audits/audit.rules.ts'
import { ProgramAuditor } from '../audits/plan.rules.ts'
import {
  gatherStudents,
  requiredBy,
  type CourseName,
  type GatheredRequirements,
  type Required,
} from '../audits/required.server.ts'
import { auditToWire } from '../audits/wire.server.ts'
import { editedPlan } from './edited-plan.rules.ts'
import { requirementProblemsOf, requireSeen, type Owner } from './stored.server.ts'
import { touchedCalls, type Edit, type TouchedByRequirements } from './touched.contract.ts'

/** So many students are looked at while somebody waits. */
const SAMPLE = 200
const CHUNK = 100
/** So many changes are told by name. */
const TOLD = 200

/** Students (`s`) who study under the program or bylaw. */
const studying = ({ of, id }: Owner) =>
  sql`s.removed_at is null and s.status in ('studying', 'suspended') and ${
    of === 'program' ? sql`s.program_id = ${id}` : sql`s.bylaw_id = ${id}`
  }`

/** What is required as it is, and as it would be; of each program and bylaw once. */
class Sides {
  private readonly kept = new Map<string, Promise<{ before: Required; after: Required }>>()
  private readonly ctx: Ctx
  private readonly owner: Owner
  private readonly edit: Edit
  constructor(ctx: Ctx, owner: Owner, edit: Edit) {
    this.ctx = ctx
    this.owner = owner
    this.edit = edit
  }

  of(program_id: number, bylaw_id: number): Promise<{ before: Required; after: Required }> {
    const key = `${program_id} ${bylaw_id}`
    const known = this.kept.get(key)
    if (known) return known
    const made = this.read(program_id, bylaw_id)
    this.kept.set(key, made)
    return made
  }

  private async read(program_id: number, bylaw_id: number): Promise<{ before: Required; after: Required }> {
    const { ctx, edit, owner } = this
    const of = { program_id, bylaw_id, courses: 'all' as const }
    const before = await requiredBy(ctx.db, of)
    const draft =
      edit.requirements && (edit.requirements.tree ? { ...edit.requirements, tree: edit.requirements.tree } : null)
    const after = draft === undefined ? before : await requiredBy(ctx.db, of, { [owner.of]: draft })
    return { before, after: await changed(ctx, after, owner, edit) }
  }
}

/** The same with other amounts and another plan. */
async function changed(ctx: Ctx, required: Required, owner: Owner, edit: Edit): Promise<Required> {
  const { requirements: _, ...amounts } = edit
  if (Object.values(amounts).every((amount) => amount === undefined)) return required
  const { hours, gpa, training_weeks } = edit
  const { stored, settings } = required
  const { input } = required.auditor
  const named = edit.courses?.map((course) => course.course_id) ?? []
  const { rows } = named.length
    ? await sql<CourseName>`select id, code, name, name_local, credit_hours::float8 from courses
        where id = any(${named}::int[])`.execute(ctx.db)
    : { rows: [] }
  const plan = editedPlan(input.plan, edit, new Map(rows.map((row) => [row.id, toHundredths(row.credit_hours)])))
  // What a program says itself holds whatever its bylaw says; where it says nothing, the bylaw holds.
  const ofBylaw = owner.of === 'bylaw'
  let min_credit_hours = input.plan.min_credit_hours
  if (hours !== undefined && !(ofBylaw && stored.plan.min_credit_hours > 0))
    min_credit_hours = toHundredths(hours || (ofBylaw ? 0 : settings.graduation.hours))
  let { min_training_weeks } = input
  if (training_weeks !== undefined && !(ofBylaw && stored.own_training_weeks !== null))
    min_training_weeks = training_weeks ?? settings.graduation.training_weeks
  const auditor = new ProgramAuditor(
    {
      ...input,
      plan: { ...plan, min_credit_hours },
      min_gpa: gpa === undefined ? input.min_gpa : toHundredths(gpa),
      min_training_weeks,
    },
    required.facts.values(),
  )
  const names = new Map([...required.names, ...rows.map((row) => [row.id, row] as const)])
  return { ...required, auditor, names }
}

/** Where a student stands; `lacks`: how much is missing, in hundredths of whatever it is counted in. */
interface Standing {
  state: AuditAnswer['state']
  percent: number
  lacks: number
}
interface Change {
  id: number
  before: Standing
  after: Standing
}
const lacking = (one: RequirementAudit): number =>
  one.state === 'met'
    ? 0
    : one.parts.length
      ? one.parts.reduce((sum, part) => sum + lacking(part), 0)
      : Math.max(one.required - one.earned, 0)
const brief = ({ state, percent, root }: AuditAnswer): Standing => ({ state, percent, lacks: lacking(root) })
const told = ({ state, percent }: Standing) => ({ state, percent })
const done = (one: Standing): boolean => one.state !== 'missing'
const rank = { missing: 0, in_progress: 1, met: 2 }
/**
 * How somebody moves: by whether everything is met, then by how much is missing. What is asked besides and is there already
 * moves nobody.
 */
const move = ({ before, after }: Change): number =>
  (rank[after.state] - rank[before.state]) * 1e9 + before.lacks - after.lacks

async function auditAll(
  sides: Sides,
  students: readonly GatheredRequirements[],
  take: (change: Change) => void,
): Promise<void> {
  for (const { id, program_id, bylaw_id, student } of students) {
    const { before, after } = await sides.of(program_id, bylaw_id)
    const now = before.auditor.evaluator.audit(student(before))
    const then = after === before ? now : after.auditor.evaluator.audit(student(after))
    take({ id, before: brief(now), after: brief(then) })
  }
  // Others are answered between.
  await new Promise((resolve) => setImmediate(resolve))
}

/** Whose standing an edit changes; of at most `limit` students, spread evenly. */
async function touchedBy(
  ctx: Ctx,
  owner: Owner,
  edit: Edit,
  limit: number | null,
  progress: (percent: number) => Promise<void> = async () => {},
): Promise<TouchedByRequirements> {
  if (edit.requirements?.tree) {
    const problems = await requirementProblemsOf(ctx.db, owner, edit.requirements.tree)
    if (problems.length) throw new Refusal(422, problems)
  }
  const { rows } = await sql<{ id: number; count: number }>`
    select s.id, count(*) over ()::int as count from students s where ${studying(owner)}
    order by ${limit === null ? sql`s.id` : sql`hashint4(s.id), s.id`} ${limit === null ? sql`` : sql`limit ${limit}`}`.execute(
    ctx.db,
  )
  const equals = await equalCourses(ctx.db)
  const sides = new Sides(ctx, owner, edit)
  const answer = { students: rows[0]?.count ?? 0, looked: rows.length, before: 0, after: 0, further: 0, nearer: 0 }
  const changes: Change[] = []
  for (let i = 0; i < rows.length; i += CHUNK) {
    const ids = rows.slice(i, i + CHUNK).map((row) => row.id)
    await auditAll(sides, await gatherStudents(ctx.db, ids, equals), (change) => {
      if (done(change.before)) answer.before++
      if (done(change.after)) answer.after++
      const by = move(change)
      if (by < 0) answer.further++
      if (by > 0) answer.nearer++
      if (by !== 0) changes.push(change)
    })
    await progress(Math.floor((100 * (i + ids.length)) / rows.length))
  }
  changes.sort((a, b) => Math.abs(move(b)) - Math.abs(move(a)) || a.id - b.id)
  const { rows: seen } = await sql<TouchedByRequirements['changes'][number]['student']>`
    select s.id, s.code, s.name, s.name_local from students s where s.id = any(${changes.map((one) => one.id)}::int[])
      and ${scopeCondition(ctx, 'show_student_record', studentReach(ctx, 's'))}`.execute(ctx.db)
  const names = new Map(seen.map((student) => [student.id, student]))
  return {
    ...answer,
    hidden: changes.filter((one) => !names.has(one.id)).length,
    changes: changes
      .flatMap(({ id, before, after }) =>
        names.has(id) ? [{ student: names.get(id)!, before: told(before), after: told(after) }] : [],
      )
      .slice(0, TOLD),
  }
}

/** The same of all students, as a job: its result is what the call answers for a sample. */
export const touchedJob = defineJob<{ owner: Owner; edit: Edit }, TouchedByRequirements>({
  name: 'requirements-touched',
  retries: 1,
  run: async (ctx, { owner, edit }, progress) => {
    await requireSeen(ctx, owner)
    return touchedBy(ctx, owner, edit, null, progress)
  },
})

const c = touchedCalls
/** Handlers of the live check. */
export const touchedHandlers: readonly Handled[] = [
  handle(c.touchedStudents, async (ctx, { params, body }) => {
    await requireSeen(ctx, params)
    return { data: await touchedBy(ctx, params, body, SAMPLE) }
  }),
  handle(c.touchedByAll, async (ctx, { params, body }) => {
    await requireSeen(ctx, params)
    const owner = { of: params.of, id: params.id }
    const job_id = await ctx.write((tx) =>
      ctx.services.jobs.send(tx, touchedJob, { owner, edit: body }, { actor: ctx.actor, lang: ctx.lang }),
    )
    return { job_id }
  }),
  handle(c.auditUnderEdit, async (ctx, { params, body }) => {
    await requireSeen(ctx, params)
    const { rows } = await sql<{
      student: TouchedByRequirements['changes'][number]['student']
    }>`select ${ref('s')} as student
      from students s where s.id = ${params.student_id} and ${studying(params)}
        and ${scopeCondition(ctx, 'show_student_record', studentReach(ctx, 's'))}`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    const [gathered] = await gatherStudents(ctx.db, [params.student_id], await equalCourses(ctx.db))
    if (!gathered) throw refuse(404, 'not_found')
    const { before, after } = await new Sides(ctx, params, body).of(gathered.program_id, gathered.bylaw_id)
    const answer = after.auditor.evaluator.audit(gathered.student(after))
    const { rows: own } = await sql<CourseName>`select id, code, name, name_local, credit_hours::float8 from courses
      where id = any(${answer.courses.map((course) => course.course_id)}::int[])`.execute(ctx.db)
    const names = new Map([...after.names, ...own.map((one) => [one.id, one] as const)])
    return {
      data: {
        student: rows[0].student,
        before: told(brief(before.auditor.evaluator.audit(gathered.student(before)))),
        after: told(brief(answer)),
        requirements: auditToWire(after.auditor.tree, answer, (id) => names.get(id)),
      },
    }
  }),
]
