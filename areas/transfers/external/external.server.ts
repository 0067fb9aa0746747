/** Courses from another university, or from a term abroad. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { studentReach } from '#areas/academics/student-reach.server.ts'
import { standCredits } from '#areas/grading/terms/record.server.ts'
import type { Tx } from '#db/connect.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle } from '#kit/server/context.ts'
import type { Ctx, Handled } from '#kit/server/context.ts'
import { refuse, toProblem } from '#kit/server/errors.ts'
import { columnsOf, serverField } from '#kit/server/fields.ts'
import type { KeptFile } from '#kit/server/files.ts'
import { pagedList } from '#kit/server/list.ts'
import type { ListSource } from '#kit/server/list.ts'
import { isId, scopeCondition } from '#kit/server/scope.ts'
import type { ScopeParts } from '#kit/server/scope.ts'
import { ref, refOrNull } from '#kit/server/sql.ts'
import { serveWorkflow } from '#kit/server/workflow.ts'
import type { TypedCourse } from '../equivalence/equivalence.contract.ts'
import { credit, decide, equivalencesOf, proposeAgain } from '../equivalence/equivalence.server.ts'
import { equivalenceHandlers } from '../equivalence/handlers.server.ts'
import { gradesOf, targetOf } from '../equivalence/target.server.ts'
import type { Transfer } from '../equivalence/target.server.ts'
import { goneFrom, LAST_TERM, TRANSFER_TERM } from '../leaver.server.ts'
import { externalCalls, externalCourseCalls, externalFields, externalFlow, externalSteps } from './external.contract.ts'
import type { ExternalDetail, ExternalRow } from './external.contract.ts'
import { checkExternal } from './external.rules.ts'
import type { ExternalFacts } from './external.rules.ts'

/** As the student is reached. */
const reach = (ctx: Ctx): ScopeParts => ({
  faculty: sql`(select s.faculty_id from students s where s.id = t.student_id)`,
  department: sql`(select p.department_id from students s join programs p on p.id = s.program_id where s.id = t.student_id)`,
  bylaw: sql`(select s.bylaw_id from students s where s.id = t.student_id)`,
  program: sql`(select s.program_id from students s where s.id = t.student_id)`,
  own: isId(sql`t.student_id`, ctx.actor?.student_id),
  advised: sql`exists (select from students s where s.id = t.student_id and s.advisor_id = ${ctx.actor?.instructor_id ?? null})`,
})
const seen = (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'access_transfer', reach(ctx))

const FACTS = sql`json_build_object('studying', s.status = 'studying', 'same_program', s.program_id = t.program_id,
  'courses', (select count(*) from equivalences e where e.external_transfer_id = t.id),
  'undecided', (select count(*) from equivalences e where e.external_transfer_id = t.id and not e.decided and e.split_of is null),
  'passed_meanwhile', (select count(*) from equivalences e where e.external_transfer_id = t.id and e.course_id is not null
    and (exists (select from course_credits k where k.student_id = s.id and k.former_study_id is null and k.course_id = e.course_id)
      or exists (select from registrations r where r.student_id = s.id and r.course_id = e.course_id and r.passed
        and term_after(r.term_id, s.study_after_term_id)))), 'gone', ${goneFrom('external')})`

const servedExternal = serveWorkflow(externalFlow, externalSteps, {
  table: 'external_transfers',
  scope: reach,
  seen: ['access_transfer'],
  nameOf: `(select s.code || ' · ' || s.name from students s where s.id = t.student_id)`,
  own: (people) => sql`exists (select from students s where s.id = t.student_id and s.user_id = any(${people}))`,
  // One officer of the faculty enters, decides on courses and executes: nothing of it is the officer's own.
  enteredByOfficer: true,
  facts: async (_ctx, tx, ids, action) => {
    if (action !== 'execute') return new Map()
    await sql`select from students where id in (select student_id from external_transfers where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
    const { rows } = await sql<{ id: number; facts: ExternalFacts }>`select t.id, ${FACTS} as facts
      from external_transfers t join students s on s.id = t.student_id where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map((row) => [row.id, row.facts]))
  },
  effect: async (ctx, tx, moved) => {
    for (const { id } of moved.filter((one) => one.action === 'execute')) {
      await sql`update external_transfers set executed_at = now() where id = ${id}`.execute(tx)
      await creditExternal(ctx, tx, id)
    }
  },
  tells: {
    users: 'array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null)',
    student: 't.student_id',
    data: `json_build_object('institution', t.institution)`,
    link: () => '/student-academic',
  },
})

/** Credits the courses of a transfer that is executed, from the term after the last one that is over. */
export async function creditExternal(ctx: Ctx | null, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ student_id: number; program_id: number; term_id: number; after_term_id: number | null }>`
    select t.student_id, t.program_id, t.term_id, ${LAST_TERM} as after_term_id
    from external_transfers t join students s on s.id = t.student_id where t.id = ${id}`.execute(tx)
  const { term_id, after_term_id, ...transfer } = rows[0]!
  await credit(tx, { id, kind: 'external', ...transfer }, { term_id, after_term_id })
  await standCredits(ctx, tx, [transfer.student_id])
}

type Stored = Omit<ExternalRow, 'abilities' | 'refused'> & {
  __steps: Parameters<typeof servedExternal.open>[2]
  facts: ExternalFacts
}
const FROM = sql`external_transfers t join students s on s.id = t.student_id join programs p on p.id = t.program_id join terms w on w.id = t.term_id`
const rowColumns = (
  ctx: Ctx,
) => sql`t.id, t.version, t.kind, ${ref('s')} as student, ${ref('p')} as program, ${ref('w')} as term, t.institution,
  t.status, t.created_at, t.executed_at, ${servedExternal.column(ctx)} as __steps, ${FACTS} as facts`
const opened = (ctx: Ctx, { __steps, facts, ...row }: Stored): ExternalRow => ({
  ...row,
  ...servedExternal.open(ctx, row.status, __steps, facts),
})
const columns = columnsOf(externalFields, {})
const filters = Object.fromEntries(
  columns
    .filter(({ name }) => name !== 'institution')
    .map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (ctx: Ctx, query: Pick<ListQuery, 'filters'>): ListSource => ({
  from: FROM,
  select: rowColumns(ctx),
  where: [seen(ctx), ...(query.filters.status ? [] : [sql`t.status <> 'deleted'`])],
  search: ['s.search_text', 'fold_text(t.institution)'],
  sort: {
    student_id: 's.name',
    program_id: 'p.name',
    institution: 't.institution',
    created_at: 't.created_at',
    status: 't.status',
  },
  order: ['created_at', 'desc'],
  filters,
})

async function transferOf(ctx: Ctx, id: number): Promise<Transfer & { student_id: number }> {
  const { rows } = await sql<{ student_id: number; program_id: number }>`
    select t.student_id, t.program_id from external_transfers t where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { id, kind: 'external', ...rows[0] }
}

async function readDetail(ctx: Ctx, id: number): Promise<ExternalDetail> {
  const { rows } = await sql<
    Stored &
      Pick<ExternalDetail, 'faculty' | 'bylaw' | 'institution_program' | 'country' | 'note'> & {
        files: KeptFile[]
        percents: Record<string, string | null> | null
      }
  >`
    select ${rowColumns(ctx)}, ${ref('f')} as faculty, ${ref('b')} as bylaw, t.institution_program, ${refOrNull('c')} as country, t.note,
      coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name, 'size', x.size, 'mime', x.mime) order by x.id)
        from external_transfer_files j join files x on x.id = j.file_id where j.external_transfer_id = t.id), '[]') as files,
      (select json_object_agg(e.id, e.source_percent::text) from equivalences e where e.external_transfer_id = t.id) as percents
    from ${FROM} join faculties f on f.id = p.faculty_id join bylaws b on b.id = p.bylaw_id left join countries c on c.id = t.country_id
    where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { files, percents, ...transfer } = row
  const lines = await equivalencesOf(ctx.db, { kind: 'external', id })
  return {
    ...transfer,
    ...opened(ctx, row),
    against: row.status === 'entered' ? checkExternal(row.facts).map((reason) => toProblem(reason)) : [],
    equivalences: lines.map((line) => ({ ...line, percent: percents?.[line.id] ?? null })),
    ...gradesOf(
      await targetOf(ctx.db, { kind: 'external', student_id: row.student?.id ?? null, program_id: row.program.id }),
    ),
    files: files.map((file) => ({ ...file, url: ctx.services.files.link(file, ctx.actor!) })),
  }
}

/** Locks what is entered and not executed. @throws {Refusal} 404; 403; 409 */
async function lockEntered(
  ctx: Ctx,
  tx: Tx,
  id: number,
  version?: number,
): Promise<Transfer & { student_id: number; institution: string }> {
  const { rows } = await sql<{
    student_id: number
    program_id: number
    institution: string
    status: string
    version: number
    may: boolean
  }>`
    select t.student_id, t.program_id, t.institution, t.status, t.version,
      ${scopeCondition(ctx, 'edit_equivalence', reach(ctx))} as may
    from external_transfers t where t.id = ${id} and ${seen(ctx)} for update`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!row.may) throw refuse(403, 'not_allowed')
  if (row.status !== 'entered') throw refuse(409, 'transfer_decided')
  if (version !== undefined && version !== row.version) throw refuse(409, 'changed_meanwhile', { version: row.version })
  return { id, kind: 'external', student_id: row.student_id, program_id: row.program_id, institution: row.institution }
}
const touch = (tx: Tx, id: number) => sql`update external_transfers set updated_at = now() where id = ${id}`.execute(tx)

/** Keeps courses as they are typed: those with an id change, others are new; `whole`: what is not sent goes. */
async function typeCourses(
  tx: Tx,
  transfer: Transfer & { institution: string },
  courses: readonly TypedCourse[],
  whole: boolean,
): Promise<void> {
  const { rows: there } = await sql<{
    id: number
  }>`select id from equivalences where external_transfer_id = ${transfer.id} and split_of is null for update`.execute(
    tx,
  )
  const own = new Set(there.map((one) => one.id))
  const stray = courses.findIndex((one) => one.id !== undefined && !own.has(one.id))
  if (stray >= 0) throw refuse(422, 'reference_missing', undefined, `courses.${stray}.id`)
  if (whole) {
    const kept = courses.flatMap((one) => one.id ?? [])
    // What counted together with a course that goes is decided on anew.
    await sql`update equivalences set joined_to = null, state = 'none', decided = false
      where external_transfer_id = ${transfer.id} and joined_to is not null and not joined_to = any(${kept}::int[])`.execute(
      tx,
    )
    await sql`delete from equivalences where external_transfer_id = ${transfer.id} and not coalesce(split_of, id) = any(${kept}::int[])`.execute(
      tx,
    )
  }
  const lines = JSON.stringify(courses.map((one, i) => ({ ...one, position: whole ? i : there.length + i })))
  const given = sql`jsonb_to_recordset(${lines}::jsonb) as x (id int, position int, code text, name text, name_local text, credit_hours numeric,
    grade text, percent numeric)`
  const key = sql`'x' || fold_text(${transfer.institution}) || '|' || fold_text(x.code)`
  // What is typed anew is decided on anew.
  await sql`update equivalences e set position = x.position, source_code = x.code, source_name = x.name, source_name_local = x.name_local,
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

async function attach(ctx: Ctx, tx: Tx, id: number, file_ids: readonly number[]): Promise<void> {
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
  readonly institution: string
  readonly institution_program: string | null
  readonly country_id: number | null
  readonly note: string | null
}
/** A new record for a student that the reader decides for. @throws {Refusal} 404; 409 */
async function enter(ctx: Ctx, tx: Tx, student_id: number, entry: Entry): Promise<Transfer & { institution: string }> {
  const { rows } = await sql<{ program_id: number; term_id: number | null; studying: boolean }>`
    select s.program_id, ${TRANSFER_TERM} as term_id, s.status = 'studying' as studying from students s
    where s.id = ${student_id} and s.removed_at is null and ${scopeCondition(ctx, 'edit_equivalence', studentReach(ctx, 's'))}`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!row.studying) throw refuse(409, 'transfer_not_studying')
  if (row.term_id === null) throw refuse(409, 'transfer_no_term')
  const { rows: made } = await sql<{ id: number }>`
    insert into external_transfers (student_id, program_id, term_id, kind, institution, institution_program, country_id, note)
    values (${student_id}, ${row.program_id}, ${row.term_id}, ${entry.kind}, ${entry.institution}, ${entry.institution_program},
      ${entry.country_id}, ${entry.note}) returning id`.execute(tx)
  const { id } = made[0]!
  await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state)
    values ('external_transfer', ${id}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'begin', null, 'entered')`.execute(
    tx,
  )
  return { id, kind: 'external', student_id, program_id: row.program_id, institution: entry.institution }
}

/** Handlers of courses from elsewhere. */
export const externalHandlers: readonly Handled[] = [
  ...servedExternal.handlers,
  ...equivalenceHandlers(externalCourseCalls, {
    kind: 'external',
    transferOf,
    source,
    named: (line) => line.id,
    paper: async (ctx, id) => {
      const { student, institution, program, faculty, bylaw, term, executed_at, equivalences } = await readDetail(
        ctx,
        id,
      )
      return {
        student,
        bylaw,
        term,
        executed_at,
        from: [{ name: institution, name_local: institution }],
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
    async (ctx, { params: { id: student_id }, body: { courses, file_ids, ...entry } }) => {
      const made = await ctx.write(async (tx) => {
        const transfer = await enter(ctx, tx, student_id, entry)
        await typeCourses(tx, transfer, courses, true)
        await attach(ctx, tx, transfer.id, file_ids)
        return transfer.id
      })
      return { data: await readDetail(ctx, made) }
    },
  ),
  handle(externalCalls.externalTransfer, async (ctx, { params: { id } }) => ({ data: await readDetail(ctx, id) })),
  handle(externalCalls.addStudyAbroad, async (ctx, { body: { student_id, institution, course, file_ids } }) => {
    const id = await ctx.write(async (tx) => {
      // Two courses of one student at one moment go into the same record.
      await sql`select from students where id = ${student_id} for no key update`.execute(tx)
      const { rows } = await sql<{ id: number }>`select id from external_transfers where student_id = ${student_id}
        and kind = 'study_abroad' and status = 'entered' and fold_text(institution) = fold_text(${institution}) order by id desc limit 1`.execute(
        tx,
      )
      const transfer = rows[0]
        ? await lockEntered(ctx, tx, rows[0].id)
        : await enter(ctx, tx, student_id, {
            kind: 'study_abroad',
            institution,
            institution_program: null,
            country_id: null,
            note: null,
          })
      await typeCourses(tx, transfer, [course], false)
      await attach(ctx, tx, transfer.id, file_ids)
      await touch(tx, transfer.id)
      return transfer.id
    })
    return { data: await readDetail(ctx, id) }
  }),
  handle(externalCalls.typeExternal, async (ctx, { params: { id }, body: { courses, version } }) => {
    await ctx.write(async (tx) => {
      await typeCourses(tx, await lockEntered(ctx, tx, id, version), courses, true)
      await touch(tx, id)
    })
    return { data: await readDetail(ctx, id) }
  }),
  handle(externalCalls.decideExternal, async (ctx, { params: { id }, body }) => {
    await ctx.write(async (tx) => {
      await decide(tx, await lockEntered(ctx, tx, id, body.version), body)
      await touch(tx, id)
    })
    return { data: await readDetail(ctx, id) }
  }),
  handle(externalCalls.executeApplicant, async (ctx, { params: { id } }) => {
    await transferOf(ctx, id)
    // Those of somebody who applies come with admission.
    throw refuse(409, 'transfer_of_student')
  }),
]
