/** Papers from elsewhere: registered with their files, known by themselves, or asked for at their issuer. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled, type Upload } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql, type RawBuilder } from 'kysely'
import { endAsk, startAsk } from './ask.server.ts'
import {
  elsewhereCalls,
  elsewhereFlow,
  externalPaper,
  elsewhereSteps,
  type ElsewhereDetail,
} from './external.contract.ts'
import { STEP_OF, type ElsewhereFacts, type FoundByItself } from './external.rules.ts'
import { contentHash, lookAtFile } from './look.server.ts'

const USE = 'edit_externalPaper'
/** A part of the university has the papers of its students; those of others are for who reaches everything. */
const within = (column: string) =>
  sql`exists (select from students s where s.id = t.student_id and s.${sql.raw(column)})`
const PARTS = {
  faculty: (ids: readonly number[]) => within(`faculty_id = any('{${ids.join(',')}}')`),
  department: (ids: readonly number[]) =>
    within(`program_id in (select p.id from programs p where p.department_id = any('{${ids.join(',')}}'))`),
  bylaw: (ids: readonly number[]) => within(`bylaw_id = any('{${ids.join(',')}}')`),
  program: (ids: readonly number[]) => within(`program_id = any('{${ids.join(',')}}')`),
}
const scope = {
  faculty: () => PARTS.faculty,
  department: () => PARTS.department,
  bylaw: () => PARTS.bylaw,
  program: () => PARTS.program,
}
const reach = () => PARTS
const PERSON = `coalesce(t.person_name, (select s.name from students s where s.id = t.student_id),
  (select coalesce(a.name, a.name_local, a.code) from applicants a where a.id = t.applicant_id))`
const PERSON_LOCAL = `coalesce(t.person_name, (select s.name_local from students s where s.id = t.student_id),
  (select coalesce(a.name_local, a.name, a.code) from applicants a where a.id = t.applicant_id))`

const flow = serveWorkflow(elsewhereFlow, elsewhereSteps, {
  table: 'external_papers',
  scope: reach,
  seen: ['access_externalPaper'],
  nameOf: PERSON,
  // Whoever registers it is no party: what decides is what the issuer says.
  enteredByOfficer: true,
  own: (people) => sql`exists (select from students s where s.id = t.student_id and s.user_id = any(${people}))`,
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<ElsewhereFacts & { id: number }>`
      select t.id, i.name as issuer, i.name_local as issuer_local, i.email from external_papers t join paper_issuers i on i.id = t.issuer_id
      where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map(({ id, ...of }) => [id, of]))
  },
  effect: async (ctx, tx, moved) => {
    for (const { id, action } of moved) {
      await endAsk(tx, id)
      if (action === 'ask') await startAsk(ctx, tx, id)
    }
  },
})
const served = workings(externalPaper, {
  scope,
  flow,
  computed: { person: PERSON, person_local: PERSON_LOCAL },
  search: [
    `fold_text(coalesce(t.number, '') || ' ' || coalesce(t.person_name, ''))`,
    `(select s.search_text from students s where s.id = t.student_id)`,
  ],
})

interface Checked {
  readonly how: 'file' | 'link' | 'letter'
  readonly result: 'genuine' | 'not_genuine' | 'unknown'
  readonly found?: FoundByItself['found'] | null
  readonly remark?: string | null
  readonly answered_by?: string | null
  readonly file_id?: number | null
}
/** Keeps what was found, by which content it stands. */
export async function keepCheck(ctx: Ctx, tx: Tx, id: number, of: Checked): Promise<void> {
  await sql`insert into external_paper_checks (paper_id, sha256, how, result, found, remark, answered_by, user_id, file_id)
    select t.id, t.sha256, ${of.how}, ${of.result}, ${of.found ?? null}, ${of.remark ?? null}, ${of.answered_by ?? null},
      ${ctx.actor?.user_id ?? null}::int, ${of.file_id ?? null}::int from external_papers t where t.id = ${id}`.execute(
    tx,
  )
}
/** Takes the step that an answer means. What only a file says, and is not sure, leaves the paper where it is. */
export async function takeAnswer(ctx: Ctx, tx: Tx, id: number, of: Checked): Promise<void> {
  await keepCheck(ctx, tx, id, of)
  if (of.how === 'file' && of.result === 'unknown') return
  await flow.take(ctx, id, STEP_OF[of.result], { reason: of.remark ?? of.found ?? of.result })
}

async function keepFile(ctx: Ctx, tx: Tx, id: number, file: Upload): Promise<void> {
  const kept = await ctx.services.files.save(ctx, file, tx)
  await sql`insert into external_paper_files (paper_id, file_id, sha256, created_by)
    values (${id}, ${kept.id}, ${contentHash(file.content)}, ${ctx.actor?.user_id ?? null}::int)`.execute(tx)
}
/** What was found by the file itself is the program's word: the officer only brought the file. */
async function keepFound(ctx: Ctx, tx: Tx, id: number, found: FoundByItself | null): Promise<void> {
  if (found) await takeAnswer(asSystem(ctx.services, 'The file itself', ctx.lang), tx, id, { how: 'file', ...found })
}

interface Registered {
  student_id?: number | undefined
  applicant_id?: number | undefined
  person_name?: string | undefined
  issuer_id: number
  kind: string
  number?: string | undefined
  issued_on?: string | undefined
  note?: string | undefined
}
/** Whose paper it is, within reach: of a student, or of somebody for whom no part of the university stands. */
async function judgePerson(ctx: Ctx, tx: Tx, of: Registered): Promise<void> {
  const given = [of.student_id, of.applicant_id, of.person_name].filter((one) => one !== undefined)
  if (given.length !== 1) throw refuse(422, 'external_person', undefined, 'student_id')
  if (of.student_id !== undefined) {
    const { rows } = await sql<{ within: boolean }>`select ${scopeCondition(ctx, USE, studentReach(ctx, 's'))} as within
      from students s where s.id = ${of.student_id} and s.removed_at is null for share of s`.execute(tx)
    if (!rows[0]) throw refuse(422, 'reference_missing', undefined, 'student_id')
    if (!rows[0].within) throw refuse(403, 'not_allowed')
    return
  }
  if (!reachesAll(ctx, USE)) throw refuse(403, 'not_allowed')
  if (of.applicant_id === undefined) return
  const { rows } = await sql`select from applicants where id = ${of.applicant_id} for share`.execute(tx)
  if (!rows.length) throw refuse(422, 'reference_missing', undefined, 'applicant_id')
}

const answerOf = async (tx: Tx, id: number) => {
  const { rows } = await sql<{ id: number; version: number; status: string }>`
    select id, version, status from external_papers where id = ${id}`.execute(tx)
  return { data: firstRow(rows) }
}

const register = handle(elsewhereCalls.register, async (ctx, { body, file }) => {
  const found = await lookAtFile(ctx, file!)
  return ctx.write(async (tx) => {
    await judgePerson(ctx, tx, body)
    const { rows: issuers } =
      await sql`select from paper_issuers where id = ${body.issuer_id} and removed_at is null for share`.execute(tx)
    if (!issuers.length) throw refuse(422, 'reference_missing', undefined, 'issuer_id')
    const { rows } = await sql<{ id: number }>`
      insert into external_papers (student_id, applicant_id, person_name, issuer_id, kind, number, issued_on, note, sha256)
      values (${body.student_id ?? null}::int, ${body.applicant_id ?? null}::int, ${body.person_name ?? null}, ${body.issuer_id}, ${body.kind},
        ${body.number ?? null}, ${body.issued_on ?? null}::date, ${body.note ?? null}, ${contentHash(file!.content)})
      on conflict do nothing returning id`.execute(tx)
    const [made] = rows
    if (!made) throw refuse(409, 'external_paper_twice', undefined, 'file')
    await keepFile(ctx, tx, made.id, file!)
    await flow.begin(ctx, tx, made.id, 'New')
    await keepFound(ctx, tx, made.id, found)
    return answerOf(tx, made.id)
  })
})

/** A paper within reach, held. */
async function hold(ctx: Ctx, tx: Tx, id: number): Promise<{ status: string; own: boolean }> {
  const { rows } = await sql<{ status: string; own: boolean }>`
    select t.status, coalesce(exists (select from students s where s.id = t.student_id and s.user_id = ${ctx.actor?.user_id ?? null}::int), false) as own
    from external_papers t where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, USE, PARTS)} for update of t`.execute(
    tx,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const further = handle(elsewhereCalls.further, async (ctx, { params: { id }, file }) => {
  const found = await lookAtFile(ctx, file!)
  return ctx.write(async (tx) => {
    const { status, own } = await hold(ctx, tx, id)
    if (own) throw refuse(403, 'step_own')
    const sha256 = contentHash(file!.content)
    const { rows: had } =
      await sql`select from external_paper_files where paper_id = ${id} and sha256 = ${sha256}`.execute(tx)
    if (had.length) throw refuse(409, 'external_paper_same_file', undefined, 'file')
    await keepFile(ctx, tx, id, file!)
    await sql`update external_papers set sha256 = ${sha256} where id = ${id}`.execute(tx)
    // What was found stands on another file.
    if (status !== 'New')
      await flow.take(asSystem(ctx.services, 'A further file', ctx.lang), id, 'renew', { reason: 'A further file' })
    await keepFound(ctx, tx, id, found)
    return answerOf(tx, id)
  })
})

const enterAnswer = handle(elsewhereCalls.enterAnswer, (ctx, { params: { id }, body, file }) =>
  ctx.write(async (tx) => {
    await hold(ctx, tx, id)
    const kept = file ? await ctx.services.files.save(ctx, file, tx) : null
    await takeAnswer(ctx, tx, id, {
      how: 'letter',
      result: body.result,
      remark: body.remark,
      answered_by: body.answered_by ?? null,
      file_id: kept?.id ?? null,
    })
    return answerOf(tx, id)
  }),
)

type Linked<T> = Omit<T, 'url'>
interface Row extends Omit<ElsewhereDetail, 'files' | 'checks'> {
  files: Linked<ElsewhereDetail['files'][number]>[]
  checks: (Omit<ElsewhereDetail['checks'][number], 'file'> & { file: { id: number; name: string } | null })[]
}
const BY: RawBuilder<unknown> = sql`(select ${refOrNull('u')} from users u where u.id = x.by_id)`
async function show(ctx: Ctx, id: number): Promise<ElsewhereDetail> {
  const { rows } = await sql<Row>`
    select t.id, t.version, t.status, i.email as issuer_email,
      coalesce((select json_agg(json_build_object('id', x.file_id, 'name', x.name, 'size', x.size, 'sha256', x.sha256, 'at', x.created_at, 'by', ${BY})
          order by x.id desc)
        from (select k.id, k.file_id, k.sha256, k.created_at, k.created_by as by_id, f.name, f.size
          from external_paper_files k join files f on f.id = k.file_id where k.paper_id = t.id) x), '[]') as files,
      coalesce((select json_agg(json_build_object('id', x.id, 'how', x.how, 'result', x.result, 'found', x.found, 'remark', x.remark,
          'answered_by', x.answered_by, 'by', ${BY}, 'at', x.at, 'outdated', x.sha256 <> t.sha256,
          'file', case when x.file_id is not null then json_build_object('id', x.file_id, 'name', x.name) end) order by x.id desc)
        from (select c.*, c.user_id as by_id, f.name from external_paper_checks c left join files f on f.id = c.file_id where c.paper_id = t.id) x), '[]') as checks,
      (select json_build_object('email', q.email, 'asked_at', q.asked_at, 'due_on', q.due_on, 'reminded_on', q.reminded_on)
        from external_paper_asks q where q.paper_id = t.id and q.ended_at is null) as ask
    from external_papers t join paper_issuers i on i.id = t.issuer_id
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'access_externalPaper', PARTS)}`.execute(
    ctx.db,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const url = (file: { id: number; name: string }) => ctx.services.files.link(file, ctx.actor!)
  return {
    ...row,
    files: row.files.map((one) => ({ ...one, url: url(one) })),
    checks: row.checks.map((one) => ({ ...one, file: one.file && { name: one.file.name, url: url(one.file) } })),
  }
}

export const externals = {
  flow,
  manyJob: flow.manyJob,
  handlers: [
    ...served.handlers,
    ...flow.handlers,
    register,
    further,
    enterAnswer,
    handle(elsewhereCalls.externalDetail, async (ctx, { params }) => ({ data: await show(ctx, params.id) })),
  ] satisfies readonly Handled[],
}
