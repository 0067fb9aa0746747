/** Internal transfers: their way, and executing one. */
import { sealsRecords } from '#areas/records/grading/signing/sign.server.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { standCredits } from '#areas/records/grading/terms/record.server.ts'
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { outdatedReasons } from '#kit/server/workflow/basis.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { isId } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { Moved } from '#kit/server/workflow/workflow.ts'
import { closeRequests, endWithStatus, goneFrom, LAST_TERM, LEAVER, OPEN_RESULTS } from '../leaver.server.ts'
import { enterProgram, LEVEL_OPEN } from './level.server.ts'
import { equivalenceBasis } from '../equivalence/basis.contract.ts'
import { holdSources } from '../equivalence/basis.server.ts'
import { credit, unfitOf } from '../equivalence/equivalence.server.ts'
import { followPassed, coursesPassedSince } from '../equivalence/proposal.server.ts'
import { internalFlow, internalSteps } from './internal.contract.ts'
import type { ExecutionFacts, MoveFacts } from './internal.rules.ts'

const column = (table: string, id: string, name: string) => `(select x.${name} from ${table} x where x.id = t.${id})`
const target = (name: string) => column('programs', 'program_id', name)
const source = (name: string) => column('programs', 'from_program_id', name)
const own = (ctx: Ctx) => isId(sql`t.student_id`, ctx.actor?.student_id)
const advised = (ctx: Ctx) =>
  sql`exists (select from students s where s.id = t.student_id and s.advisor_id = ${ctx.actor?.instructor_id ?? null})`

/** The program that is joined. */
const joined = (ctx: Ctx): ScopeParts => ({
  faculty: sql.raw(target('faculty_id')),
  department: sql.raw(target('department_id')),
  bylaw: sql.raw(target('bylaw_id')),
  program: sql`t.program_id`,
  own: own(ctx),
})
/** The program that is left. */
const leftBehind = (ctx: Ctx): ScopeParts => ({
  faculty: sql`t.from_faculty_id`,
  department: sql.raw(source('department_id')),
  bylaw: sql.raw(source('bylaw_id')),
  program: sql`t.from_program_id`,
  own: own(ctx),
})
const either =
  (one: string, other: string) =>
  (ids: readonly number[]): RawBuilder<unknown> =>
    sql`coalesce(${sql.raw(one)} = any(${[...ids]}::int[]) or ${sql.raw(other)} = any(${[...ids]}::int[]), false)`
/** Both faculties see it, the student, and who advises the student. */
export const internalReach = (ctx: Ctx): ScopeParts => ({
  faculty: either('t.from_faculty_id', target('faculty_id')),
  department: either(source('department_id'), target('department_id')),
  bylaw: either(source('bylaw_id'), target('bylaw_id')),
  program: either('t.from_program_id', 't.program_id'),
  own: own(ctx),
  advised: advised(ctx),
})
/** Of whom one may decide what courses count as. */
export const joinedReach = joined

/** How many times a student may move in one term; null: any number. */
export async function mostMoves(ctx: Pick<Ctx, 'db'>): Promise<number | null> {
  const { transfers_per_term } = await universitySettingsOf(ctx, ['transfers_per_term'])
  return Number(transfers_per_term) || null
}

/** SQL of what a wish looks at, as pairs of JSON: the student `s`, the program `p`, the term `term`. */
export const moveFacts = (term: RawBuilder<unknown>): RawBuilder<unknown> => sql`${LEAVER},
  'out_pending', exists (select from transfers_out o where o.student_id = s.id and o.status = 'requested'),
  'program_there', p.removed_at is null, 'program_own', p.id = s.program_id,
  'program_elsewhere', s.user_id is not null and exists (select from students o where o.user_id = s.user_id and o.id <> s.id
    and o.program_id = p.id and o.removed_at is null), 'places', p.transfer_places,
  'taken', (select count(*) from internal_transfers x where x.program_id = p.id and x.term_id = ${term} and x.status = 'executed'),
  'moves', (select count(*) from internal_transfers x where x.student_id = s.id and x.term_id = ${term} and x.status = 'executed')`

/** What executing looks at, of all records at once. */
export async function executionFacts(ctx: Ctx, ids: readonly number[]): Promise<ReadonlyMap<number, ExecutionFacts>> {
  const { rows } = await sql<{
    id: number
    student_id: number
    program_id: number
    facts: Omit<ExecutionFacts & MoveFacts, 'most_moves' | 'changed' | 'unfit'>
    lines: number[]
  }>`
    select t.id, t.student_id, t.program_id, json_build_object(${moveFacts(sql`t.term_id`)},
      'same_program', s.program_id = t.from_program_id, 'agreed', t.status = 'agreed' or t.from_faculty_id = p.faculty_id,
      'undecided', (select count(*) from equivalences e where e.internal_transfer_id = t.id and e.state = 'proposed' and e.split_of is null),
      'open_results', ${OPEN_RESULTS}, 'level_open', ${LEVEL_OPEN(sql`t.term_id`)}, 'gone', ${goneFrom('internal')}) as facts,
      array(select e.id from equivalences e where e.internal_transfer_id = t.id) as lines
    from internal_transfers t join students s on s.id = t.student_id join programs p on p.id = t.program_id
    where t.id = any(${[...ids]}::int[])`.execute(ctx.db)
  const most_moves = await mostMoves(ctx)
  const out = new Map<number, ExecutionFacts>()
  for (const { id, student_id, program_id, facts, lines } of rows) {
    const transfer = { id, kind: 'internal', student_id, program_id } as const
    const fresh = await coursesPassedSince(ctx.db, transfer)
    out.set(id, {
      ...facts,
      undecided: facts.undecided + fresh,
      most_moves,
      unfit: await unfitOf(ctx.db, transfer),
      changed: await outdatedReasons(ctx.db, equivalenceBasis, lines),
    })
  }
  return out
}

/** Internal transfers, as their way is served. */
export const servedInternal = serveWorkflow(internalFlow, internalSteps, {
  table: 'internal_transfers',
  scope: internalReach,
  bound: (ctx) => ({
    agree_transfer: leftBehind(ctx),
    execute_transfer: joined(ctx),
    edit_equivalence: joined(ctx),
  }),
  seen: ['access_transfer'],
  units: () => ({
    faculty: sql.raw(`case when t.status = 'added' then t.from_faculty_id else ${target('faculty_id')} end`),
    department: sql.raw(
      `case when t.status = 'added' then ${source('department_id')} else ${target('department_id')} end`,
    ),
    bylaw: sql.raw(`case when t.status = 'added' then ${source('bylaw_id')} else ${target('bylaw_id')} end`),
    program: sql.raw(`case when t.status = 'added' then t.from_program_id else t.program_id end`),
  }),
  nameOf: `(select s.code || ' · ' || s.name from students s where s.id = t.student_id)`,
  own: (people) => sql`exists (select from students s where s.id = t.student_id and s.user_id = any(${people}))`,
  facts: async (ctx, tx, ids, action) => {
    if (action !== 'execute') return new Map()
    // Results first, as a correction has them before the student.
    for (const id of ids) await holdSources(tx, { id, kind: 'internal' })
    // Students, then programs: who finishes terms locks students first; of two who take the last place one waits here.
    await sql`select from students where id in (select student_id from internal_transfers where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
    await sql`select from programs where id in (select program_id from internal_transfers where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
    return executionFacts(ctx, ids)
  },
  effect: async (ctx, tx, moved) => {
    await sql`update internal_transfers t set decided_reason = x.reason,
        executed_at = case when t.status = 'executed' then now() end
      from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as x (id int, reason text) where t.id = x.id`.execute(tx)
    for (const one of moved) if (one.action === 'execute') await execute(ctx, tx, one)
  },
  tells: {
    users: 'array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null)',
    student: 't.student_id',
    data: `(select json_build_object('program', p.name, 'program_local', p.name_local) from programs p where p.id = t.program_id)`,
    link: () => '/students/transfer',
  },
})

export const internalLeavers = endWithStatus('internal_transfers', `'added', 'agreed'`, (ctx, id, reason) =>
  servedInternal.take(ctx, id, 'reject', { reason }),
)

interface Leaving {
  student_id: number
  program_id: number
  term_id: number
  last_term_id: number | null
  advisor_user: number | null
  code: string
  name: string
  name_local: string
}
async function leavingBy(tx: Tx, id: number): Promise<Leaving> {
  const { rows } = await sql<Leaving>`
    select t.student_id, t.program_id, t.term_id, ${LAST_TERM} as last_term_id, i.user_id as advisor_user, s.code, s.name, s.name_local
    from internal_transfers t join students s on s.id = t.student_id left join instructors i on i.id = s.advisor_id
    where t.id = ${id}`.execute(tx)
  return firstRow(rows)
}

/**
 * Moves the student of a transfer that is executed: the study so far ends and is kept, the courses decided on count, and
 * figures follow. Whoever calls has judged that, and holds the student.
 */
export async function moveStudent(ctx: Ctx | null, tx: Tx, id: number): Promise<Leaving> {
  const leaving = await leavingBy(tx, id)
  const { student_id, program_id, term_id, last_term_id } = leaving
  const { rows } = await sql<{ id: number }>`
    insert into former_studies (student_id, faculty_id, program_id, bylaw_id, advisor_id, level, gpa, passed_hours, warnings, last_term_id)
    select id, faculty_id, program_id, bylaw_id, advisor_id, level, gpa, passed_hours, warnings, ${last_term_id}
    from students where id = ${student_id} returning id`.execute(tx)
  const former = firstRow(rows).id
  sealsRecords(tx)
  await sql`update course_credits set former_study_id = ${former} where student_id = ${student_id} and former_study_id is null`.execute(
    tx,
  )
  await sql`update internal_transfers set former_study_id = ${former} where id = ${id}`.execute(tx)
  await credit(tx, { id, kind: 'internal', student_id, program_id }, { term_id, after_term_id: last_term_id })
  await sql`update students s set faculty_id = p.faculty_id, program_id = p.id, bylaw_id = p.bylaw_id, advisor_id = null,
      study_after_term_id = ${last_term_id}::int, dismissed_term_id = null,
      entry_standing = jsonb_build_object('gpa', null, 'passed_hours', 0, 'warnings', 0, 'level', s.level, 'after_term_id', ${last_term_id}::int)
    from programs p where s.id = ${student_id} and p.id = ${program_id}`.execute(tx)
  if (!(await enterProgram(tx, leaving))) await standCredits(ctx, tx, [student_id])
  return leaving
}

async function execute(ctx: Ctx, tx: Tx, { id }: Moved): Promise<void> {
  const { student_id } = await leavingBy(tx, id)
  await closeRequests(ctx, tx, student_id, 'Internal transfer to another program')
  const { advisor_user, code, name, name_local } = await moveStudent(ctx, tx, id)
  await notify(tx, [advisor_user], {
    key: 'transfers.notice_advisee_left',
    data: { code, name, name_local },
    link: '/my_advising',
  })
}

/** Brings the courses of a request up to date: proposals for what was passed meanwhile. */
export const followInternal = (
  tx: Tx,
  transfer: { id: number; student_id: number; program_id: number },
): Promise<number> => followPassed(tx, { ...transfer, kind: 'internal' })
