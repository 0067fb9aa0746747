/** Results of a level: worked out for everybody in it, kept as a preview, applied, announced, taken back. */
import { sealsRecords } from '#areas/records/grading/signing/sign.server.ts'
import { sql } from 'kysely'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { listedMains, maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import { computeRegistrationGrades } from '#areas/records/grading/grades/compute.server.ts'
import { printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import type { StudentStatus } from '#areas/common/academics/student-status.rules.ts'
import { approvedFact } from '#areas/records/grading/basis.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { refuseOutdated } from '#kit/server/workflow/basis.ts'
import { dropBasis, keepBasis } from '#kit/server/workflow/basis-registry.ts'
import { levelBasis } from './basis.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { degreesOf, type Degree } from './degree.server.ts'
import { gatherLevel, regulationOf, type LevelKey, type Regulation } from './gather.server.ts'
import { levelScope } from './reach.server.ts'
import { goesOn, type LevelOutcome } from './promotion.rules.ts'
import { MOST_NAMED, type KeptCourse, type Worked, workOut, makePreview } from './preview.server.ts'
const LISTED = sql.raw(maskOf(listedMains))

interface Held extends LevelKey {
  id: number
  version: number
  status: 'previewed' | 'applied' | 'announced' | 'undone'
  rule: Regulation['grace']
  /** Of some students, by name. */
  named: boolean
}

/** Locks a result within reach. */
async function lockResult(ctx: Ctx, tx: Tx, id: number, statuses: readonly Held['status'][]): Promise<Held> {
  const { rows } = await sql<Held>`
    select r.id, r.version, r.bylaw_id, r.year_id, r.level, r.status, r.rule, r.named from level_results r join bylaws b on b.id = r.bylaw_id
    where r.id = ${id} and ${levelScope(ctx, 'apply_level_result')} for no key update of r`.execute(tx)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  if (!statuses.includes(found.status)) throw refuse(409, `level_result_${found.status}`)
  return found
}

/** What stands on the sheet and what stands now, where they differ. */
async function changedSince(tx: Tx, id: number, now: readonly Worked[], key: LevelKey): Promise<void> {
  const { rows } = await sql<{ student_id: number; code: string; courses: KeptCourse[] }>`
    select l.student_id, s.code, l.courses from level_result_students l join students s on s.id = l.student_id
    where l.level_result_id = ${id} order by s.code`.execute(tx)
  const found = new Map(now.map((one) => [one.one.student_id, one.one]))
  const reasons: { code: string; data: Record<string, unknown> }[] = []
  const shown = (mark: number | null, state: string) => (mark === null ? state : printHundredths(mark))
  for (const { student_id, code, courses } of rows) {
    const one = found.get(student_id)
    found.delete(student_id)
    if (!one) {
      reasons.push({ code: 'level_student_gone', data: { student: code } })
      continue
    }
    const before = new Map(courses.map((course) => [course.c, course]))
    for (const course of one.courses) {
      const old = before.get(course.course_id)
      before.delete(course.course_id)
      const [m, s] = [old?.m ?? null, old?.s ?? 'none']
      if (old && m === course.mark && s === course.state && old.x === course.maximum && old.k === course.carried)
        continue
      reasons.push({
        code: 'level_mark_changed',
        data: { student: code, course: course.code, before: shown(m, s), now: shown(course.mark, course.state) },
      })
    }
    if (before.size) reasons.push({ code: 'level_courses_gone', data: { student: code, count: before.size } })
  }
  for (const one of found.values())
    reasons.push({ code: 'level_student_new', data: { student: await codeOf(tx, one.student_id) } })
  if (reasons.length)
    throw new Refusal(409, [
      { code: 'level_changed_since', data: { ...key, count: reasons.length } },
      ...reasons.slice(0, MOST_NAMED - 1),
    ])
}
const codeOf = async (tx: Tx, id: number): Promise<string> =>
  firstRow((await sql<{ code: string }>`select code from students where id = ${id}`.execute(tx)).rows).code

/** Offerings of these courses stand still until the transaction ends: a step of control waits. */
async function holdOfferings(tx: Tx, { bylaw_id, year_id, level }: LevelKey): Promise<void> {
  const { rows } = await sql<{ code: string; control_status: string }>`
    with held as materialized (
      select o.id, o.course_id, o.code, o.control_status from offerings o
      where o.id in (select r.offering_id from student_years y join registrations r on r.student_id = y.student_id
        join terms t on t.id = r.term_id and t.year_id = y.year_id
        where y.bylaw_id = ${bylaw_id} and y.year_id = ${year_id} and y.level = ${level})
      order by o.id for share)
    select c.code || ' ' || h.code as code, h.control_status from held h join courses c on c.id = h.course_id
    where h.control_status not in ('Approved', 'Published', 'Frozen')
      and exists (select from registrations r join student_years y on y.student_id = r.student_id and y.year_id = ${year_id}
        and y.level = ${level} and y.bylaw_id = ${bylaw_id}
        where r.offering_id = h.id and r.status & ${LISTED} <> 0) order by 1`.execute(tx)
  if (rows.length)
    throw new Refusal(
      409,
      rows.slice(0, MOST_NAMED).map(({ code, control_status }) => ({
        code: 'level_below_approved',
        data: { course: code, status: control_status },
      })),
    )
}

/** The year after a year. */
async function nextYear(tx: Tx, year_id: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select n.id from years n join years y on y.id = ${year_id} and n.start_date > y.start_date
    where n.removed_at is null order by n.start_date limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

const ENROLMENT: Partial<Record<LevelOutcome, string>> = {
  promoted: 'new',
  carries: 'carried',
  repeats: 'repeating',
  external: 'external',
}

/**
 * Applies a preview, all of it in one transaction: grace marks beside the marks, the level of the next year, the status of
 * who leaves. It is worked out again on locked rows; what differs from the preview stops it. Who waits for a result or
 * for the second session stays undecided, and is in the next preview.
 *
 * @throws {Refusal} 409 naming what stands against it
 */
export async function applyLevel(ctx: Ctx, id: number, version?: number): Promise<{ id: number; students: number }> {
  return ctx.write(
    async (tx) => {
      const key = await lockResult(ctx, tx, id, ['previewed'])
      if (version !== undefined && version !== key.version)
        throw refuse(409, 'changed_meanwhile', { version: key.version })
      return { id, students: await makeApplied(ctx, tx, key) }
    },
    { reason: 'result of a level' },
  )
}

/** The same inside a transaction, of a result that is locked. Answers how many are decided. @throws {Refusal} 409 */
export async function makeApplied(
  ctx: Ctx | null,
  tx: Tx,
  key: LevelKey & Pick<Held, 'id' | 'rule' | 'named'>,
): Promise<number> {
  // Two officers meet at the rows of the year: who comes second finds them decided.
  await sql`select from student_years where bylaw_id = ${key.bylaw_id} and year_id = ${key.year_id} and level = ${key.level}
    order by id for no key update`.execute(tx)
  await holdOfferings(tx, key)
  const regulation = await regulationOf(tx, key)
  if (JSON.stringify(regulation.grace) !== JSON.stringify(key.rule && { ...regulation.grace, ...key.rule }))
    throw refuse(409, 'level_rule_changed')
  const students = await gatherLevel(tx, key, regulation, key.named ? await studentsOf(tx, key.id) : undefined)
  const worked = workOut(students, key, regulation)
  await changedSince(tx, key.id, worked, key)
  // The bylaw may have changed since as well.
  const { rows: kept } = await sql<{
    student_id: number
    outcome: LevelOutcome
    grace: string
    rating: string | null
    degree: Degree | null
  }>`select student_id, outcome, grace::text, rating, degree from level_result_students where level_result_id = ${key.id}`.execute(
    tx,
  )
  const graduates = worked.filter(({ result }) => result.after.outcome === 'graduates')
  const degrees = await degreesOf(tx, key, graduates, regulation)
  const before = new Map(kept.map((row) => [row.student_id, row]))
  if (
    worked.some(({ one, result }) => {
      const old = before.get(one.student_id)!
      return (
        old.outcome !== result.after.outcome ||
        old.grace !== printHundredths(result.grace.total) ||
        old.rating !== result.after.rating ||
        !sameDegree(old.degree, degrees.get(one.student_id) ?? null)
      )
    })
  )
    throw refuse(409, 'level_rule_changed')
  const decided = worked.filter(({ result }) => !['waiting', 'second_session'].includes(result.after.outcome))
  if (!decided.length) throw refuse(409, 'level_nobody_decided')
  const next = await nextYear(tx, key.year_id)
  if (next === null && decided.some(({ result }) => !['graduates', 'leaves'].includes(result.after.outcome)))
    throw refuse(409, 'level_next_year')
  await settle(ctx, tx, key, key.id, decided, next, regulation)
  await sql`update level_results set status = 'applied', applied_by = ${ctx?.actor?.user_id ?? null}, applied_at = now() where id = ${key.id}`.execute(
    tx,
  )
  return decided.length
}

const studentsOf = async (tx: Tx, id: number): Promise<number[]> =>
  (
    await sql<{ student_id: number }>`select student_id from level_result_students where level_result_id = ${id}
      order by 1`.execute(tx)
  ).rows.map((row) => row.student_id)

/** Whether two degrees say the same of a student. */
const sameDegree = (a: Degree | null, b: Degree | null): boolean =>
  a === b || (a !== null && b !== null && a.rating === b.rating && a.marks === b.marks && a.honours === b.honours)

/** What an applied result changes. */
async function settle(
  ctx: Ctx | null,
  tx: Tx,
  { level }: LevelKey,
  id: number,
  decided: readonly Worked[],
  next: number | null,
  { final_level }: Regulation,
): Promise<void> {
  sealsRecords(tx)
  const lifts = decided.flatMap(({ one, result }) =>
    result.grace.courses.map(({ course_id, marks }) => ({
      registration_id: one.courses.find((course) => course.course_id === course_id)!.registration_id,
      marks: printHundredths(marks),
    })),
  )
  if (lifts.length) {
    await sql`insert into grace_marks (registration_id, level_result_id, marks)
      select n.registration_id, ${id}, n.marks from jsonb_to_recordset(${JSON.stringify(lifts)}::jsonb) as n(registration_id int, marks numeric)`.execute(
      tx,
    )
    await actOn(tx, 'step')
    await computeRegistrationGrades(
      tx,
      lifts.map((lift) => lift.registration_id!),
    )
    await actOn(tx, null)
  }
  const rows = decided.map(({ one, result: { after, decision } }) => ({
    student_year_id: one.student_year_id,
    student_id: one.student_id,
    uses_chance: decision.uses_chance,
    level: goesOn(after.outcome) ? Math.min(level + 1, final_level) : level,
    enrolment:
      after.outcome === 'stopped'
        ? null
        : after.outcome === 'carries' && level >= final_level
          ? 'repeating'
          : (ENROLMENT[after.outcome] ?? null),
    goes: !['graduates', 'leaves'].includes(after.outcome),
    leaves: after.outcome === 'leaves',
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(student_year_id int, student_id int,
    uses_chance boolean, level int, enrolment text, goes boolean, leaves boolean)`
  await sql`update level_result_students l set applied = true,
      was = jsonb_build_object('status', s.status, 'level', s.level, 'chances_used', y.chances_used)
    from ${given} join students s on s.id = n.student_id join student_years y on y.id = n.student_year_id
    where l.level_result_id = ${id} and l.student_id = n.student_id`.execute(tx)
  await sql`update student_years y set chances_used = 0 from ${given}
    where y.id = n.student_year_id and not n.uses_chance and y.chances_used <> 0`.execute(tx)
  if (next !== null) {
    const { rows: there } = await sql<{ code: string }>`
      select s.code from ${given} join student_years x on x.student_id = n.student_id and x.year_id = ${next}
      join students s on s.id = n.student_id where n.goes order by 1`.execute(tx)
    if (there.length)
      throw new Refusal(409, [
        ...(there.length > 1 ? [{ code: 'level_next_begun', data: { count: there.length, of: rows.length } }] : []),
        ...there.slice(0, MOST_NAMED - 1).map(({ code }) => ({ code: 'level_next_there', data: { student: code } })),
      ])
    await sql`with made as (
        insert into student_years (student_id, year_id, bylaw_id, program_id, level, enrolment)
        select y.student_id, ${next}, s.bylaw_id, s.program_id, n.level, coalesce(n.enrolment, y.enrolment)
        from ${given} join student_years y on y.id = n.student_year_id join students s on s.id = y.student_id where n.goes
        returning id, student_id)
      update level_result_students l set next_year_id = made.id from made
      where l.level_result_id = ${id} and l.student_id = made.student_id`.execute(tx)
  }
  await sql`update students s set level = n.level from ${given} where s.id = n.student_id and s.level <> n.level`.execute(
    tx,
  )
  await decideStatus(
    ctx,
    tx,
    rows.flatMap((row) => (row.leaves ? [row.student_id] : [])),
    { to: 'dismissed', decision: 'Result of the level', source: 'level_result', source_id: id },
  )
  // Grace marks are in: what the year stands on is the results as they are now.
  await keepBasis(
    tx,
    levelBasis,
    decided.map(({ one }) => ({
      id: one.student_year_id,
      facts: one.courses.flatMap(({ registration_id }) =>
        registration_id === null ? [] : [{ fact: approvedFact.name, fact_id: registration_id }],
      ),
    })),
  )
}

/** Tells the students of an applied result what became of them, once every course of theirs is published. */
export async function announceLevel(ctx: Ctx, id: number): Promise<{ id: number; students: number }> {
  return ctx.write(async (tx) => {
    await lockResult(ctx, tx, id, ['applied'])
    const { rows: years } = await sql<{ id: number }>`select student_year_id as id from level_result_students
      where level_result_id = ${id} and applied order by 1`.execute(tx)
    await refuseOutdated(
      tx,
      levelBasis,
      years.map((year) => year.id),
    )
    return makeAnnounced(ctx, tx, id)
  })
}

async function makeAnnounced(ctx: Ctx, tx: Tx, id: number): Promise<{ id: number; students: number }> {
  const { rows: hidden } = await sql<{ code: string; control_status: string }>`
      select distinct c.code || ' ' || o.code as code, o.control_status from level_result_students l
      cross join jsonb_to_recordset(l.courses) as k(o int) join offerings o on o.id = k.o join courses c on c.id = o.course_id
      where l.level_result_id = ${id} and l.applied and o.control_status not in ('Published', 'Frozen')
      order by 1 limit ${MOST_NAMED}`.execute(tx)
  if (hidden.length)
    throw new Refusal(
      409,
      hidden.map(({ code, control_status }) => ({
        code: 'level_not_published',
        data: { course: code, status: control_status },
      })),
    )
  const { rows } = await sql<{ id: number; user_id: number | null; outcome: string }>`
      select s.id, s.user_id, l.outcome from level_result_students l join students s on s.id = l.student_id
      where l.level_result_id = ${id} and l.applied`.execute(tx)
  await notify(
    tx,
    rows.flatMap((row) => (row.user_id ? [row.user_id] : [])),
    {
      key: 'level-results.notice_level_result',
      data: {},
      link: '/academic',
      records: rows.map((row) => row.id),
    },
  )
  await sql`update level_results set status = 'announced', announced_by = ${ctx.actor?.user_id ?? null}, announced_at = now()
      where id = ${id}`.execute(tx)
  return { id, students: rows.length }
}

/**
 * Takes an applied result back, of everybody or of named students: grace marks go, students stand where they stood. Refused
 * once something stands on it: a registration in the next year, a later result, a status that somebody changed.
 */
export async function undoLevel(
  ctx: Ctx,
  id: number,
  reason: string,
  student_ids?: readonly number[],
): Promise<{ id: number; students: number }> {
  return ctx.write(
    async (tx) => {
      await lockResult(ctx, tx, id, ['applied', 'announced'])
      return { id, students: await takeBack(ctx, tx, id, student_ids ?? null, true) }
    },
    { reason },
  )
}

/**
 * The same inside a transaction, of a result that is locked.
 *
 * @param leaves students are left without a result: nobody who is registered in the next year may be
 */
async function takeBack(
  ctx: Ctx,
  tx: Tx,
  id: number,
  student_ids: readonly number[] | null,
  leaves: boolean,
): Promise<number> {
  const { rows: against } = await sql<{ student_id: number; code: string; reason: string | null }>`
    select s.id as student_id, s.code, case
        when exists (select from level_result_students x where x.student_year_id = n.id and x.applied) then 'level_later_result'
        when ${leaves} and exists (select from registrations r join terms t on t.id = r.term_id
          where r.student_id = s.id and t.year_id = n.year_id) then 'level_next_registered'
        when n.id is not null and (n.version > 1) then 'level_next_changed'
        when l.outcome = 'leaves' and s.status <> 'dismissed' then 'level_status_changed' end as reason
    from level_result_students l join students s on s.id = l.student_id left join student_years n on n.id = l.next_year_id
    where l.level_result_id = ${id} and l.applied and (${student_ids === null} or s.id = any(${[...(student_ids ?? [])]}::int[]))
    order by s.code for no key update of s`.execute(tx)
  if (student_ids && against.length < new Set(student_ids).size)
    throw refuse(404, 'not_found', undefined, 'student_ids')
  const reasons = against.flatMap(({ code, reason }) => (reason ? [{ code: reason, data: { student: code } }] : []))
  if (reasons.length) throw new Refusal(409, reasons.slice(0, MOST_NAMED))
  const ids = against.map((one) => one.student_id)
  const mine = sql`l.level_result_id = ${id} and l.applied and l.student_id = any(${ids}::int[])`
  await sql`update students s set level = (l.was ->> 'level')::int
    from level_result_students l where ${mine} and l.student_id = s.id and s.level <> (l.was ->> 'level')::int`.execute(
    tx,
  )
  const { rows: back } = await sql<{ student_id: number; status: StudentStatus }>`
    select l.student_id, l.was ->> 'status' as status from level_result_students l
    where ${mine} and l.outcome = 'leaves'`.execute(tx)
  for (const [to, some] of Map.groupBy(back, (one) => one.status))
    await decideStatus(
      ctx,
      tx,
      some.map((one) => one.student_id),
      { to, decision: 'Result of the level taken back', source: 'level_result', source_id: id },
    )
  await sql`update student_years y set chances_used = (l.was ->> 'chances_used')::int
    from level_result_students l where ${mine} and y.id = l.student_year_id
      and y.chances_used <> (l.was ->> 'chances_used')::int`.execute(tx)
  await sql`delete from student_years y using level_result_students l where ${mine} and y.id = l.next_year_id`.execute(
    tx,
  )
  sealsRecords(tx)
  const { rows: lifted } = await sql<{ registration_id: number }>`
    delete from grace_marks g using registrations r where g.level_result_id = ${id} and r.id = g.registration_id
      and r.student_id = any(${ids}::int[]) returning g.registration_id`.execute(tx)
  const { rows: years } = await sql<{ id: number }>`
    update level_result_students l set applied = false where ${mine} returning student_year_id as id`.execute(tx)
  await dropBasis(
    tx,
    levelBasis,
    years.map((year) => year.id),
  )
  await actOn(tx, 'step')
  await computeRegistrationGrades(
    tx,
    lifted.map((one) => one.registration_id),
  )
  await actOn(tx, null)
  await sql`update level_results r set status = 'undone', undone_by = ${ctx.actor?.user_id ?? null}, undone_at = now()
    where id = ${id} and not exists (select from level_result_students l where l.level_result_id = r.id and l.applied)`.execute(
    tx,
  )
  return ids.length
}

/**
 * Decides years of students again on the results as they are now, theirs alone: the old result is taken back and one by
 * name applied, and announced where the old one was. Who is registered in the next year stays in its level.
 *
 * @param year_ids years of students (`student_years`) that are decided
 * @throws {Refusal} 409 `level_next_registered` where the level of the next year would be another; what stands against applying
 */
export async function decideAgain(ctx: Ctx, tx: Tx, year_ids: readonly number[]): Promise<void> {
  const { rows } = await sql<LevelKey & Pick<Held, 'id' | 'status'> & { student_id: number }>`
    select r.id, r.bylaw_id, r.year_id, r.level, r.status, l.student_id from level_result_students l
      join level_results r on r.id = l.level_result_id
    where l.student_year_id = any(${[...year_ids]}::int[]) and l.applied order by r.id for no key update of r`.execute(
    tx,
  )
  for (const some of Map.groupBy(rows, (row) => row.id).values()) {
    const { id, status, bylaw_id, year_id, level } = some[0]!
    const key = { bylaw_id, year_id, level }
    const ids = some.map((one) => one.student_id)
    const before = await nextOf(tx, ids, year_id)
    await takeBack(ctx, tx, id, ids, false)
    const made = await makePreview(tx, key, ctx.actor?.user_id ?? null, ids)
    const { rows: rules } = await sql<Pick<Held, 'rule'>>`select rule from level_results where id = ${made.id}`.execute(
      tx,
    )
    await makeApplied(ctx, tx, { ...key, id: made.id, rule: rules[0]!.rule, named: true })
    const now = await nextOf(tx, ids, year_id)
    const moved = [...before].filter(([student, one]) => one.registered && one.place !== now.get(student)?.place)
    if (moved.length)
      throw new Refusal(
        409,
        moved.map(([, { code }]) => ({ code: 'level_next_registered', data: { student: code } })),
      )
    if (status === 'announced') await makeAnnounced(ctx, tx, made.id)
  }
}

/** Where students are in the next year, and whether they are registered in it. */
async function nextOf(tx: Tx, ids: readonly number[], year_id: number) {
  const next = await nextYear(tx, year_id)
  const { rows } = await sql<{ id: number; code: string; place: string | null; registered: boolean }>`
    select s.id, s.code, y.level || ' ' || y.enrolment as place, exists (select from registrations r join terms t on t.id = r.term_id
      where r.student_id = s.id and t.year_id = ${next}::int) as registered
    from students s left join student_years y on y.student_id = s.id and y.year_id = ${next}::int
    where s.id = any(${[...ids]}::int[]) order by s.code`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
