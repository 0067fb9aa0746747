/** Steps that come with data: what the council decided, which change is asked for, how the discussion ended. */
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import {
  thesisSteps,
  thesisStepsByBody as byBody,
  type ThesisChangeAsked,
  type ThesisDecision,
  type ThesisHeld,
} from './flow.contract.ts'
import { theses } from './flow.server.ts'
import { holdThesis } from './reach.server.ts'
import { checkSupervisors, USUAL_RULES } from './thesis.rules.ts'

type Action = keyof typeof thesisSteps.steps
type Asked = { readonly version?: number | undefined; readonly reason?: string | undefined }
const stepped = async (ctx: Ctx, id: number, action: Action, { version, reason }: Asked) => {
  const moved = await theses.take(ctx, id, action, { version, reason })
  return { data: { id, version: moved.version, state: moved.to, status: moved.to } }
}
const KIND: Readonly<Record<string, string>> = { registered: 'approve', changing: 'change', discussed: 'grant' }

/** Keeps the decision, and takes the step that it decides; without a decision the rule refuses. */
const approve = (ctx: Ctx, id: number, body: ThesisDecision) =>
  ctx.write(async (tx) => {
    const { status } = await holdThesis(ctx, tx, id, 'approve_thesis', 'access_thesis', 'show_thesis')
    const { council, session, number, decided_on } = body
    const kind = KIND[status]
    if (kind && council && session && number && decided_on)
      await sql`insert into thesis_decisions (thesis_id, kind, council, session, number, decided_on, created_by)
        values (${id}, ${kind}, ${council}, ${session}, ${number}, ${decided_on}::date, ${ctx.actor?.user_id ?? null}::int)`.execute(
        tx,
      )
    return stepped(ctx, id, 'approve', body)
  })

/** Supervisors as asked for: whole, and with the load of now. @throws {Refusal} 422 */
async function judgeSupervisors(
  tx: Tx,
  id: number,
  asked: NonNullable<ThesisChangeAsked['supervisors']>,
): Promise<void> {
  const { rows } = await sql<{
    name: string
    name_local: string
    job: 'leader' | 'member'
    share: number
    external: boolean
    academic_title: string | null
    gone: boolean
    load: number
    most: number
    there: boolean
  }>`select coalesce(i.name, e.name, '') as name, coalesce(i.name_local, e.name_local, '') as name_local, x.job, x.share,
      x.examiner_id is not null as external, coalesce(i.academic_title, e.academic_title) as academic_title,
      coalesce(i.removed_at, e.removed_at) is not null as gone, num_nonnulls(i.id, e.id) = 1 as there,
      (select count(distinct o.thesis_id)::int from thesis_members o join theses ot on ot.id = o.thesis_id
        where o.instructor_id = x.instructor_id and o.until_date is null and o.job in ('leader', 'member') and o.thesis_id <> ${id}
          and ot.removed_at is null and ot.status in ('registered', 'approved', 'changing', 'discussed')) as load,
      coalesce((select r.max_supervised from thesis_rules r join students s on s.bylaw_id = r.bylaw_id join theses t on t.student_id = s.id
        where t.id = ${id}), ${USUAL_RULES.max_supervised})::int as most
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as x (instructor_id int, examiner_id int, job text, share int)
      left join instructors i on i.id = x.instructor_id left join external_examiners e on e.id = x.examiner_id`.execute(
    tx,
  )
  const keys = asked.map((one) => `${one.instructor_id ?? ''}/${one.examiner_id ?? ''}`)
  if (rows.some((one) => !one.there) || new Set(keys).size !== keys.length)
    throw refuse(422, 'reference_missing', undefined, 'supervisors')
  const members = rows.map(({ most: _most, there: _there, ...one }) => ({ ...one, tie: 'none' as const }))
  const reasons = checkSupervisors({ members, rules: { ...USUAL_RULES, max_supervised: rows[0]?.most ?? 1 } })
  if (reasons.length) throw new Refusal(422, reasons)
}

/** Keeps what is asked for and what stands now, and waits for the council. */
const change = (ctx: Ctx, id: number, body: ThesisChangeAsked) =>
  ctx.write(async (tx) => {
    const { status } = await holdThesis(ctx, tx, id, 'register_thesis', 'access_thesis', 'show_thesis')
    const { title, title_local, department_id, supervisors, reason } = body
    const asks = [title, title_local, department_id, supervisors].some((one) => one !== undefined)
    if (asks && reason && (status === 'approved' || status === 'discussed')) {
      if (supervisors) await judgeSupervisors(tx, id, supervisors)
      await sql`insert into thesis_changes (thesis_id, title, title_local, department_id, supervisors, before, reason, created_by)
        select t.id, ${title ?? null}, ${title_local ?? null}, ${department_id ?? null}::int,
          ${supervisors ? JSON.stringify(supervisors) : null}::jsonb,
          jsonb_build_object('title', t.title, 'title_local', t.title_local, 'department_id', t.department_id, 'supervisors',
            coalesce((select jsonb_agg(jsonb_build_object('id', coalesce(m.instructor_id, m.examiner_id), 'name', coalesce(i.name, x.name),
                'name_local', coalesce(i.name_local, x.name_local), 'code', coalesce(i.code, x.code)) order by m.position)
              from thesis_members m left join instructors i on i.id = m.instructor_id left join external_examiners x on x.id = m.examiner_id
              where m.thesis_id = t.id and m.until_date is null and m.job in ('leader', 'member')), '[]')),
          ${reason}, ${ctx.actor?.user_id ?? null}::int from theses t where t.id = ${id}`.execute(tx)
    }
    return stepped(ctx, id, 'change', body)
  })

/** Keeps how the scheduled discussion ended. */
const discuss = (ctx: Ctx, id: number, body: ThesisHeld) =>
  ctx.write(async (tx) => {
    const { status } = await holdThesis(ctx, tx, id, 'discuss_thesis', 'access_thesis', 'show_thesis')
    if (status === 'approved') {
      const { result, changes_due, minutes } = body
      if (result === 'changes' && !changes_due)
        throw refuse(422, 'thesis_changes_due_missing', undefined, 'changes_due')
      const { rows } =
        await sql`update thesis_discussions set result = ${result ?? null}, minutes = coalesce(${minutes ?? null}, minutes),
          changes_due = ${result === 'changes' ? (changes_due ?? null) : null}::date
        where thesis_id = ${id} and cancelled_at is null and result is null returning id`.execute(tx)
      // What was not passed before is over.
      if (!rows.length) throw refuse(409, 'thesis_not_scheduled')
    }
    return stepped(ctx, id, 'discuss', body)
  })

const OWN: ReadonlySet<unknown> = new Set([
  thesisSteps.steps.approve,
  thesisSteps.steps.change,
  thesisSteps.steps.discuss,
])
export const thesisStepHandlers: readonly Handled[] = [
  ...theses.handlers.filter(({ call }) => !OWN.has(call)),
  handle(thesisSteps.steps.approve, (ctx, { params: { id }, body }) => approve(ctx, id, body as ThesisDecision)),
  handle(thesisSteps.steps.change, (ctx, { params: { id }, body }) => change(ctx, id, body as ThesisChangeAsked)),
  handle(thesisSteps.steps.discuss, (ctx, { params: { id }, body }) => discuss(ctx, id, body as ThesisHeld)),
  handle(byBody.registerOne, (ctx, { body: { id, ...body } }) => stepped(ctx, id, 'register', body)),
  handle(byBody.approveOne, (ctx, { body: { id, ...body } }) => approve(ctx, id, body)),
  handle(byBody.changeOne, (ctx, { body: { id, ...body } }) => change(ctx, id, body)),
  handle(byBody.discussOne, (ctx, { body: { id, ...body } }) => discuss(ctx, id, body)),
  handle(byBody.undoOne, (ctx, { body: { id, ...body } }) => stepped(ctx, id, 'undo', body)),
]
