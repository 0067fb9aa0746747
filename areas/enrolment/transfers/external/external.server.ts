/** Courses from another university, or from a term abroad. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { standCredits } from '#areas/records/grading/terms/record.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import type { KeptFile } from '#kit/server/files/files.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { TypedCourse } from '../equivalence/equivalence.contract.ts'
import { credit, decideEquivalence, unfitOf } from '../equivalence/equivalence.server.ts'
import { equivalencesOf, proposeAgain } from '../equivalence/proposal.server.ts'
import { equivalenceHandlers } from '../equivalence/handlers.server.ts'
import { gradesOf, targetOf } from '../equivalence/target.server.ts'
import type { Transfer } from '../equivalence/target.server.ts'
import { goneFrom, LAST_TERM, TRANSFER_TERM } from '../leaver.server.ts'
import { applicantSettled } from './settled.server.ts'
import { externalCalls, externalCourseCalls, externalFields, externalFlow, externalSteps } from './external.contract.ts'
import type { ExternalDetail, ExternalRow } from './external.contract.ts'
import { checkExternal, checkTyped } from './external.rules.ts'
import type { ExternalFacts } from './external.rules.ts'

/** As the student is reached; those of somebody who applies by the program for which they are. */
const reach = (ctx: Ctx): ScopeParts => ({
  faculty: sql`coalesce((select s.faculty_id from students s where s.id = t.student_id), (select p.faculty_id from programs p where p.id = t.program_id))`,
  department: sql`(select p.department_id from programs p
    where p.id = coalesce((select s.program_id from students s where s.id = t.student_id), t.program_id))`,
  bylaw: sql`coalesce((select s.bylaw_id from students s where s.id = t.student_id), (select p.bylaw_id from programs p where p.id = t.program_id))`,
  program: sql`coalesce((select s.program_id from students s where s.id = t.student_id), t.program_id)`,
  own: isId(sql`t.student_id`, ctx.actor?.student_id),
  advised: sql`exists (select from students s where s.id = t.student_id and s.advisor_id = ${ctx.actor?.instructor_id ?? null})`,
})
const seen = (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'access_transfer', reach(ctx))

/** SQL: the course is the one that the line `e` counts as, or an equal one. */
const COUNTS_AS = (course: string) =>
  sql.raw(`(${course} = e.course_id or exists (select from course_equals q
    where (q.course_id, q.equal_course_id) in ((${course}, e.course_id), (e.course_id, ${course}))))`)
const FACTS = sql`json_build_object('applying', case when t.student_id is null then a.removed_at is null
    and a.status in ('DISTRIBUATION_REQUIRED', 'EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED', 'APPROVED') end,
  'credited', t.student_id is not null, 'studying', coalesce(s.status = 'studying' and s.removed_at is null, false),
  'same_program', coalesce(case when t.student_id is null then a.program_id else s.program_id end = t.program_id, false),
  'courses', (select count(*) from equivalences e where e.external_transfer_id = t.id),
  'undecided', (select count(*) from equivalences e where e.external_transfer_id = t.id and not e.decided and e.split_of is null),
  'passed_meanwhile', (select count(*) from equivalences e where e.external_transfer_id = t.id and e.course_id is not null
    and (exists (select from course_credits k where k.student_id = s.id and k.former_study_id is null and ${COUNTS_AS('k.course_id')})
      or exists (select from registrations r where r.student_id = s.id and ${COUNTS_AS('r.course_id')} and r.passed
        and term_after(r.term_id, s.study_after_term_id)))), 'gone', ${goneFrom('external')})`

/** What a list tells of each: whether course and bylaw still take what was decided is told where one is opened, and executing. */
type ListedFacts = Omit<ExternalFacts, 'unfit'>

const servedExternal = serveWorkflow(externalFlow, externalSteps, {
  table: 'external_transfers',
  scope: reach,
  seen: ['access_transfer'],
  nameOf: `coalesce((select s.code || ' · ' || s.name from students s where s.id = t.student_id),
    (select a.code || coalesce(' · ' || coalesce(a.name, a.name_local), '') from applicants a where a.id = t.applicant_id))`,
  own: (people) => sql`exists (select from students s where s.id = t.student_id and s.user_id = any(${people}))`,
  // One officer of the faculty enters, decides on courses and executes: nothing of it is the officer's own.
  enteredByOfficer: true,
  facts: async (_ctx, tx, ids, action) => {
    if (action === 'delete') return new Map()
    await sql`select from applicants where id in (select applicant_id from external_transfers where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
    await sql`select from students where id in (select student_id from external_transfers where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
    const { rows } = await sql<{ id: number; student_id: number | null; program_id: number; facts: ListedFacts }>`
      select t.id, t.student_id, t.program_id, ${FACTS} as facts from external_transfers t
        left join students s on s.id = t.student_id left join applicants a on a.id = t.applicant_id
      where t.id = any(${[...ids]}::int[])`.execute(tx)
    const facts = new Map<number, ExternalFacts>()
    for (const row of rows) facts.set(row.id, { ...row.facts, unfit: await unfitOf(tx, { ...row, kind: 'external' }) })
    return facts
  },
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      await sql`update external_transfers t set status = x."to", executed_at = case when x."to" = 'executed' then now() end
        from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as x (id int, "to" text) where t.id = x.id`.execute(tx)
    },
  },
  effect: async (ctx, tx, moved) => {
    const executed = moved.filter((one) => one.action === 'execute').map((one) => one.id)
    const { rows } = await sql<{ id: number; applicant_id: number | null }>`
      select id, case when student_id is null then applicant_id end as applicant_id
      from external_transfers where id = any(${executed}::int[]) order by id`.execute(tx)
    for (const { id, applicant_id } of rows)
      await (applicant_id === null ? creditExternal(ctx, tx, id) : applicantSettled(ctx, tx, applicant_id))
  },
  tells: {
    users: 'array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null)',
    student: 't.student_id',
    data: `(select json_build_object('institution', u.name, 'institution_local', u.name_local) from universities_list u where u.id = t.university_id)`,
    link: () => '/student-academic',
  },
})

/** Credits the courses of a transfer that is executed, from the term after the last one that is over. */
export async function creditExternal(ctx: Ctx | null, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ student_id: number; program_id: number; term_id: number; after_term_id: number | null }>`
    select t.student_id, t.program_id, t.term_id, ${LAST_TERM} as after_term_id
    from external_transfers t join students s on s.id = t.student_id where t.id = ${id}`.execute(tx)
  const { term_id, after_term_id, ...transfer } = firstRow(rows)
  await credit(tx, { id, kind: 'external', ...transfer }, { term_id, after_term_id })
  await standCredits(ctx, tx, [transfer.student_id])
}

type Stored = Omit<ExternalRow, 'abilities' | 'refused'> & {
  __steps: Parameters<typeof servedExternal.open>[2]
  facts: ListedFacts
}
const FROM = sql`external_transfers t left join students s on s.id = t.student_id left join applicants a on a.id = t.applicant_id
  join programs p on p.id = t.program_id
  join terms w on w.id = t.term_id join universities_list u on u.id = t.university_id`
const rowColumns = (
  ctx: Ctx,
) => sql`t.id, t.version, t.kind, ${refOrNull('s')} as student, ${refOrNull('a')} as applicant, ${ref('p')} as program, ${ref('w')} as term, ${ref('u')} as university,
  t.status, t.created_at, t.executed_at, ${servedExternal.column(ctx)} as __steps, ${FACTS} as facts`
const opened = (
  ctx: Ctx,
  { __steps, facts, ...row }: Stored & { facts: Partial<ExternalFacts> & ListedFacts },
): ExternalRow => {
  const { abilities, refused } = servedExternal.open(ctx, row.status, __steps, { unfit: null, ...facts })
  // What counts in a record stays: that it cannot be opened again is no news to anybody.
  const { reopen: _reopen, ...others } = refused
  return { ...row, abilities, refused: facts.credited ? others : refused }
}
const columns = columnsOf(externalFields, {})
const filters = Object.fromEntries(
  columns.map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (ctx: Ctx, query: Pick<ListQuery, 'filters'>): ListSource => ({
  from: FROM,
  select: rowColumns(ctx),
  where: [seen(ctx), ...(query.filters.status ? [] : [sql`t.status <> 'deleted'`])],
  search: ['s.search_text', 'a.search_text', 'u.search_text'],
  sort: {
    student_id: 'coalesce(s.name, a.name)',
    program_id: 'p.name',
    university_id: 'u.name',
    created_at: 't.created_at',
    status: 't.status',
  },
  order: ['created_at', 'desc'],
  filters,
})

async function transferOf(ctx: Ctx, id: number): Promise<Transfer> {
  const { rows } = await sql<{ student_id: number | null; program_id: number }>`
    select t.student_id, t.program_id from external_transfers t where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { id, kind: 'external', ...rows[0] }
}

/** Rows of the list within reach that a condition on `t` picks, the latest first. */
export async function externalRows(ctx: Ctx, which: RawBuilder<unknown>): Promise<ExternalRow[]> {
  const { rows } =
    await sql<Stored>`select ${rowColumns(ctx)} from ${FROM} where ${which} and ${seen(ctx)} order by t.id desc`.execute(
      ctx.db,
    )
  return rows.map((row) => opened(ctx, row))
}

export async function readExternal(ctx: Ctx, id: number): Promise<ExternalDetail> {
  const { rows } = await sql<
    Stored &
      Pick<ExternalDetail, 'faculty' | 'bylaw' | 'university_faculty' | 'country' | 'note'> & {
        files: KeptFile[]
        percents: Record<string, string | null> | null
      }
  >`
    select ${rowColumns(ctx)}, ${ref('f')} as faculty, ${ref('b')} as bylaw, ${refOrNull('uf')} as university_faculty, ${refOrNull('c')} as country, t.note,
      coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name, 'size', x.size, 'mime', x.mime) order by x.id)
        from external_transfer_files j join files x on x.id = j.file_id where j.external_transfer_id = t.id), '[]') as files,
      (select json_object_agg(e.id, e.source_percent::text) from equivalences e where e.external_transfer_id = t.id) as percents
    from ${FROM} join faculties f on f.id = p.faculty_id join bylaws b on b.id = p.bylaw_id left join countries c on c.id = u.country_id
      left join university_faculties uf on uf.id = t.university_faculty_id
    where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { files, percents, facts: listed, ...transfer } = row
  const lines = await equivalencesOf(ctx.db, { kind: 'external', id })
  const of = { id, kind: 'external', student_id: row.student?.id ?? null, program_id: row.program.id } as const
  const facts = { ...listed, unfit: row.status === 'entered' ? await unfitOf(ctx.db, of) : null }
  return {
    ...transfer,
    ...opened(ctx, { ...row, facts }),
    against: row.status === 'entered' ? checkExternal(facts).map((reason) => toProblem(reason)) : [],
    equivalences: lines.map((line) => ({ ...line, percent: percents?.[line.id] ?? null })),
    ...gradesOf(await targetOf(ctx.db, of)),
    files: files.map((file) => ({ ...file, url: ctx.services.files.link(file, ctx.actor!) })),
  }
}

/** Locks what is entered and not executed, of somebody else. @throws {Refusal} 404; 403; 409 */
export async function lockEntered(ctx: Ctx, tx: Tx, id: number, version?: number): Promise<Entered> {
  const { rows } = await sql<{
    student_id: number | null
    program_id: number
    university_id: number
    status: string
    version: number
    may: boolean
    steps: { own: boolean }
  }>`
    select t.student_id, t.program_id, t.university_id, t.status, t.version,
      ${scopeCondition(ctx, 'edit_equivalence', reach(ctx))} as may, ${servedExternal.column(ctx)} as steps
    from external_transfers t where t.id = ${id} and ${seen(ctx)} for update`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!row.may) throw refuse(403, 'not_allowed')
  if (row.steps.own) throw refuse(403, 'step_own')
  if (row.status !== 'entered') throw refuse(409, 'transfer_decided')
  if (version !== undefined && version !== row.version) throw refuse(409, 'changed_meanwhile', { version: row.version })
  const { student_id, program_id, university_id } = row
  return { id, kind: 'external', student_id, program_id, university_id, version: row.version }
}
/** Courses that wait for a decision, as they were locked. */
export interface Entered extends Transfer {
  readonly university_id: number
  readonly version: number
}
export const touch = (tx: Tx, id: number) =>
  sql`update external_transfers set updated_at = now() where id = ${id}`.execute(tx)

/**
 * Keeps courses as they are typed: those with an id change, the others are added to what is there, and what is named goes.
 * What is there changes only for who has seen it as it is; who only adds takes nothing from anybody.
 * @throws {Refusal} 409 `changed_meanwhile`; 422 with every reason
 */
export async function typeCourses(
  tx: Tx,
  transfer: Entered,
  courses: readonly TypedCourse[],
  { remove = [], version }: { remove?: readonly number[]; version?: number | undefined } = {},
): Promise<void> {
  const { rows: there } = await sql<{ id: number; code: string; position: number }>`
    select id, source_code as code, position from equivalences
    where external_transfer_id = ${transfer.id} and split_of is null order by id for update`.execute(tx)
  if (remove.length || courses.some((one) => one.id !== undefined)) {
    if (version === undefined) throw refuse(422, 'required', undefined, 'version')
    if (version !== transfer.version) throw refuse(409, 'changed_meanwhile', { version: transfer.version })
  }
  const reasons = checkTyped(there, { courses, remove })
  if (reasons.length) throw new Refusal(422, reasons)
  if (remove.length) {
    // What counted together with a course that goes is decided on anew.
    await sql`update equivalences set joined_to = null, state = 'none', decided = false
      where external_transfer_id = ${transfer.id} and joined_to = any(${remove}::int[])`.execute(tx)
    await sql`delete from equivalences where external_transfer_id = ${transfer.id} and coalesce(split_of, id) = any(${remove}::int[])`.execute(
      tx,
    )
  }
  const after = Math.max(-1, ...there.map((one) => one.position)) + 1
  const lines = JSON.stringify(courses.map((one, i) => ({ ...one, position: after + i })))
  const given = sql`jsonb_to_recordset(${lines}::jsonb) as x (id int, position int, code text, name text, name_local text, credit_hours numeric,
    grade text, percent numeric)`
  const key = sql`elsewhere_key(${transfer.university_id}::int, x.code)`
  // What is typed anew is decided on anew.
  await sql`update equivalences e set source_code = x.code, source_name = x.name, source_name_local = x.name_local,
      source_hours = x.credit_hours, source_grade = x.grade, source_percent = x.percent, source_key = ${key},
      decided = e.decided and (e.source_code, e.source_hours, e.source_grade, e.source_percent)
        is not distinct from (x.code, x.credit_hours, x.grade, x.percent)
    from ${given} where coalesce(e.split_of, e.id) = x.id`.execute(tx)
  await sql`insert into equivalences (external_transfer_id, position, source_code, source_name, source_name_local, source_hours, source_grade,
      source_percent, source_key, state)
    select ${transfer.id}, x.position, x.code, x.name, x.name_local, x.credit_hours, x.grade, x.percent, ${key}, 'none'
    from ${given} where x.id is null`.execute(tx)
  await proposeAgain(tx, transfer)
}

export async function attach(ctx: Ctx, tx: Tx, id: number, file_ids: readonly number[]): Promise<void> {
  const ids = [...new Set(file_ids)]
  if (!ids.length) return
  const { rows } =
    await sql`select from files f where f.id = any(${ids}::int[]) and f.created_by = ${ctx.actor!.user_id}
    and not exists (select from external_transfer_files j where j.file_id = f.id)`.execute(tx)
  if (rows.length < ids.length) throw refuse(422, 'reference_missing', undefined, 'file_ids')
  await sql`insert into external_transfer_files (file_id, external_transfer_id) select unnest(${ids}::int[]), ${id}::int`.execute(
    tx,
  )
}

interface Entry {
  readonly kind: 'external' | 'study_abroad'
  readonly university_id: number
  readonly university_faculty_id: number | null
  readonly note: string | null
}
/**
 * Where courses of a student from one place are entered: the record that waits for a decision, else a new one. Of two who
 * enter at one moment both add to the same one.
 * @throws {Refusal} 404; 403; 409; 422
 */
async function enter(ctx: Ctx, tx: Tx, student_id: number, entry: Entry): Promise<Entered> {
  const people = [ctx.actor?.user_id, ctx.actor?.impersonator_id].filter((one) => one != null)
  const { rows } = await sql<{
    program_id: number
    term_id: number | null
    studying: boolean
    own: boolean
    listed: boolean
    belongs: boolean
    open_id: number | null
  }>`
    select s.program_id, ${TRANSFER_TERM} as term_id, s.status = 'studying' as studying,
      coalesce(s.user_id = any(${people}::int[]), false) as own,
      exists (select from universities_list u where u.id = ${entry.university_id} and u.removed_at is null) as listed,
      ${entry.university_faculty_id}::int is null or exists (select from university_faculties f where f.id = ${entry.university_faculty_id}::int
        and f.university_id = ${entry.university_id} and f.removed_at is null) as belongs,
      (select t.id from external_transfers t where t.student_id = s.id and t.kind = ${entry.kind} and t.status = 'entered'
        and t.removed_at is null and t.program_id = s.program_id and t.university_id = ${entry.university_id}
        and t.university_faculty_id is not distinct from ${entry.university_faculty_id}::int order by t.id limit 1) as open_id
    from students s
    where s.id = ${student_id} and s.removed_at is null and ${scopeCondition(ctx, 'edit_equivalence', studentReach(ctx, 's'))}`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (row.own) throw refuse(403, 'step_own')
  if (!row.listed) throw refuse(422, 'reference_missing', undefined, 'university_id')
  if (!row.belongs) throw refuse(422, 'faculty_of_another_university', undefined, 'university_faculty_id')
  if (!row.studying) throw refuse(409, 'transfer_not_studying')
  if (row.term_id === null) throw refuse(409, 'transfer_no_term')
  if (row.open_id !== null) {
    const open = await lockEntered(ctx, tx, row.open_id)
    if (entry.note)
      await sql`update external_transfers set note = left(concat_ws(E'\n', note, ${entry.note}::text), 4000) where id = ${open.id}`.execute(
        tx,
      )
    return open
  }
  const { rows: made } = await sql<{ id: number; version: number }>`
    insert into external_transfers (student_id, program_id, term_id, kind, university_id, university_faculty_id, note)
    values (${student_id}, ${row.program_id}, ${row.term_id}, ${entry.kind}, ${entry.university_id}, ${entry.university_faculty_id},
      ${entry.note}) returning id, version`.execute(tx)
  const { id, version } = made[0]!
  await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state)
    values ('external_transfer', ${id}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'begin', null, 'entered')`.execute(
    tx,
  )
  return { id, kind: 'external', student_id, program_id: row.program_id, university_id: entry.university_id, version }
}

/** Enters courses of a student, and answers where. Who enters for a student holds the student: the second sees the first. */
const enterCourses = (
  ctx: Ctx,
  student_id: number,
  entry: Entry,
  courses: readonly TypedCourse[],
  file_ids: readonly number[],
): Promise<number> =>
  ctx.write(async (tx) => {
    await sql`select from students s where s.id = ${student_id} and ${scopeCondition(ctx, 'edit_equivalence', studentReach(ctx, 's'))}
      for no key update`.execute(tx)
    const transfer = await enter(ctx, tx, student_id, entry)
    await typeCourses(tx, transfer, courses)
    await attach(ctx, tx, transfer.id, file_ids)
    await touch(tx, transfer.id)
    return transfer.id
  })

/** Handlers of courses from elsewhere. */
export const externalHandlers: readonly Handled[] = [
  ...servedExternal.handlers,
  ...equivalenceHandlers(externalCourseCalls, {
    kind: 'external',
    transferOf,
    source,
    named: (line) => line.id,
    paper: async (ctx, id) => {
      const {
        student,
        applicant,
        university,
        university_faculty,
        program,
        faculty,
        bylaw,
        term,
        executed_at,
        equivalences,
      } = await readExternal(ctx, id)
      return {
        student: student ?? applicant!,
        applies: student === null,
        bylaw,
        term,
        executed_at,
        from: [university, ...(university_faculty ? [university_faculty] : [])],
        to: [program, faculty],
        lines: equivalences,
      }
    },
  }),
  handle(externalCalls.externalTransfers, async (ctx, { body }) => {
    const { data, meta } = await pagedList<Stored>(ctx, source(ctx, body), body)
    return { data: data.map((row) => opened(ctx, row)), meta }
  }),
  handle(
    externalCalls.addExternal,
    async (ctx, { params: { id: student_id }, body: { courses, file_ids, ...entry } }) => ({
      data: await readExternal(ctx, await enterCourses(ctx, student_id, entry, courses, file_ids)),
    }),
  ),
  handle(externalCalls.externalTransfer, async (ctx, { params: { id } }) => ({ data: await readExternal(ctx, id) })),
  handle(externalCalls.addStudyAbroad, async (ctx, { body: { student_id, course, file_ids, ...place } }) => ({
    data: await readExternal(
      ctx,
      await enterCourses(ctx, student_id, { kind: 'study_abroad', note: null, ...place }, [course], file_ids),
    ),
  })),
  handle(externalCalls.knownCourses, async (ctx, { params: { university_id }, query: { university_faculty_id } }) => {
    const { rows } = await sql<{ code: string; name: string; name_local: string | null; credit_hours: number }>`
      select k.code, k.name, k.name_local, k.credit_hours from (
        select distinct on (e.source_key) e.source_code as code, e.source_name as name, e.source_name_local as name_local,
          e.source_hours::float8 as credit_hours
        from equivalences e join external_transfers t on t.id = e.external_transfer_id
        where t.university_id = ${university_id} and t.status <> 'deleted' and e.split_of is null
          and (${university_faculty_id ?? null}::int is null or coalesce(t.university_faculty_id, ${university_faculty_id ?? null}::int) = ${university_faculty_id ?? null}::int)
        order by e.source_key, t.status = 'executed' desc, e.id desc) k
      order by k.code limit 500`.execute(ctx.db)
    return { data: rows }
  }),
  handle(externalCalls.typeExternal, async (ctx, { params: { id }, body: { courses, remove, version } }) => {
    await ctx.write(async (tx) => {
      await typeCourses(tx, await lockEntered(ctx, tx, id), courses, { remove, version })
      await touch(tx, id)
    })
    return { data: await readExternal(ctx, id) }
  }),
  handle(externalCalls.decideExternal, async (ctx, { params: { id }, body }) => {
    await ctx.write(async (tx) => {
      await decideEquivalence(tx, await lockEntered(ctx, tx, id, body.version), body)
      await touch(tx, id)
    })
    return { data: await readExternal(ctx, id) }
  }),
  handle(externalCalls.executeApplicant, async (ctx, { params: { id }, body: { version } }) => {
    if ((await transferOf(ctx, id)).student_id !== null) throw refuse(409, 'transfer_of_student')
    await servedExternal.take(ctx, id, 'execute', { version })
    return { data: await readExternal(ctx, id) }
  }),
]
