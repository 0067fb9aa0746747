import { courseCalled, courseWord } from '#areas/common/academics/course-words.server.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import { z } from 'zod'
import { f, flags, id, idParam } from '#kit/contract/index.ts'
import type { Resource, Row } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, asRefusal, parse, refuse, toProblem } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { asks } from '#kit/server/base/hears.ts'
import { historyOf } from '#kit/server/resource/history.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { Served } from '#kit/server/resource/resource.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import { calledPairs, calledText, ref } from '#kit/server/base/sql.ts'
import { frozenData, lockOffering, lockOfferings, refuseFrozen } from './lock.server.ts'
import type { ControlStep } from '#areas/common/academics/offering-words.contract.ts'
import { offering, offeringCalls } from './offering.contract.ts'
import { seatsAppeared } from './seats.server.ts'
import type { StudentOfOffering } from './offering.contract.ts'
import { ratingJson } from '#areas/common/academics/rating.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { checkMostStudents, saveSlots } from './slots/slots.server.ts'
import { meetingCountOf, planMeetings } from './slots/slots.rules.ts'
import type { PlannedMeeting } from './slots/slots.rules.ts'
import { setPrograms, setTeam } from './team/team.server.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import { hours, computed } from './computed.server.ts'
import { namedTermOf, requireTerm, queryInTerm } from './named-term.server.ts'
import { writeFacts, checkFacts, insertOffering, planned, offeringFactsOf } from './facts.server.ts'

export { offeringReach, taughtBy } from '#areas/common/academics/offering-reach.server.ts'
export { lockTimetable, otherMeetings, studentClashes } from './slots/slots.server.ts'

/** What the course of an offering is found by. */
const COURSE_TEXT = courseWord('search_text', 't.course_id', 't.id')

type Offering = Row<typeof offering>
const nameOf = ({ course, code }: Offering): string => `${course?.code ?? ''} (${code})`
/** Marks stand where they let this be changed; else until when, and where they stand. */
const unfrozen = (row: Offering, last?: 'Frozen'): boolean | Reason => {
  if (row.removed) return false
  if (last ? row.control_status !== last : row.control_status === 'Draft') return true
  return { code: 'offering_structure_frozen', data: frozenData({ ...row, name: nameOf(row) } as never) }
}
/** A linked offering has no seats and meetings of its own. */
const unlinked = (row: Offering): Reason | undefined =>
  row.linked_offering_id === null || row.removed
    ? undefined
    : {
        code: 'offering_is_linked',
        data: { root: row.linked_offering?.code ?? '' },
      }

export const served: Served<typeof offering> = workings(offering, {
  scope: {
    faculty: (ctx) => offeringReach(ctx).faculty,
    department: (ctx) => offeringReach(ctx).department,
    program: (ctx) => offeringReach(ctx).program,
    bylaw: (ctx) => offeringReach(ctx).bylaw,
    taught: (ctx) => offeringReach(ctx).taught,
  },
  computed,
  called: { course_id: courseCalled('t.id') },
  search: [COURSE_TEXT, 'fold_text(t.code)'],
  sort: { course_id: '(select sc.code from courses sc where sc.id = t.course_id)' },
  filters: {
    program_id: (value) => offeringsOfPrograms(idsAsked(value, 'program_id')),
    instructor_id: (value) =>
      sql`exists (select from offering_instructors oi
        where oi.offering_id = t.id and oi.instructor_id = any(${idsAsked(value, 'instructor_id')}::int[]))`,
    /** full: no free seat; free: some; unplaced: meetings without a time; few: under the minimum; waiting: somebody waits. */
    seats: (value) => SEAT_FILTERS[String(value)] ?? sql`false`,
    linked: (value) =>
      value
        ? sql`(t.linked_offering_id is not null or exists (select from offerings x where x.linked_offering_id = t.id))`
        : sql`t.linked_offering_id is null`,
  },
  query: async (ctx, query) => (await queryInTerm(ctx, query)).query,
  abilities: {
    edit: (row, ctx) => row.control_status === 'Draft' || ctx.can('edit_offering'),
    // Registration is closed at any time, and opened while no marks are submitted.
    open: { permission: 'edit_offering', possible: (row) => (row.is_open ? !row.removed : unfrozen(row)) },
    slots: { permission: 'edit_offering_slots', possible: (row) => unlinked(row) ?? unfrozen(row) },
    team: { permission: 'edit_offering_team', possible: (row) => unfrozen(row, 'Frozen') },
    programs: { permission: 'edit_offering', possible: (row) => unfrozen(row) },
    link: { permission: 'link_offerings', possible: (row) => unlinked(row) ?? unfrozen(row) },
    students: { permission: 'access_registration' },
    statistics: { permission: 'show_offering' },
    // Screens of others: the way there is shown where they would open.
    marks: { permission: ['enter_marks', 'export_grades', 'access_control'] },
    attendance: { permission: ['access_attendance', 'take_attendance'] },
    lms: { permission: 'sync_lms', possible: (row, ctx) => !row.removed && ctx.services.config.moodle !== null },
  },
  history: async (ctx, { params }) => {
    await served.get(ctx, ctx.db, params.id)
    return historyOf(ctx, TOLD, params.id)
  },
  remove: (ctx, { params }) => remove(ctx, params.id),
  restore: (ctx, { params }) => restore(ctx, params.id),
  list: async (ctx, { body }) => {
    const { query, term } = await queryInTerm(ctx, body)
    const { data, meta } = await pagedList<Record<string, unknown>>(
      ctx,
      served.source(ctx, { removed: query.removed }),
      query,
    )
    return { data: served.finish(ctx, data), meta: { ...meta, details: { term } } }
  },
})

/** What the history tells: the offering's own fields, and who joined or left its team and programs. */
const TOLD = {
  ...offering,
  fields: {
    ...offering.fields,
    instructors: f.lookups(offering.fields.instructors.label, 'instructor', {
      through: { table: 'offering_instructors', from: 'offering_id', to: 'instructor_id' },
    }),
    programs: f.lookups(offering.fields.programs.label, 'program', {
      through: { table: 'offering_programs', from: 'offering_id', to: 'program_id' },
    }),
  },
} as unknown as Resource

/** One id of a filter or several; addresses bring them as text. */
const idsAsked = (value: unknown, name: string): number[] => {
  const one = z.union([id, idParam])
  return [parse(z.union([one, z.array(one).max(1000)]), value, ['filters', name])].flat()
}
/** Offerings (`t`) open to one of the programs. */
const offeringsOfPrograms = (
  ids: readonly number[],
) => sql`(exists (select from offering_programs op where op.offering_id = t.id and op.program_id = any(${ids}::int[]))
  or (not exists (select from offering_programs op where op.offering_id = t.id)
    and exists (select from program_courses pc where pc.course_id = t.course_id and pc.program_id = any(${ids}::int[]))))`
const SEAT_FILTERS: Readonly<Record<string, RawBuilder<unknown>>> = {
  full: sql.raw(`${computed.free_seats} = 0`),
  free: sql.raw(`${computed.free_seats} > 0`),
  unplaced: sql.raw(`${computed.unplaced} > 0`),
  few: sql.raw(`${computed.registered} < t.min_students`),
  waiting: sql.raw(`${computed.waiting} > 0`),
}

/** Offerings as options elsewhere: named by their course, told apart by code and term. */
export const offeringLookup: LookupSource = {
  name: 'offering',
  table: 'offerings',
  label: {
    name: courseWord('name', 'r.course_id', 'r.id'),
    name_local: courseWord('name_local', 'r.course_id', 'r.id'),
    code: `${courseWord('code', 'r.course_id', 'r.id')} || ' (' || r.code || ') · ' || (select lt.code from terms lt where lt.id = r.term_id)`,
  },
  search: `${courseWord('search_text', 'r.course_id', 'r.id')} || ' ' || fold_text(r.code)`,
  where: 'r.removed_at is null',
  // The running term before those that are over.
  order: `(select lc.code from courses lc where lc.id = r.course_id), (select lt.start_date from terms lt where lt.id = r.term_id) desc, r.code`,
  permission: ['access_offering', 'show_offering'],
  scope: (ctx) => offeringReach(ctx),
  filters: ['term_id', 'course_id', 'faculty_id', 'department_id', 'control_status', 'is_open', 'linked_offering_id'],
}

const answer = async (ctx: Ctx, tx: Tx, id: number) => ({ data: await served.get(ctx, tx, id, 'public') }) as never

type AddInput = Parameters<Parameters<typeof handle<typeof offeringCalls.add>>[1]>[1]
const add = (ctx: Ctx, { body }: Pick<AddInput, 'body'>) =>
  ctx.write(async (tx) => {
    const { course_id, term_id, groups, slots, instructors, programs, ...facts } = body
    const term = await requireTerm(tx, term_id)
    const made = await insertOffering(ctx, tx, { ...facts, course_id, term_id: term.id })
    if (instructors.length) await setTeam(tx, made.id, instructors)
    if (programs.length) await setPrograms(tx, made.id, programs)
    const numbers = Array.from({ length: groups }, (_, i) => i + 1)
    await saveSlots(
      tx,
      made,
      groups,
      numbers.flatMap((n) =>
        slots.filter((s) => s.group === undefined || s.group === n).map((s) => planned({ ...s, group: n })),
      ),
    )
    return answer(ctx, tx, made.id)
  })

type EditInput = Parameters<Parameters<typeof handle<typeof offeringCalls.edit>>[1]>[1]
const edit = (ctx: Ctx, { params, body }: Pick<EditInput, 'params' | 'body'>) =>
  ctx.write(async (tx) => {
    const { version, groups, slots, allow_student_clashes, ...facts } = body
    const given = Object.keys(facts).length > 0
    const structure = groups !== undefined || slots !== undefined
    if (given && structure && !(await within(ctx, tx, params.id, 'edit_offering_slots'))) throw refuse(404, 'not_found')
    const current = await lockOffering(
      ctx,
      tx,
      params.id,
      given || !structure ? 'edit_offering' : 'edit_offering_slots',
    )
    if (version !== undefined && version !== current.version)
      throw refuse(409, 'changed_meanwhile', { version: current.version })
    const onlyNotes = Object.keys(facts).every((name) => name === 'notes')
    if (structure || !onlyNotes) refuseFrozen(current)
    checkFacts({ ...(await offeringFactsOf(tx, current.id)), ...facts })
    if (given) {
      await writeFacts(tx, current.id, facts)
      if (facts.max_students != null && !structure) await checkMostStudents(tx, current.id)
      // It must not be put where its writer could not have written it.
      if (!(await within(ctx, tx, current.id, 'edit_offering'))) throw refuse(403, 'not_allowed')
    }
    if (structure) {
      if (current.linked_offering_id !== null) throw refuse(409, 'offering_is_linked', { root: current.root_name })
      const { rows } = await sql<{
        groups: number
      }>`select count(*)::int as groups from offering_groups where offering_id = ${current.id}`.execute(tx)
      const plan = slots?.map(planned) ?? (await storedSlots(tx, current.id))
      const most = groups ?? Math.max(rows[0]?.groups ?? 1, ...plan.map((s) => s.group), 1)
      await saveSlots(tx, current, most, slots ? plan : plan.filter((s) => s.group <= most), {
        allowStudentClashes: allow_student_clashes,
      })
      if (!given) await sql`update offerings set version = version where id = ${current.id}`.execute(tx)
    }
    if (structure || facts.is_open) await seatsAppeared(ctx, tx, [current.id])
    return answer(ctx, tx, current.id)
  })
const within = async (
  ctx: Ctx,
  tx: Tx,
  id: number,
  access: 'edit_offering' | 'edit_offering_slots',
): Promise<boolean> =>
  (
    await sql`select from offerings t where t.id = ${id} and ${scopeCondition(ctx, access, offeringReach(ctx))}`.execute(
      tx,
    )
  ).rows.length > 0
/** The meetings of an offering as they could be sent again. */
export async function storedSlots(tx: Tx, id: number): Promise<PlannedMeeting[]> {
  const { rows } =
    await sql<PlannedMeeting>`select s.id, g.number as "group", s.type, s.section, s.day, s.slot_id, s.location_id, s.quota, s.over_quota,
    array(select i.instructor_id from offering_slot_instructors i where i.offering_slot_id = s.id) as instructor_ids
    from offering_slots s join offering_groups g on g.id = s.group_id where s.offering_id = ${id} order by s.id`.execute(
      tx,
    )
  return rows
}

/** Removing keeps the offering and its meetings, but gives its rooms back. */
const remove = (ctx: Ctx, id: number) =>
  ctx.write(async (tx) => {
    const current = await lockOffering(ctx, tx, id, 'remove_offering')
    const { rows } = await sql<{ registrations: number; waiting: number; linked: string | null }>`select
      (select count(*)::int from registrations where offering_id = ${id}) as registrations,
      (select count(*)::int from wait_list where offering_id = ${id} and state = 'waiting') as waiting,
      (select string_agg(c.code || ' (' || o.code || ')', ', ') from offerings o join courses c on c.id = o.course_id
        where o.linked_offering_id = ${id} and o.removed_at is null) as linked`.execute(tx)
    const { registrations, waiting, linked } = rows[0] as NonNullable<(typeof rows)[0]>
    const reasons: Reason[] = []
    if (current.control_status !== 'Draft')
      reasons.push({
        code: 'offering_structure_frozen',
        data: frozenData(current),
      })
    if (registrations) reasons.push({ code: 'offering_has_registrations', data: { count: registrations } })
    if (waiting) reasons.push({ code: 'offering_has_waiting', data: { count: waiting } })
    if (linked) reasons.push({ code: 'offering_is_root', data: { offerings: linked } })
    if (reasons.length) throw new Refusal(409, reasons)
    await sql`update offering_slots set location_id = null where offering_id = ${id} and location_id is not null`.execute(
      tx,
    )
    await sql`update offerings set removed_at = now() where id = ${id}`.execute(tx)
    return { id, version: current.version + 1 }
  })

/** Comes back without rooms; meetings whose instructor teaches elsewhere by now come back without a time. */
const restore = (ctx: Ctx, id: number) =>
  ctx.write(async (tx) => {
    const current = await lockOffering(ctx, tx, id, 'restore_offering', { removed: true })
    if (!current.removed) return { id, version: current.version }
    await sql`select pg_advisory_xact_lock(hashtext('timetable'), ${current.term_id}::int)`.execute(tx)
    await sql`update offering_slots s set day = null, slot_id = null where s.offering_id = ${id} and s.day is not null and exists (
      select from offering_slot_instructors mine join offering_slot_instructors theirs using (instructor_id)
      join offering_slots o on o.id = theirs.offering_slot_id and o.term_id = s.term_id and o.day = s.day and o.offering_id <> s.offering_id
      join offerings f on f.id = o.offering_id and f.removed_at is null
      join slots p on p.id = s.slot_id join slots q on q.id = o.slot_id and (p.start_time, p.end_time) overlaps (q.start_time, q.end_time)
      where mine.offering_slot_id = s.id)`.execute(tx)
    await sql`update offerings set removed_at = null where id = ${id}`.execute(tx)
    return { id, version: current.version + 1 }
  })

/** Reasons as the answer of a bulk call carries them. @throws what is no refusal */
export function bulkProblemsOf(error: unknown) {
  const refusal = asRefusal(error)
  if (!refusal || refusal.status >= 500) throw error
  return refusal.reasons.map(toProblem)
}

/** A step of control is to be taken with many offerings: grading answers, which keeps control. */
export const offeringControlSteps = asks<
  [ctx: Ctx, action: ControlStep, ids: readonly number[], reason: string | undefined],
  { done: number[]; failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] }
>('offering.control', () => {
  throw refuse(422, 'not_a_choice', undefined, 'status')
})

const setOpen = (ctx: Ctx, ids: readonly number[], is_open: boolean) =>
  ctx.write(async (tx) => {
    const wanted = [...new Set(ids)]
    const found = await lockOfferings(ctx, tx, wanted, 'edit_offering')
    const done: number[] = []
    const failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] = []
    for (const id of wanted) {
      const one = found.get(id)
      const reason: Reason | undefined = !one
        ? { code: 'not_found' }
        : one.removed
          ? { code: 'removed_record' }
          : is_open && one.control_status !== 'Draft'
            ? { code: 'offering_structure_frozen', data: frozenData(one) }
            : undefined
      if (reason) failed.push({ id, ...(one && { name: one.name }), errors: [toProblem(reason)] })
      else done.push(id)
    }
    await sql`update offerings set is_open = ${is_open} where id = any(${done}::int[]) and is_open <> ${is_open}`.execute(
      tx,
    )
    if (is_open) await seatsAppeared(ctx, tx, done)
    return { done, failed }
  })

// --- Study plans ----------------------------------------------------------------------------------------------------

/** Programs whose plans a reader may look at when offering courses. */
const programReach = (ctx: Ctx) =>
  scopeCondition(ctx, ['access_offering', 'add_offering'], {
    faculty: sql`p.faculty_id`,
    department: sql`p.department_id`,
    bylaw: sql`p.bylaw_id`,
    program: sql`p.id`,
  })

type CoursesInput = Parameters<Parameters<typeof handle<typeof offeringCalls.programCourses>>[1]>[1]
async function programCourses(ctx: Ctx, query: CoursesInput['query']) {
  const term = await namedTermOf(ctx.db, query.term_id)
  const { rows } = await sql`
    select c.id, c.code, c.name, c.name_local, pc.level::int, pc.semester::int, pc.kind, c.credit_hours::float8, ${sql.raw(hours.replaceAll('hc.', 'c.'))} as hours,
      (select count(*)::int from students s where s.program_id = p.id and s.status = 'studying' and s.removed_at is null and s.level = pc.level
        and not exists (select from registrations r where r.student_id = s.id and r.course_id = c.id
          and (r.passed or (r.term_id = ${term?.id ?? 0} and r.status & ${String(loadMask)}::bigint <> 0)))) as need,
      coalesce((select json_agg(json_build_object('id', t.id, 'code', t.code, 'is_open', t.is_open, 'seats', ${sql.raw(computed.seats)},
          'free_seats', ${sql.raw(computed.free_seats)}, 'registered', ${sql.raw(computed.registered)}) order by t.code)
        from offerings t where t.course_id = c.id and t.term_id = ${term?.id ?? 0} and t.removed_at is null), '[]') as offering_courses
    from program_courses pc join programs p on p.id = pc.program_id join courses c on c.id = pc.course_id and c.removed_at is null
    where p.id = ${query.program_id} and ${programReach(ctx)}
      ${query.level === undefined ? sql`` : sql`and pc.level = ${query.level}`} ${query.semester === undefined ? sql`` : sql`and pc.semester = ${query.semester}`}
    order by pc.level, pc.semester, c.code`.execute(ctx.db)
  if (!rows.length) {
    const { rows: known } =
      await sql`select from programs p where p.id = ${query.program_id} and ${programReach(ctx)}`.execute(ctx.db)
    if (!known.length) throw refuse(404, 'not_found')
  }
  return { data: rows, term } as never
}

type ManyInput = Parameters<Parameters<typeof handle<typeof offeringCalls.addMany>>[1]>[1]
async function addMany(ctx: Ctx, body: ManyInput['body']) {
  const done: number[] = []
  const offering_ids: number[] = []
  const failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] = []
  const { rows: known } = await sql<{
    id: number
    code: string
    hours: Record<MeetingType, number>
    minutes: number | null
  }>`select c.id, c.code,
    ${sql.raw(hours.replaceAll('hc.', 'c.'))} as hours,
    (select percentile_cont(0.5) within group (order by extract(epoch from end_time - start_time) / 60)::float8 from slots where removed_at is null) as minutes
    from courses c where c.id = any(${body.courses.map((c) => c.course_id)}::int[])`.execute(ctx.db)
  const courses = new Map(known.map((c) => [c.id, c]))
  for (const { course_id, students: expected } of body.courses) {
    const course = courses.get(course_id)
    try {
      const id = await ctx.write(async (tx) => {
        const term = await requireTerm(tx, body.term_id)
        const made = await insertOffering(ctx, tx, { course_id, term_id: term.id, is_open: body.is_open })
        if (body.program_id !== undefined)
          await setPrograms(tx, made.id, [{ program_id: body.program_id, level: null }])
        const types = (Object.entries(course?.hours ?? {}) as [MeetingType, number][]).flatMap(([type, n]) =>
          n > 0 ? [{ type, meetings: meetingCountOf(n, course?.minutes ?? 90), sections: 1 }] : [],
        )
        const groups = Math.max(1, body.quota > 0 ? Math.ceil(expected / body.quota) : 1)
        await saveSlots(
          tx,
          made,
          groups,
          planMeetings(
            Array.from({ length: groups }, (_, i) => i + 1),
            types,
            body,
          ),
        )
        return made.id
      })
      done.push(course_id)
      offering_ids.push(id)
    } catch (error) {
      failed.push({ id: course_id, ...(course && { name: course.code }), errors: bulkProblemsOf(error) })
    }
  }
  return { done, failed, offering_ids }
}

// --- Students -------------------------------------------------------------------------------------------------------

type StudentsInput = Parameters<Parameters<typeof handle<typeof offeringCalls.students>>[1]>[1]
/** Who is registered in an offering and in those linked to it. */
async function studentsOf(ctx: Ctx, id: number, query: StudentsInput['body']) {
  const { rows } = await sql`select from offerings t where t.id = ${id} and ${scopeCondition(
    ctx,
    'access_registration',
    {
      ...offeringReach(ctx),
      advised: sql`true`,
    },
  )}`.execute(ctx.db)
  if (!rows.length) throw refuse(404, 'not_found')
  const held = sql`select os.type, os.section, g.number from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id
    join offering_groups g on g.id = os.group_id where rs.registration_id = t.id`
  // An advisor sees the own students, in any offering; the others everybody in theirs.
  const reach = scopeCondition(ctx, 'access_registration', {
    ...offeringReach(ctx, 'o'),
    advised: isId(sql`s.advisor_id`, ctx.actor?.instructor_id),
  })
  return pagedList<StudentOfOffering>(
    ctx,
    {
      from: sql`registrations t join offerings o on o.id = t.offering_id join students s on s.id = t.student_id join programs p on p.id = s.program_id`,
      select: sql`t.id, t.offering_id, t.status::text as status, t.total::text as total, t.maximum, t.letter, ${ratingJson('t')} as rating, s.level::int as level,
        ${sql.raw(`json_build_object(${calledPairs('s')}, 'code', s.code)`)} as student, ${ref('p')} as program,
        (select min(h.number)::int from (${held}) h) as "group",
        array(select h.type || coalesce(' ' || h.section, '') from (${held}) h order by 1) as slots`,
      where: [sql`(o.id = ${id} or o.linked_offering_id = ${id})`, reach],
      // By the legal name as well: who has a letter in hand finds the student.
      search: ['s.search_text', `fold_text(${calledText('s')} || ' ' || ${calledText('s', true)})`],
      sort: {
        student: ctx.lang === 'ar' ? `${calledText('s', true)} collate "ar-x-icu"` : calledText('s'),
        code: 's.code',
        program: 'p.code',
        level: 's.level',
        status: 't.status',
        total: 't.total',
      },
      order: ['code', 'asc'],
      filters: {
        group: (value) =>
          sql`exists (select from (${held}) h where h.number = any(${idsAsked(value, 'group')}::int[]))`,
        slot_id: (value) => sql`exists (select from registration_slots rs
          where rs.registration_id = t.id and rs.offering_slot_id = any(${idsAsked(value, 'slot_id')}::int[]))`,
        status: (value) => sql`t.status & ${parse(flags, value, ['filters', 'status'])}::bigint <> 0`,
        program_id: (value) => sql`s.program_id = any(${idsAsked(value, 'program_id')}::int[])`,
      },
    },
    query,
  )
}

export const offeringHandlers: readonly Handled[] = [
  ...served.handlers,
  handle(offeringCalls.add, add),
  handle(offeringCalls.create, add),
  handle(offeringCalls.edit, edit),
  handle(offeringCalls.update, edit),
  handle(offeringCalls.updateStatus, (ctx, { body: { ids, status, is_open, reason } }) => {
    const wanted = status ?? (is_open ? 'open' : 'closed')
    if (wanted === 'open' || wanted === 'closed') {
      if (!ctx.can('edit_offering')) throw refuse(403, 'not_allowed')
      return setOpen(ctx, ids, wanted === 'open')
    }
    return offeringControlSteps(ctx, wanted, ids, reason)
  }),
  handle(offeringCalls.programCourses, (ctx, { query }) => programCourses(ctx, query)),
  handle(offeringCalls.addMany, (ctx, { body }) => addMany(ctx, body)),
  handle(offeringCalls.students, (ctx, { params, body }) => studentsOf(ctx, params.id, body)),
]
