/**
 * Registration by the block of a level, under regulations by marks: the courses of the level, those carried over, and what
 * is sat again. Nobody's answer is waited for; seats, clashes and holds decide as ever.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { countsInLoad, fromWire, loadMask, mainOf } from '#areas/common/academics/status.rules.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { isSelf, studentScope } from '../capacity.server.ts'
import type { Override } from '../registration.rules.ts'
import { chooseSlots } from '../requests/choice.rules.ts'
import { gatherRequest } from '../requests/gather.server.ts'
import { judgeRequest, reasonsOf, type RequestTerms, type Wanted } from '../requests/judge.server.ts'
import { requestOfferings } from '../requests/request.server.ts'
import { blockCalls, type BlockCourse, type BlockReport, type BlockStudent } from './block.contract.ts'

type Due = Pick<BlockCourse, 'course' | 'level' | 'offering_id'> & {
  kind: 'mandatory' | 'elective' | 'university' | 'faculty'
  failed: boolean
  chosen: boolean
}
type Source = {
  student: Ref
  by_marks: boolean
  /** Neither program nor bylaw says how the study advances. */
  untyped: boolean
  program: string
  studying: boolean
  level: number
  enrolment: BlockStudent['enrolment'] | null
  /** The last year before this one in which the student was in a level. */
  before: Ref | null
  year: Ref
  term: Ref
  due: Due[]
}

/** SQL: the course of the plan's line `pc` was credited to the student `s`, or one that counts as it. */
const credited = sql`exists (select from course_credits k where k.student_id = s.id and k.former_study_id is null and (k.course_id = pc.course_id
  or k.course_id in (select e.equal_course_id from course_equals e where e.course_id = pc.course_id)))`
/** SQL: registrations of the study that goes on, `r` of the student `s` in the course of the plan's line `pc`, or in one that counts as it. */
const attempts = sql`registrations r join offerings ro on ro.id = r.offering_id
  where r.student_id = s.id and term_after(r.term_id, s.study_after_term_id) and (r.course_id = pc.course_id
    or r.course_id in (select e.equal_course_id from course_equals e where e.course_id = pc.course_id))`

/**
 * What students have to register in a term. A course is due that the plan asks for up to the level and that is neither
 * passed nor being taken; students go by results that are out, staff by those that control has approved.
 *
 * @param electives offerings of electives that were chosen
 */
async function sources(
  db: Db | Tx,
  which: RawBuilder<unknown>,
  termId: number,
  { self, electives }: { self: boolean; electives: readonly number[] },
): Promise<Source[]> {
  const out = self ? sql`b.grades_visibility ->> 'letter'` : sql`'Approved'`
  const settled = self
    ? sql`(result_out(ro.control_status, ${out}, r.status, r.total) and not results_held(s.id))`
    : sql`result_out(ro.control_status, ${out}, r.status, r.total)`
  const { rows } = await sql<Source>`
    select ${ref('s')} as student, coalesce(b.program_type in ('term', 'annual'), false) as by_marks,
      coalesce(b.program_type, p.program_type) is null as untyped, p.code as program, s.status = 'studying' as studying,
      coalesce(y.level, s.level)::int as level, y.enrolment, ${ref('v')} as year, ${ref('t')} as term,
      (select ${ref('w')} from student_years e join years w on w.id = e.year_id
        where e.student_id = s.id and (w.start_date, w.id) < (v.start_date, v.id) order by w.start_date desc, w.id desc limit 1) as before,
      coalesce((
        select json_agg(json_build_object('course', ${ref('c')}, 'level', pc.level, 'kind', pc.kind, 'offering_id', o.id,
          'failed', d.failed, 'chosen', coalesce(o.id = any(${electives}::int[]), false)) order by pc.level desc, pc.semester, c.code)
        from program_courses pc join courses c on c.id = pc.course_id
        left join lateral (
          select x.id from offerings x
          where x.term_id = t.id and x.course_id = pc.course_id and x.removed_at is null
            and (exists (select from offering_programs p where p.offering_id = x.id and p.program_id = s.program_id)
              or not exists (select from offering_programs p where p.offering_id = x.id))
          order by x.id = any(${electives}::int[]) desc, exists (select from offering_programs p where p.offering_id = x.id) desc, x.code, x.id
          limit 1) o on true
        cross join lateral (
          select coalesce(bool_or(r.status & ${loadMask.toString()}::bigint <> 0
              and (r.term_id = t.id or r.passed is not false or not ${settled})), false) as done,
            coalesce(bool_or(r.passed is false and ${settled}), false) as failed
          from ${attempts}) d
        where pc.program_id = s.program_id and pc.level <= coalesce(y.level, s.level) and not d.done and not ${credited}
          and (pc.kind <> 'elective' or d.failed or o.id = any(${electives}::int[]))
          -- What is not offered now is missed only where now is its time.
          and (o.id is not null or (
            case when b.program_type = 'annual' then t.term_type <> 'summer' else t.term_type = case pc.semester % 2 when 1 then 'fall' else 'spring' end end
            and not exists (select from offerings x join terms xt on xt.id = x.term_id
              where xt.year_id = t.year_id and x.course_id = pc.course_id and x.removed_at is null)))), '[]') as due
    from students s join bylaws b on b.id = s.bylaw_id join programs p on p.id = s.program_id
      join terms t on t.id = ${termId} join years v on v.id = t.year_id
      left join student_years y on y.student_id = s.id and y.year_id = v.id
    where s.removed_at is null and ${which} order by s.code`.execute(db)
  return rows
}

const whyOf = (due: Due, level: number): BlockCourse['why'] =>
  due.chosen ? 'elective' : due.level < level ? 'carried' : due.failed ? 'again' : 'level'

/** Why the block cannot be registered at all. */
function against({ student, by_marks, untyped, program, studying, enrolment, before, year }: Source): Reason[] {
  const data = { student: student.code ?? '' }
  if (untyped) return [{ code: 'ProgramTypeError', data: { program } }]
  if (!by_marks) return [{ code: 'block_student', data }]
  // Whoever does not study is told so by the rule of each course, if there is any.
  if (!studying) return []
  if (enrolment === null && before !== null)
    return [{ code: 'level_not_settled', data: { ...data, year: year.code ?? '', before: before.code ?? '' } }]
  return []
}

type How = {
  self: boolean
  commit: boolean
  overrides: readonly Override[]
  over_quota: boolean
  reason: string | null
}

/** Registers the block of one student, or says what that would do. What is refused does not keep the rest back. */
async function blockOf(ctx: Ctx, source: Source, how: How): Promise<BlockStudent> {
  const { student, level, term } = source
  const enrolment = source.enrolment ?? 'new'
  const base = { student, level, enrolment }
  const reasons = against(source)
  // The level of somebody else is a result, which may not be out yet.
  if (reasons.length)
    return {
      ...base,
      level: reasons.some(({ code }) => code === 'block_student') ? null : level,
      courses: [],
      errors: reasons.map(toProblem),
    }
  const courses = source.due.map((due): BlockCourse & { offering_id: number | null } => ({
    course: due.course,
    level: due.level,
    why: whyOf(due, level),
    offering_id: due.offering_id,
    state: due.offering_id === null ? 'refused' : 'registered',
    errors:
      due.offering_id === null
        ? [
            toProblem({
              code: 'block_not_offered',
              data: { course: due.course.code ?? '', term: term.name, term_local: term.name_local ?? term.name },
            }),
          ]
        : [],
  }))
  const examOnly = enrolment === 'external'
  const refused = (offering_id: number, found: readonly Reason[]) => {
    const course = courses.find((one) => one.offering_id === offering_id)!
    course.state = 'refused'
    course.errors = found.map((one) => toProblem({ ...one, field: null }))
  }
  const action = how.self ? ('request' as const) : ('enroll' as const)
  // Each round takes out what is refused, because it stood against what came after it.
  for (;;) {
    const open = courses.flatMap((one) => (one.state === 'registered' ? (one.offering_id ?? []) : []))
    if (!open.length) break
    const wanted = await chosenFor(ctx, student.id, open, how.over_quota, examOnly)
    const terms: RequestTerms = {
      ...how,
      who: how.self ? 'student' : 'registrar',
      action,
      block: true,
      exam_only: examOnly,
    }
    const g = await gatherRequest(ctx.pool, student.id, open)
    if (!g) throw refuse(404, 'not_found')
    const { judged } = await judgeRequest(ctx, g, wanted, terms)
    const wrong = judged.filter((one) => one.refusals.length)
    if (wrong.length) {
      // The first only: what follows may be refused for it alone.
      const first = wrong[0]!
      for (const one of hopeless(wrong) ? wrong : [first])
        refused(
          one.offering_id,
          reasonsOf([one], () => null),
        )
      continue
    }
    if (!how.commit) break
    try {
      await requestOfferings(ctx, {
        student_id: student.id,
        action,
        offerings: wanted,
        overrides: how.overrides,
        over_quota: how.over_quota,
        reason: how.reason,
        block: true,
        exam_only: examOnly,
      })
      await enterLevel(ctx, source)
      break
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error
      // Somebody was faster to a seat.
      const found = Map.groupBy(error.reasons, (one) => Number(/^offerings\.(\d+)/.exec(one.field ?? '')?.[1] ?? 0))
      for (const [i, ones] of found) refused(wanted[i]!.offering_id, ones)
    }
  }
  return { ...base, courses, errors: [] }
}

/** Refusals that have nothing to do with the other courses of the block: all can be told at once. */
const TOGETHER = new Set(['time_clash', 'exam_clash', 'corequisites', 'already_registered'])
const hopeless = (wrong: readonly { refusals: readonly { code: string }[] }[]): boolean =>
  wrong.every((one) => one.refusals.some(({ code }) => !TOGETHER.has(code)))

/** Groups for every offering that leave the week without a clash as far as there are any. */
async function chosenFor(
  ctx: Ctx,
  studentId: number,
  offeringIds: readonly number[],
  over: boolean,
  examOnly: boolean,
): Promise<Wanted[]> {
  if (examOnly) return offeringIds.map((offering_id) => ({ offering_id, offering_slot_ids: [], improve: false }))
  const g = await gatherRequest(ctx.pool, studentId, offeringIds)
  const busy = (g?.registrations ?? [])
    .filter((registration) => countsInLoad(mainOf(fromWire(registration.status))))
    .flatMap((registration) => registration.meetings)
  return offeringIds.map((offering_id) => {
    const slots = (g?.offerings.find((offering) => offering.id === offering_id)?.slots ?? []).map((slot) => ({
      ...slot,
      free: slot.quota + (over ? slot.over_quota : 0) - slot.taken - slot.held,
    }))
    const all = slots.map((slot) => ({ ...slot, free: 1 }))
    const ids = chooseSlots(slots, busy) ?? chooseSlots(slots, []) ?? chooseSlots(all, []) ?? []
    busy.push(...slots.filter((slot) => ids.includes(slot.id)).flatMap((slot) => slot.meetings))
    return { offering_id, offering_slot_ids: ids, improve: false }
  })
}

/** The student is in the level for the year, from the first registration on. */
async function enterLevel(ctx: Ctx, source: Source): Promise<void> {
  if (source.enrolment !== null || against(source).length) return
  await ctx.write((tx) =>
    sql`insert into student_years (student_id, year_id, bylaw_id, program_id, level, enrolment)
      select s.id, ${source.year.id}, s.bylaw_id, s.program_id, s.level, 'new' from students s where s.id = ${source.student.id}
      on conflict do nothing`.execute(tx),
  )
}

// --- One student ----------------------------------------------------------------------------------------------------

async function termOf(ctx: Ctx, given: number | undefined): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select id from terms where id = coalesce(${given ?? null}::int, ${currentTermId()}) and removed_at is null`.execute(
    ctx.db,
  )
  if (!rows[0]?.id) throw refuse(404, 'not_found')
  return rows[0].id
}

/** The student meant, within reach. @throws {Refusal} 404, 422 */
async function oneSource(
  ctx: Ctx,
  given: number | undefined,
  term: number | undefined,
  electives: readonly number[] = [],
) {
  const id = given ?? ctx.actor?.student_id
  if (!id) throw refuse(422, 'required', undefined, 'student_id')
  const self = isSelf(ctx, id)
  const termId = await termOf(ctx, term)
  const [source] = await sources(
    ctx.db,
    sql`s.id = ${id} and ${self ? sql`true` : scopeCondition(ctx, 'enroll_students', studentScope(ctx))}`,
    termId,
    { self, electives },
  )
  if (!source) throw refuse(404, 'not_found')
  const strange = electives.filter((elective) => !source.due.some((due) => due.offering_id === elective && due.chosen))
  if (strange.length) {
    const { rows } = await sql<{ id: number; code: string }>`select o.id, c.code from offerings o
      join courses c on c.id = o.course_id where o.id = any(${strange}::int[])`.execute(ctx.db)
    throw new Refusal(
      422,
      strange.map((one) => ({
        field: `electives.${electives.indexOf(one)}`,
        code: 'elective_not_in_plan',
        data: { course: rows.find((row) => row.id === one)?.code ?? String(one) },
      })),
    )
  }
  return { source, self }
}

// --- A level --------------------------------------------------------------------------------------------------------

type Selection = {
  term_id: number
  program_id: number
  level: number
  student_ids?: readonly number[] | undefined
  reason?: string | null | undefined
}
/** More students than this are done by a job. */
const AT_ONCE = 60
/** Students whose results one report holds. */
const MOST_TOLD = 2000
const LANES = 4

const ofLevel = (ctx: Ctx, { program_id, level, student_ids }: Selection): RawBuilder<unknown> => sql`
  s.program_id = ${program_id} and s.status = 'studying' and b.program_type in ('term', 'annual')
  and coalesce(y.level, s.level) = ${level} and ${student_ids ? sql`s.id = any(${[...student_ids]}::int[])` : sql`true`}
  and ${scopeCondition(ctx, 'enroll_students', studentScope(ctx))}`

async function levelReport(
  ctx: Ctx,
  selection: Selection,
  commit: boolean,
  progress?: (percent: number) => unknown,
): Promise<BlockReport> {
  const found = await sources(ctx.db, ofLevel(ctx, selection), selection.term_id, { self: false, electives: [] })
  const students: BlockStudent[] = []
  const queue = found.values()
  let done = 0
  const how = { self: false, commit, overrides: [], over_quota: false, reason: selection.reason ?? null }
  await Promise.all(
    Array.from({ length: Math.min(LANES, found.length) }, async () => {
      for (const source of queue) {
        students.push(await blockOf(ctx, source, how))
        if (++done % 20 === 0) await progress?.(Math.round((done * 100) / found.length))
      }
    }),
  )
  const made = (one: BlockStudent) => one.courses.filter((course) => course.state === 'registered').length
  const kind = (one: BlockStudent): 'whole' | 'part' | 'none' | 'nothing' => {
    if (!one.courses.length) return one.errors.length ? 'none' : 'nothing'
    const count = made(one)
    return count === one.courses.length ? 'whole' : count ? 'part' : 'none'
  }
  const counts = Map.groupBy(students, kind)
  const count = (of: ReturnType<typeof kind>) => counts.get(of)?.length ?? 0
  const order = { none: 0, part: 1, whole: 2, nothing: 3 }
  return {
    whole: count('whole'),
    part: count('part'),
    none: count('none'),
    nothing: count('nothing'),
    courses: students.reduce((sum, one) => sum + made(one), 0),
    students: students
      .toSorted((a, b) => order[kind(a)] - order[kind(b)] || ((a.student.code ?? '') < (b.student.code ?? '') ? -1 : 1))
      .slice(0, MOST_TOLD),
  }
}

/** A level of many students: its preview, and its registration with the rights of the person who asked. */
export const blockJob = defineJob<Selection & { commit: boolean }, BlockReport>({
  name: 'register-level',
  retries: 2,
  run: (ctx, { commit, ...selection }, progress) => levelReport(ctx, selection, commit, progress),
})

/**
 * Registers the block of a student who begins by a decision of the university, e.g. an admission. Whoever studies by credit hours chooses courses;
 * of a term that is over nothing is registered; what is refused is left to the registrar.
 */
export const firstBlockJob = defineJob<{ student_id: number; term_id: number }, { registered: number }>({
  name: 'register-first-block',
  retries: 3,
  run: async ({ services }, { student_id, term_id }) => {
    const ctx = asSystem(services, 'First registration')
    const [source] = await sources(ctx.db, sql`s.id = ${student_id} and t.end_date >= university_today()`, term_id, {
      self: false,
      electives: [],
    })
    if (!source?.by_marks) return { registered: 0 }
    const { courses } = await blockOf(ctx, source, {
      self: false,
      commit: true,
      overrides: [],
      over_quota: false,
      reason: 'First registration',
    })
    return { registered: courses.filter(({ state }) => state === 'registered').length }
  },
})

async function level(ctx: Ctx, selection: Selection, commit: boolean) {
  const { rows } = await sql<{ students: number; term: boolean }>`
    select count(s.id)::int as students, exists (select from terms where id = ${selection.term_id} and removed_at is null) as term
    from terms t join students s on s.removed_at is null join bylaws b on b.id = s.bylaw_id join programs p on p.id = s.program_id
      left join student_years y on y.student_id = s.id and y.year_id = t.year_id
    where t.id = ${selection.term_id} and ${ofLevel(ctx, selection)}`.execute(ctx.db)
  if (!rows[0]?.term) throw refuse(404, 'not_found', undefined, 'term_id')
  const { rows: programs } = await sql<{ code: string; untyped: boolean }>`
    select p.code, coalesce(p.program_type, b.program_type) is null as untyped from programs p join bylaws b on b.id = p.bylaw_id
    where p.id = ${selection.program_id}`.execute(ctx.db)
  if (programs[0]?.untyped) throw refuse(409, 'ProgramTypeError', { program: programs[0].code })
  if (rows[0].students <= AT_ONCE) return { job_id: null, data: await levelReport(ctx, selection, commit) }
  const job_id = await ctx.write((tx) =>
    ctx.services.jobs.send(tx, blockJob, { ...selection, commit }, { actor: ctx.actor, lang: ctx.lang }),
  )
  return { job_id, data: null }
}

export const blockHandlers: readonly Handled[] = [
  handle(blockCalls.show, async (ctx, { query }) => {
    const { source, self } = await oneSource(ctx, query.student_id, query.term_id)
    return {
      data: await blockOf(ctx, source, { self, commit: false, overrides: [], over_quota: false, reason: null }),
    }
  }),
  handle(blockCalls.register, async (ctx, { body }) => {
    const { source, self } = await oneSource(ctx, body.student_id, body.term_id, body.electives)
    const reasons = against(source)
    if (reasons.length) throw new Refusal(409, reasons)
    if (!source.due.length) throw refuse(409, 'block_nothing')
    const { overrides, over_quota, reason = null } = body
    const data = await blockOf(ctx, source, { self, commit: true, overrides, over_quota, reason })
    // Nothing at all: a refusal with every reason.
    if (data.courses.every((course) => course.state === 'refused')) {
      throw new Refusal(
        409,
        data.courses.flatMap((course) => course.errors.map(({ code, data: found }) => ({ code, data: found }))),
      )
    }
    return { data }
  }),
  handle(blockCalls.preview, (ctx, { body }) => level(ctx, body, false)),
  handle(blockCalls.level, (ctx, { body }) => level(ctx, body, true)),
]
