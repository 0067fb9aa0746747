/** Grade rechecks and corrections: asked, looked at by one person, decided by another, and what an accepted one changes. */
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { attemptOf, isAudit, mainOf } from '#areas/common/academics/status.rules.ts'
import { shownLevel, windowOpensTo } from '#areas/common/academics/window-reach.server.ts'
import { studentView, type GradesVisibility } from '#areas/common/academics/control.rules.ts'
import { settingsIn, type TermPlace } from '#areas/study/catalogue/bylaws/editions.rules.ts'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { parseHundredths, printHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { ref, refText } from '#kit/server/base/sql.ts'
import { FEE } from '#kit/server/workflow/fees.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { followAttempts } from '../control/attempts.server.ts'
import { oneOf } from '../control/control.server.ts'
import { computeRegistrationGrades, schemesOf, STUDY_BYLAW } from '../grades/compute.server.ts'
import { gradingBylaw, listedMains, maskOf, takesMarks } from '../grades/grades.rules.ts'
import { plainMark, writeMarks } from '../grades/marks.server.ts'
import { gradeOf, readMark, type Mark } from '../grading.rules.ts'
import { actOn } from '../guard.server.ts'
import { writeRecords } from '../terms/record.server.ts'
import { GradingReference, calendarOf } from '../terms/gather-record.server.ts'
import {
  RECHECK_STATES,
  recheckCalls,
  recheckFlow,
  recheckSteps,
  type RecheckDetail,
  type RecheckRow,
} from './recheck.contract.ts'
import { chargeFor, costOf, feeAfter, FEE_OF } from './fee.server.ts'
import { checkAsking, recheckAuthority, type Asking, type RecheckFacts, type RecheckKind } from './recheck.rules.ts'

/** A request `t` is reached as the offering of its mark; who asks sees the own student's, or those of the offerings taught. */
const within = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select from registrations r join offerings o on o.id = r.offering_id where r.id = t.registration_id and ${condition})`
export function recheckReach(ctx: Ctx): ScopeParts {
  const parts = offeringReach(ctx, 'o')
  return {
    ...Object.fromEntries(
      Object.entries(parts).map(([kind, part]) => [
        kind,
        kind === 'taught'
          ? within(part as RawBuilder<unknown>)
          : (ids: readonly number[]) =>
              within(typeof part === 'function' ? part(ids) : sql`${part} = any(${[...ids]}::int[])`),
      ]),
    ),
    own: sql`exists (select from registrations r where r.id = t.registration_id and r.student_id = ${ctx.actor?.student_id ?? null})`,
  }
}

/** SQL of a mark as text. */
const MARK = (alias: string) => `case when ${alias}.absent then 'A' else trim_scale(${alias}.mark)::text end`
/** SQL of everybody who entered or changed the mark of the request `t`. */
const ASSESSORS = `(select coalesce(json_agg(distinct x.id), '[]') from (
  select m.entered_by as id from registration_marks m where m.registration_id = t.registration_id and m.offering_mark_id = t.offering_mark_id
  union select (a.new ->> 'entered_by')::int from audit_log a where a.table_name = 'registration_marks' and a.record_id = t.registration_id
    and (a.new ->> 'offering_mark_id')::int = t.offering_mark_id
  union select (a.old ->> 'entered_by')::int from audit_log a where a.table_name = 'registration_marks' and a.record_id = t.registration_id
    and (a.old ->> 'offering_mark_id')::int = t.offering_mark_id) x where x.id is not null)`

interface Facts extends Omit<RecheckFacts, 'people' | 'takes_marks'> {
  id: number
  flags: string
}
const factsOf = async (ctx: Ctx, db: Db | Tx, ids: readonly number[]): Promise<Map<number, RecheckFacts>> => {
  const { rows } = await sql<Facts>`
    select t.id, t.reviewed_by, t.new_mark, t.old_mark, r.status::text as flags, o.control_status, names_are_closed(o.id) as names_closed,
      ${sql.raw(ASSESSORS)} as assessors, (select ${sql.raw(MARK('m'))} from registration_marks m
        where m.registration_id = t.registration_id and m.offering_mark_id = t.offering_mark_id) as mark
    from grade_rechecks t join registrations r on r.id = t.registration_id join offerings o on o.id = r.offering_id
    where t.id = any(${[...ids]}::int[])`.execute(db)
  const people = peopleOf(ctx)
  return new Map(rows.map(({ id, flags, ...row }) => [id, { ...row, people, takes_marks: takesMarks(BigInt(flags)) }]))
}

export const recheckServed = serveWorkflow(recheckFlow, recheckSteps, {
  table: 'grade_rechecks',
  scope: recheckReach,
  units: () => ({
    faculty: sql`(select o.faculty_id from registrations r join offerings o on o.id = r.offering_id where r.id = t.registration_id)`,
  }),
  seen: ['access_recheck', 'ask_recheck', 'ask_correction'],
  nameOf: `(select s.code from registrations r join students s on s.id = r.student_id where r.id = t.registration_id)`,
  own: (people) => sql`exists (select from registrations r join students s on s.id = r.student_id
    where r.id = t.registration_id and s.user_id = any(${people}))`,
  facts: async (ctx, tx, ids) => {
    // The mark and its offering stay as they are seen.
    await sql`select from offerings o where o.id in (select r.offering_id from registrations r join grade_rechecks t
      on t.registration_id = r.id where t.id = any(${[...ids]}::int[])) order by o.id for no key update of o`.execute(
      tx,
    )
    return factsOf(ctx, tx, ids)
  },
  effect: async (ctx, tx, moved) => {
    for (const { id, action, from, reason } of moved) {
      if (action === 'accept') await change(ctx, tx, id)
      await feeAfter(ctx, tx, { id, action, from, reason })
    }
  },
  tells: {
    student: '(select r.student_id from registrations r where r.id = t.registration_id)',
    users: `array(select s.user_id from registrations r join students s on s.id = r.student_id where r.id = t.registration_id
        and t.kind = 'recheck' and s.user_id is not null
      union select h.actor_id from step_history h where h.workflow = 'grade_recheck' and h.record_id = t.id and h.from_state is null
        and t.kind = 'correction' and h.actor_id is not null)`,
    data: `(select json_build_object('course', c.code, 'name', c.name, 'name_local', c.name_local) from registrations r
      ${joinCourse('r.course_id', 'r.offering_id')} where r.id = t.registration_id)`,
    link: (id) => `/correction_requests/${id}`,
  },
})

/** The mark changes, on the authority that its status asks for, and everything that depends on it follows. */
async function change(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{
    registration_id: number
    offering_mark_id: number
    offering_id: number
    student_id: number
    new_mark: string
    control_status: RecheckFacts['control_status']
    version: number | null
  }>`
    select t.registration_id, t.offering_mark_id, r.offering_id, r.student_id, t.new_mark, o.control_status,
      (select m.version from registration_marks m where m.registration_id = r.id and m.offering_mark_id = t.offering_mark_id) as version
    from grade_rechecks t join registrations r on r.id = t.registration_id join offerings o on o.id = r.offering_id
    where t.id = ${id}`.execute(tx)
  const row = firstRow(rows)
  await actOn(tx, recheckAuthority(row.control_status))
  const absent = row.new_mark === 'A'
  const { registration_id, offering_mark_id } = row
  const value = { registration_id, offering_mark_id, mark: absent ? null : row.new_mark, absent, seen: row.version }
  const { conflicts } = await writeMarks(ctx, tx, [value], { completes: false })
  if (conflicts.length) throw refuse(409, 'recheck_moved', { mark: conflicts[0]!.theirs ?? '–', asked: row.new_mark })
  await actOn(tx, 'step')
  await computeRegistrationGrades(tx, [registration_id])
  await followAttempts(ctx, tx)
  await writeRecords(ctx, tx, new GradingReference(await calendarOf(tx)), [], [row.student_id])
}

// --- Reading --------------------------------------------------------------------------------------------------------

type Stored = Omit<RecheckRow, 'abilities' | 'refused'> & {
  __steps: Parameters<typeof recheckServed.open>[2]
  __finds: boolean
}
const FROM = sql`grade_rechecks t join registrations q on q.id = t.registration_id join students s on s.id = q.student_id
  ${sql.raw(joinCourse('q.course_id', 'q.offering_id'))} join terms w on w.id = q.term_id join offerings f on f.id = q.offering_id
  join offering_marks om on om.id = t.offering_mark_id join mark_categories k on k.id = om.mark_category_id`
const columns = (
  ctx: Ctx,
) => sql`t.id, t.version, t.kind, ${ref('s')} as student, ${ref('c')} as course, q.offering_id, t.registration_id,
  ${ref('w')} as term, ${ref('k')} as category, trim_scale(om.max)::text as max, t.why, t.status, f.control_status, t.old_mark,
  t.new_mark, t.finding, ${FEE_OF} as fee, t.created_at, ${recheckServed.column(ctx)} as __steps,
  ${scopeCondition(ctx, 'review_recheck', recheckReach(ctx))} as __finds`
const SEES: readonly PermissionKey[] = ['access_recheck', 'review_recheck', 'decide_recheck']
const seen = (ctx: Ctx) => scopeCondition(ctx, ['access_recheck', 'ask_recheck', 'ask_correction'], recheckReach(ctx))

/** Who asked sees what became of it, and what was found once it is decided. */
const shown = (ctx: Ctx, { __steps, __finds, ...row }: Stored, facts?: RecheckFacts): RecheckRow => {
  const decided = row.status === 'accepted' || row.status === 'rejected'
  const inside = ctx.can(...SEES)
  const { abilities, refused } = recheckServed.open(ctx, row.status, __steps, facts)
  const mine = __steps.own || (facts?.people.some((one) => facts.assessors.includes(one)) ?? false)
  return {
    ...row,
    ...(inside || decided ? {} : { new_mark: null, finding: null }),
    abilities: [...abilities, ...(__finds && row.status === 'under_review' && !mine ? ['find'] : [])],
    ...(Object.keys(refused).length > 0 && { refused }),
  }
}

const source = (ctx: Ctx): ListSource => ({
  from: FROM,
  select: sql`${columns(ctx)}, (select own_visibility(s.id, b.grades_visibility) from bylaws b where b.id = s.bylaw_id) as __visibility,
    q.student_id = ${ctx.actor?.student_id ?? null} as __student`,
  where: [sql`t.removed_at is null`, seen(ctx)],
  search: ['s.search_text', 'c.search_text'],
  sort: { created_at: 't.created_at', student: 's.code', course: 'c.code', status: 't.status' },
  order: ['created_at', 'asc'],
  filters: {
    status: oneOf('t.status', z.enum(RECHECK_STATES.map((one) => one.value)), 'status'),
    kind: oneOf('t.kind', z.enum(['recheck', 'correction']), 'kind'),
    term_id: oneOf('q.term_id', z.int32(), 'term_id'),
    course_id: oneOf('q.course_id', z.int32(), 'course_id'),
  },
})

async function list(ctx: Ctx, query: ListQuery) {
  type Seen = Stored & { __visibility: GradesVisibility; __student: boolean | null }
  const { data, meta } = await pagedList<Seen>(ctx, source(ctx), query)
  return {
    data: data.map(({ __visibility, __student, ...row }) => ({
      ...shown(ctx, row),
      ...(__student && !studentView(__visibility, row.control_status).marks && { old_mark: '', new_mark: null }),
    })),
    meta,
  }
}

/** What of a result the student it belongs to may see, by the bylaw. */
const veil = (view: ReturnType<typeof studentView>, one: RecheckDetail['before']): RecheckDetail['before'] => ({
  mark: view.marks ? one.mark : null,
  total: view.marks ? one.total : null,
  maximum: view.marks ? one.maximum : null,
  letter: view.letter ? one.letter : null,
  points: view.points ? one.points : null,
  passed: view.letter ? one.passed : null,
})

const EARLIER = 6
async function show(ctx: Ctx, db: Db | Tx, id: number): Promise<RecheckDetail> {
  const { rows } = await sql<
    Stored &
      Omit<RecheckDetail, keyof RecheckRow | 'after'> & { __visibility: GradesVisibility; __student: boolean | null }
  >`
    select ${columns(ctx)}, (select own_visibility(s.id, b.grades_visibility) from bylaws b where b.id = s.bylaw_id) as __visibility,
      q.student_id = ${ctx.actor?.student_id ?? null} as __student, json_build_object('mark', t.old_mark, 'total', q.total::text, 'maximum', q.maximum, 'letter', q.letter,
        'points', q.points::text, 'passed', q.passed) as before,
      coalesce((select json_agg(json_build_object('id', e.id, 'course', e.course, 'category', e.category, 'status', e.status,
          'created_at', e.created_at) order by e.id desc) from (
        select x.id, x.status, x.created_at, ${sql.raw(refText('xc'))} as course, ${sql.raw(refText('xk'))} as category
        from grade_rechecks x join registrations xr on xr.id = x.registration_id join courses xc on xc.id = xr.course_id
          join offering_marks xm on xm.id = x.offering_mark_id join mark_categories xk on xk.id = xm.mark_category_id
        where xr.student_id = s.id and x.id <> t.id and x.removed_at is null order by x.id desc limit ${EARLIER}) e), '[]') as earlier
    from ${FROM} where t.id = ${id} and t.removed_at is null and ${seen(ctx)}`.execute(db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { before, earlier, __visibility, __student, ...stored } = found
  const facts = (await factsOf(ctx, db, [id])).get(id)
  const row = shown(ctx, stored, facts)
  const inside = ctx.can(...SEES)
  const after = row.new_mark === null || row.status === 'accepted' ? null : await outcome(db, row)
  const view = studentView(__visibility, row.control_status)
  return {
    ...row,
    ...(__student && !view.marks && { old_mark: '', new_mark: null }),
    before: __student ? veil(view, before) : before,
    after: after && __student ? veil(view, after) : after,
    earlier: inside ? earlier : [],
  }
}

/** What the registration would come to with the mark that was found: by the rules that compute every result. */
async function outcome(db: Db | Tx, row: RecheckRow): Promise<RecheckDetail['after']> {
  const { rows } = await sql<{
    status: string
    bylaw_id: number
    bylaw_version: number
    grade_kind: 'letter' | 'pass_fail'
    term: TermPlace
    marks: [number, number | null][] | null
  }>`
    select r.status::text, b.id as bylaw_id, b.version as bylaw_version, c.grade_kind,
      (select json_build_object('id', w.id, 'start_date', w.start_date) from terms w where w.id = r.term_id) as term,
      (select json_agg(json_build_array(m.offering_mark_id, (m.mark * 100)::int)) from registration_marks m where m.registration_id = r.id) as marks
    from registrations r join students s on s.id = r.student_id join bylaws b on b.id = ${STUDY_BYLAW} join courses c on c.id = r.course_id
    where r.id = ${row.registration_id}`.execute(db)
  const one = firstRow(rows)
  const bylaw = settingsIn(await bylawSettings(db, one.bylaw_id, one.bylaw_version), one.term)
  const categories = (await schemesOf(db, [row.offering_id])).get(row.offering_id) ?? []
  const { rows: asked } = await sql<{
    id: number
  }>`select offering_mark_id as id from grade_rechecks where id = ${row.id}`.execute(db)
  const marks = Object.fromEntries((one.marks ?? []).map(([id, mark]): [number, Mark] => [id, mark ?? 'A']))
  marks[asked[0]!.id] = row.new_mark === 'A' ? 'A' : (parseHundredths(row.new_mark ?? '0') ?? 0)
  const status = BigInt(one.status)
  const main = mainOf(status)
  if (main === null) return null
  const grade = gradeOf({
    scheme: { categories, places: bylaw.total_places, grade_type: one.grade_kind },
    marks,
    main,
    audit: isAudit(status),
    attempt: attemptOf(status),
    bylaw: gradingBylaw(bylaw, one.grade_kind),
  })
  if (grade.state === 'none' || grade.state === 'missing') return null
  return {
    mark: row.new_mark,
    total: grade.total === null ? null : printHundredths(grade.total),
    maximum: grade.maximum === null ? null : Math.round(grade.maximum / 100),
    letter: grade.letter,
    points: grade.points === null ? null : printHundredths(grade.points),
    passed: grade.outcome === 'none' ? null : grade.outcome === 'passed',
  }
}

// --- Asking ---------------------------------------------------------------------------------------------------------

/** SQL of the window of rechecks, as it opens to the student `s` of the registration `r`. */
const WINDOW = sql.raw(`(
  select json_build_object('open', now() >= x.starts_at and now() < x.ends_at, 'starts_at', x.starts_at, 'ends_at', x.ends_at)
  from stage_windows x join stage_codes k2 on k2.id = x.stage_code_id and k2.code = 'recheck' left join stage_groups g on g.id = x.stage_group_id
  where x.term_id = r.term_id and x.removed_at is null
    and ${windowOpensTo({ student: 's', window: 'x', group: 'g', level: shownLevel('s') })}
  order by (now() >= x.starts_at and now() < x.ends_at) desc, x.starts_at > now() desc, x.ends_at desc limit 1)`)

interface Askable {
  registration_id: number
  visibility: GradesVisibility
  offering_mark_id: number
  flags: string
  control_status: Asking['control_status']
  mark: string | null
  names_closed: boolean
  asked: boolean
  running: boolean
  window: Asking['window']
  student: RecheckRow['student']
  course: RecheckRow['course']
  term: RecheckRow['term']
  category: RecheckRow['category']
  max: string
}
const askable = (db: Db | Tx, where: RawBuilder<unknown>) =>
  sql<Askable>`
  select r.id as registration_id, m.id as offering_mark_id, r.status::text as flags,
    (select own_visibility(s.id, b.grades_visibility) from bylaws b where b.id = s.bylaw_id) as visibility, o.control_status, names_are_closed(o.id) as names_closed,
    (select ${sql.raw(MARK('y'))} from registration_marks y where y.registration_id = r.id and y.offering_mark_id = m.id) as mark,
    exists (select from grade_rechecks x where x.registration_id = r.id and x.offering_mark_id = m.id and x.kind = 'recheck'
      and x.status <> 'cancelled' and x.removed_at is null) as asked,
    exists (select from grade_rechecks x where x.registration_id = r.id and x.offering_mark_id = m.id
      and x.status in ('requested', 'fee_due', 'under_review') and x.removed_at is null) as running,
    ${WINDOW} as window, ${ref('s')} as student, ${ref('c')} as course, ${ref('w')} as term, ${ref('k')} as category,
    trim_scale(m.max)::text as max
  from registrations r join offerings o on o.id = r.offering_id join offering_marks m on m.offering_id = o.id
    join mark_categories k on k.id = m.mark_category_id join students s on s.id = r.student_id ${sql.raw(joinCourse('r.course_id', 'r.offering_id'))}
    join terms w on w.id = r.term_id
  where ${where} and r.status & ${sql.raw(maskOf(listedMains))} <> 0 order by w.start_date desc, c.code, s.code, m.position, m.id`.execute(
    db,
  )

const isFull = ({ mark, max }: Pick<Askable, 'mark' | 'max'>): boolean => mark !== null && Number(mark) >= Number(max)
const judge = (row: Askable, kind: RecheckKind) =>
  checkAsking({
    kind,
    control_status: row.control_status,
    takes_marks: takesMarks(BigInt(row.flags)),
    mark: row.mark,
    full: isFull(row),
    names_closed: row.names_closed,
    asked: kind === 'recheck' && row.asked,
    running: row.running,
    hidden: kind === 'recheck' && !studentView(row.visibility, row.control_status).marks,
    window: row.window,
  })

/** Of whom the reader may ask: the own marks as a student; those of taught offerings. */
const mayAsk = (ctx: Ctx, kind: RecheckKind): RawBuilder<unknown> =>
  kind === 'recheck'
    ? sql`${ctx.can('ask_recheck')}::boolean and r.student_id = ${ctx.actor?.student_id ?? null}`
    : scopeCondition(ctx, 'ask_correction', offeringReach(ctx, 'o'))

async function marks(ctx: Ctx, { offering_id, most }: { offering_id?: number | undefined; most: number }) {
  const student_id = ctx.actor?.student_id ?? null
  const own = student_id !== null
  const kind: RecheckKind = own ? 'recheck' : 'correction'
  const { data: offerings, total } = own
    ? { data: [], total: 0 }
    : await cutRows<RecheckRow['course'] & { course: RecheckRow['course'] }>(
        ctx.db,
        sql`select o.id, o.code, c.name, c.name_local, ${ref('c')} as course from offerings o ${sql.raw(joinCourse('o.course_id', 'o.id'))}
        where o.removed_at is null and o.control_status <> 'Draft' and o.term_id in (
            select coalesce(${currentTermId('current_control_term')}, ${currentTermId()}) union select ${currentTermId()})
          and ${mayAsk(ctx, 'correction')} order by c.code, o.code`,
        most,
      )
  const { rows } =
    own || offering_id
      ? await askable(
          ctx.db,
          // What is not published is no mark yet for its student.
          own
            ? sql`${mayAsk(ctx, 'recheck')} and o.control_status in ('Published', 'Frozen')
                and exists (select from registration_marks y where y.registration_id = r.id and y.offering_mark_id = m.id)`
            : sql`o.id = ${offering_id} and ${mayAsk(ctx, 'correction')}`,
        )
      : { rows: [] }
  return {
    offerings,
    total,
    cost: student_id === null ? null : await costOf(ctx, ctx.db, student_id),
    // A mark that the bylaw does not show yet is none to its student.
    marks: rows
      // Nor is a recheck of full marks offered.
      .filter((row) => !own || (studentView(row.visibility, row.control_status).marks && !isFull(row)))
      .map((row) => {
        const { registration_id, offering_mark_id, student, course, term, category, max } = row
        const mark = row.names_closed ? null : row.mark
        const refused = judge(row, kind).map(toProblem)
        return { registration_id, offering_mark_id, student, course, term, category, max, mark, refused }
      }),
  }
}

/** Asks about one mark. The row of the offering is locked, so that a step of control and a request follow each other. */
async function ask(ctx: Ctx, body: { registration_id: number; offering_mark_id: number; why: string }) {
  return ctx.write(async (tx) => {
    await sql`select from offerings o where o.id = (select offering_id from registrations where id = ${body.registration_id})
      for no key update of o`.execute(tx)
    const one = sql`r.id = ${body.registration_id} and m.id = ${body.offering_mark_id}`
    let kind: RecheckKind = 'recheck'
    let [row] = (await askable(tx, sql`${one} and ${mayAsk(ctx, kind)}`)).rows
    if (!row) {
      kind = 'correction'
      ;[row] = (await askable(tx, sql`${one} and ${mayAsk(ctx, kind)}`)).rows
    }
    if (!row) throw refuse(404, 'not_found')
    const reasons = judge(row, kind)
    if (reasons.length) throw new Refusal(409, reasons)
    const { rows } = await sql<{ id: number }>`
      insert into grade_rechecks (registration_id, offering_mark_id, kind, why, old_mark)
      values (${row.registration_id}, ${row.offering_mark_id}, ${kind}, ${body.why}, ${row.mark}) returning id`.execute(
      tx,
    )
    const { id } = firstRow(rows)
    const number = await chargeFor(ctx, tx, id)
    const status: RecheckRow['status'] = number === null ? 'requested' : FEE.due
    const { rows: begun } = await sql<{ version: number }>`
      update grade_rechecks set status = ${status} where id = ${id} returning version`.execute(tx)
    await recheckServed.begin(ctx, tx, id, status, { reason: number })
    return { data: { id, version: begun[0]!.version, status } }
  })
}

/** What the reviewer finds; it can be corrected until it is decided. */
async function find(ctx: Ctx, id: number, body: { mark: string; finding: string; version?: number | undefined }) {
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ status: RecheckRow['status']; version: number; max: string; own: boolean }>`
      select t.status, t.version, (select max::text from offering_marks where id = t.offering_mark_id) as max,
        (${recheckServed.column(ctx)} ->> 'own')::boolean as own
      from grade_rechecks t where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'review_recheck', recheckReach(ctx))}
      for update of t`.execute(tx)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    if (row.own) throw refuse(403, 'step_own')
    if (row.status !== 'under_review') {
      const state = RECHECK_STATES.find((recheckState) => recheckState.value === row.status)!.label
      throw refuse(409, 'step_state', { status: row.status, state: state[0], state_local: state[1] })
    }
    if (body.version !== undefined && body.version !== row.version)
      throw refuse(409, 'changed_meanwhile', { version: row.version })
    const facts = (await factsOf(ctx, tx, [id])).get(id)!
    if (facts.people.some((person) => facts.assessors.includes(person))) throw refuse(403, 'recheck_first_assessor')
    const read = readMark(plainMark(body.mark), parseHundredths(row.max) ?? 0)
    if ('problem' in read) throw refuse(422, read.problem.code, read.problem.data, 'mark')
    if (read.mark === null) throw refuse(422, 'recheck_mark', undefined, 'mark')
    const mark = read.mark === 'A' ? 'A' : trimHundredths(read.mark)
    await sql`update grade_rechecks set new_mark = ${mark}, finding = ${body.finding}, reviewed_by = ${ctx.actor?.user_id ?? null}
      where id = ${id}`.execute(tx)
    return { data: await show(ctx, tx, id) }
  })
}

const ACTION = { under_review: 'review', accepted: 'accept', rejected: 'reject', cancelled: 'cancel' } as const

export const recheckHandlers: readonly Handled[] = [
  ...recheckServed.handlers,
  handle(recheckCalls.list, (ctx, { body }) => list(ctx, body)),
  handle(recheckCalls.marks, async (ctx, { query }) => ({ data: await marks(ctx, query) })),
  handle(recheckCalls.get, async (ctx, { params }) => ({ data: await show(ctx, ctx.db, params.id) })),
  handle(recheckCalls.ask, (ctx, { body }) => ask(ctx, body)),
  handle(recheckCalls.find, (ctx, { params, body }) => find(ctx, params.id, body)),
  handle(recheckCalls.updateStatus, async (ctx, { params, body: { status, ...rest } }) => {
    const { id, version, to } = await recheckServed.take(ctx, params.id, ACTION[status], rest)
    return { data: { id, version, status: to } }
  }),
]
