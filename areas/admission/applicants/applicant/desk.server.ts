/** The desk: applications are looked at, commented, sent back, put on hold, moved and cancelled. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { actionsFrom, wayFrom } from '#kit/contract/workflow.ts'
import type { Workflow } from '#kit/contract/workflow.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { APPLICANT_STATUSES, WRITTEN_IN, type ApplicantStatus } from '../words.contract.ts'
import { applicantTypeOf } from '#areas/admission/admissions/words.contract.ts'
import { lookupLists } from '../apply/lookups.server.ts'
import { applicantDeskCalls as calls } from './desk.contract.ts'
import { applicants } from './applicant.server.ts'
import { applicantFlow } from './flow.contract.ts'
import { applicantWorkflow } from './flow.server.ts'

type Reviewed = ResponseOf<typeof calls.review>['data']
type Reported = ResponseOf<typeof calls.report>['data']
const named = (alias: string) =>
  sql.raw(
    `json_build_object('id', ${alias}.id, 'code', ${alias}.code, 'name', ${alias}.name, 'name_local', ${alias}.name_local)`,
  )

/** An applicant within reach, locked. @throws {Refusal} 404 */
async function lockApplicant(ctx: Ctx, tx: Tx, id: number, access: 'review_applicant' | 'edit_applicant') {
  await applicants.get(ctx, tx, id, access)
  const { rows } = await sql<{
    status: ApplicantStatus
    admission_id: number
    /** Where it stood before it was put on hold. */
    left: ApplicantStatus | null
  }>`select t.status, t.admission_id, (select h.from_state from step_history h where h.workflow = ${applicantFlow.name} and h.record_id = t.id
      and h.to_state = t.status order by h.id desc limit 1) as left
    from applicants t where t.id = ${id} for no key update of t`.execute(tx)
  return firstRow(rows)
}
/** States in which the desk still looks at an application. */
const LOOKED_AT: readonly ApplicantStatus[] = ['INCOMPLETE', 'SUBMITTED', 'FEEDBACK', 'UPDATED', 'REVIEWED', 'REJECTED']
function refuseLate(status: ApplicantStatus): void {
  if (LOOKED_AT.includes(status)) return
  const label = APPLICANT_STATUSES.find((one) => one.value === status)!.label
  throw refuse(409, 'applicant_late', { status: label[0], status_local: label[1] })
}

const review = handle(calls.review, async (ctx, { params: { id } }) => {
  await applicants.get(ctx, ctx.db, id, 'show_applicant')
  const { rows } = await sql<{
    files: { kind: Reviewed['files'][number]['kind']; file: { id: number; name: string; size: number } }[]
    comments: Reviewed['comments']
  }>`
    select coalesce((select json_agg(json_build_object('kind', ${named('k')}, 'file', json_build_object('id', f.id, 'name', f.name, 'size', f.size)) order by k.code)
        from applicant_documents d join document_kinds k on k.id = d.document_kind_id join files f on f.id = d.file_id where d.applicant_id = ${id}), '[]') as files,
      coalesce((select json_agg(json_build_object('id', c.id, 'tab', c.tab, 'text', c.text, 'at', c.created_at, 'settled', c.settled_at is not null,
          'by', case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end) order by c.id)
        from applicant_comments c left join users u on u.id = c.created_by where c.applicant_id = ${id}), '[]') as comments`.execute(
    ctx.db,
  )
  const { rows: alike } = await sql<
    Reviewed['alike'][number]
  >`select o.id, o.code, o.name, o.name_local, o.status, ${named('a')} as admission,
      case when o.national_id = t.national_id then 'national_id' when o.passport_number = t.passport_number then 'passport_number'
        when o.email = t.email then 'email' when o.phone = t.phone then 'phone' else 'name' end as by
    from applicants t join applicants o on o.id <> t.id and o.removed_at is null and (o.national_id = t.national_id or o.passport_number = t.passport_number
      or o.email = t.email or o.phone = t.phone or (o.birth_date = t.birth_date and fold_text(o.name_local) = fold_text(t.name_local)))
    join admissions a on a.id = o.admission_id where t.id = ${id}
      and o.id in (select t.id from applicants t where ${applicants.scope(ctx, 'show_applicant')}) order by o.id desc`.execute(
    ctx.db,
  )
  const { files, comments } = firstRow(rows)
  return {
    data: {
      files: files.map(({ kind, file }) => ({
        kind,
        file: { ...file, url: ctx.services.files.link(file, ctx.actor!) },
      })),
      comments,
      alike,
    },
  }
})

const comment = handle(calls.comment, (ctx, { params: { id }, body: { tab, text } }) =>
  ctx.write(async (tx) => {
    const { status } = await lockApplicant(ctx, tx, id, 'review_applicant')
    refuseLate(status)
    if (WRITTEN_IN.includes(status)) throw refuse(409, 'applicant_writes')
    const { rows } = await sql<{
      id: number
      at: string
    }>`insert into applicant_comments (applicant_id, tab, text, created_by)
      values (${id}, ${tab}, ${text}, ${ctx.actor?.user_id ?? null}) returning id, created_at as at`.execute(tx)
    return { data: { ...firstRow(rows), tab, text, settled: false } }
  }),
)

const removeComment = handle(calls.removeComment, (ctx, { params }) =>
  ctx.write(async (tx) => {
    const { status } = await lockApplicant(ctx, tx, params.id, 'review_applicant')
    // What was sent was read: it stays.
    if (WRITTEN_IN.includes(status)) throw refuse(409, 'applicant_writes')
    const { rows } =
      await sql`delete from applicant_comments where id = ${params.comment} and applicant_id = ${params.id}
      and settled_at is null returning id`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: null }
  }),
)

const changeStatus = handle(calls.changeStatus, async (ctx, { body: { ids, status, reason } }) => {
  const { rows } = await sql<{ id: number; status: ApplicantStatus; left: string | null }>`select t.id, t.status,
      (select h.from_state from step_history h where h.workflow = ${applicantFlow.name} and h.record_id = t.id order by h.id desc limit 1) as left
    from applicants t where t.id = any(${ids}::int[]) and t.removed_at is null
      and ${applicants.scope(ctx, ['review_applicant', 'cancel_applicant'])}`.execute(ctx.db)
  const at = new Map(rows.map((row) => [row.id, row]))
  const done: number[] = []
  const failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] = []
  const flow = applicantFlow as unknown as Workflow<string, ApplicantStatus>
  // Each goes by the step that leads there from where it stands; where none does, that is said.
  const byAction = new Map<string, number[]>()
  for (const one of new Set(ids)) {
    const found = at.get(one)
    const action =
      found &&
      actionsFrom(flow, found.status).find((name) => wayFrom(flow, found.status, name, found.left)?.to === status)
    if (action) byAction.set(action, [...(byAction.get(action) ?? []), one])
    else
      failed.push({
        id: one,
        errors: [
          toProblem(
            found
              ? {
                  code: 'applicant_no_way',
                  data: { status: labelOf(found.status)[0], status_local: labelOf(found.status)[1] },
                }
              : { code: 'not_found' },
          ),
        ],
      })
  }
  for (const [action, list] of byAction) {
    const result = await applicantWorkflow.takeEach(ctx, list, action as 'review', { reason })
    done.push(...result.done)
    failed.push(...result.failed)
  }
  return { data: { done, failed } }
})
const labelOf = (status: ApplicantStatus) => APPLICANT_STATUSES.find((one) => one.value === status)!.label

const changeType = handle(calls.changeType, (ctx, { params: { id }, body: { admission_id } }) =>
  ctx.write(async (tx) => {
    const { status, admission_id: from, left } = await lockApplicant(ctx, tx, id, 'review_applicant')
    refuseLate(status)
    // Off hold it goes on where it stood: what it passed here, it did not pass there.
    if (status === 'REJECTED' && left) refuseLate(left)
    const { rows } = await sql<{ type: number }>`select a.applicant_type as type from admissions a
      where a.id = ${admission_id} and a.removed_at is null and a.id <> ${from} for share`.execute(tx)
    if (!rows[0]) throw refuse(422, 'not_found', {}, 'admission_id')
    const { rows: twice } =
      await sql`select from applicants o join applicants t on t.id = ${id} where o.admission_id = ${admission_id}
      and o.email = t.email and o.id <> t.id and o.removed_at is null and o.status <> 'CANCELLED'`.execute(tx)
    if (twice.length) throw new Refusal(409, [{ field: 'admission_id', code: 'applicant_there_already' }])
    const { rows: dropped } = await sql<{ id: number; code: string | null; name: string; name_local: string }>`
      with gone as (delete from applicant_preferences w where w.applicant_id = ${id} and not exists (select from admission_programs x
          where x.admission_id = ${admission_id} and x.program_id = w.program_id and x.removed_at is null and x.is_open) returning w.program_id)
      select p.id, p.code, p.name, p.name_local from gone g join programs p on p.id = g.program_id order by p.code`.execute(
      tx,
    )
    await sql`update applicant_preferences w set position = n.place from (select id, row_number() over (order by position) - 1 as place
      from applicant_preferences where applicant_id = ${id}) n where n.id = w.id and w.position <> n.place`.execute(tx)
    // Other sentences are declared there.
    await sql`update applicants set admission_id = ${admission_id}, declared = null, declared_at = null where id = ${id}`.execute(
      tx,
    )
    return { data: { id, type: applicantTypeOf(firstRow(rows).type), dropped } }
  }),
)

const removeSubject = handle(calls.removeSubject, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      applicant_id: number
    }>`select applicant_id from applicant_subjects where id = ${id}`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    const { applicant_id } = rows[0]
    await lockApplicant(ctx, tx, applicant_id, 'edit_applicant')
    const [stored] = await applicants.stored(tx, [applicant_id])
    const subjects = ((stored?.subjects ?? []) as { id: number }[]).filter((one) => one.id !== id)
    await applicants.update(ctx, tx, applicant_id, { subjects })
    return { data: null }
  }),
)

const lookups = handle(calls.lookups, async (ctx, { params: { id } }) => {
  await applicants.get(ctx, ctx.db, id, 'show_applicant')
  const { rows } = await sql<{
    programs: unknown[]
  }>`select coalesce(json_agg(${named('p')} order by p.name), '[]') as programs
    from applicants t join admission_programs x on x.admission_id = t.admission_id and x.removed_at is null and x.is_open
    join programs p on p.id = x.program_id where t.id = ${id}`.execute(ctx.db)
  return { data: { ...(await lookupLists(ctx)), programs: firstRow(rows).programs } }
})

const report = handle(calls.report, async (ctx, { body: { admission_id } }) => {
  const { rows } = await sql<{ total: number; by_status: Reported['by_status']; by_program: Reported['by_program'] }>`
    with mine as materialized (select t.id, t.status, t.percentage from applicants t where t.admission_id = ${admission_id} and t.removed_at is null
        and ${applicants.scope(ctx, 'access_applicant')}),
      wishes as (select w.program_id, w.position, m.percentage from mine m join applicant_preferences w on w.applicant_id = m.id where m.status <> 'CANCELLED')
    select (select count(*)::int from mine) as total,
      coalesce((select json_agg(s order by s.count desc) from (select status, count(*)::int as count from mine group by status) s), '[]') as by_status,
      coalesce((select json_agg(p order by p.first desc, p.all desc) from (
        select ${named('p')} as program, x.capacity, count(*) filter (where w.position = 0)::int as first, count(w.program_id)::int as all,
          max(w.percentage)::text as best, (percentile_disc(0.5) within group (order by w.percentage))::text as middle
        from admission_programs x join programs p on p.id = x.program_id left join wishes w on w.program_id = x.program_id
        where x.admission_id = ${admission_id} and x.removed_at is null group by p.id, x.id) p), '[]') as by_program`.execute(
    ctx.db,
  )
  return { data: firstRow(rows) }
})

export const applicantDeskHandlers: readonly Handled[] = [
  ...applicantWorkflow.handlers,
  review,
  comment,
  removeComment,
  changeStatus,
  changeType,
  removeSubject,
  lookups,
  report,
]
