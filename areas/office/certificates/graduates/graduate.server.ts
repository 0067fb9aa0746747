/** Requests without an account at the office: whose it is, and what it becomes. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Tx } from '#db/connect.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { certificateRequests } from '../requests/certificate.server.ts'
import {
  graduateDeskCalls,
  graduateFlow,
  graduateRequest,
  graduateSteps,
  type GraduateFound,
} from './graduate.contract.ts'
import type { GraduateFacts } from './graduate.rules.ts'
import { mailGraduateNews } from './mail.server.ts'

/** A request lies where its record does; one without a record is the whole university’s. */
const of = (column: string) => () =>
  sql`(select ${sql.raw(column)} from students s left join programs pr on pr.id = s.program_id where s.id = t.student_id)`
const SCOPE = {
  faculty: of('s.faculty_id'),
  department: of('pr.department_id'),
  bylaw: of('s.bylaw_id'),
  program: of('s.program_id'),
} as const
const parts = (): ScopeParts => ({
  faculty: SCOPE.faculty(),
  department: SCOPE.department(),
  bylaw: SCOPE.bylaw(),
  program: SCOPE.program(),
})

/** SQL: the verified address of the request `t` is that of the record `s`. */
const PROVEN = sql`coalesce(lower(s.email) = t.email, false)`

async function factsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, GraduateFacts>> {
  const { rows } = await sql<GraduateFacts & { id: number }>`
    select t.id, s.status as record, ${PROVEN} as proven, t.proof_file_id is not null as proof
    from graduate_requests t left join students s on s.id = t.student_id and s.removed_at is null
    where t.id = any(${[...ids]}::int[])`.execute(tx)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** It becomes a certificate, judged as every other: by the program, so that who confirmed may prepare it. */
async function becomeCertificate(ctx: Ctx, tx: Tx, id: number): Promise<number> {
  const { rows } = await sql<{ code: string; asked: Record<string, unknown> }>`
    select t.code, json_build_object('student_id', t.student_id, 'type_id', t.type_id, 'lang', t.lang, 'copies', t.copies, 'speed', t.speed,
      'delivery', t.delivery, 'address', t.address, 'why', t.why) as asked
    from graduate_requests t where t.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  return certificateRequests.insert(asSystem(ctx.services, `Request ${row.code}`, ctx.lang), tx, row.asked)
}

export const graduateWorkflow = serveWorkflow(graduateFlow, graduateSteps, {
  table: 'graduate_requests',
  scope: parts,
  nameOf: 't.code',
  own: (people) => sql`exists (select from students s where s.id = t.student_id and s.user_id = any(${people}))`,
  tells: {
    users: `'{}'::int[]`,
    waiting: {
      data: `json_build_object('what', '${graduateRequest.many[0]}', 'what_local', '${graduateRequest.many[1]}', 'area', 'certificates')`,
      link: graduateRequest.path,
    },
  },
  facts: (_ctx, tx, ids) => factsOf(tx, ids),
  state: {
    read: 't.status',
    write: async (ctx, tx, moved) => {
      for (const { id, to } of moved) {
        const certificate = to === 'identified' ? await becomeCertificate(ctx, tx, id) : null
        await sql`update graduate_requests set status = ${to}, certificate_id = ${certificate}::int where id = ${id}`.execute(
          tx,
        )
      }
    },
  },
  effect: async (ctx, tx, moved) => {
    // Whoever acts for the own request knows it: only what the office does is told.
    if (ctx.system !== null) return
    for (const { id, action, reason } of moved) await mailGraduateNews(ctx, tx, id, action, reason)
  },
})

export const graduateRequests = workings(graduateRequest, {
  scope: SCOPE,
  flow: graduateWorkflow,
  abilities: { edit: (row) => row.status === 'to_check' },
  async beforeWrite(ctx, tx, merged, current) {
    if (merged.student_id === current?.student_id || merged.student_id === null) return {}
    const { rows } = await sql<{ graduated: boolean; own: boolean }>`select s.status = 'graduated' as graduated,
        coalesce(s.user_id = any(${[...peopleOf(ctx)]}::int[]), false) as own
      from students s where s.id = ${merged.student_id} and s.removed_at is null
        and ${scopeCondition(ctx, 'edit_certificate', studentReach(ctx, 's'))}`.execute(tx)
    const [record] = rows
    if (!record) throw refuse(422, 'reference_missing', undefined, 'student_id')
    if (record.own) throw refuse(403, 'step_own')
    if (!record.graduated) throw new Refusal(422, [{ field: 'student_id', code: 'graduate_not_graduated' }])
    return {}
  },
})

interface Row {
  record: GraduateFound['record']
  identity: boolean
  birth_date: boolean
  email: boolean
  name: boolean
  graduated: boolean
  proof: { id: number; name: string; size: number } | null
  certificate: GraduateFound['certificate']
}
/** What was given beside the record: what agrees and what does not, and not what stands there. */
async function review(ctx: Ctx, id: number): Promise<GraduateFound> {
  const { rows } = await sql<Row>`
    select case when s.id is not null then (select to_json(x) from (select s.id, s.code, s.name, s.name_local, s.status,
          (select ${ref('p')} from programs p where p.id = s.program_id) as program, (select ${ref('f')} from faculties f where f.id = s.faculty_id) as faculty) x)
        end as record,
      coalesce(case t.identity_kind when 'code' then upper(s.code) when 'national_id' then s.national_id else upper(s.passport_number) end = t.identity, false)
        as identity,
      coalesce(s.birth_date = t.birth_date, false) as birth_date, ${PROVEN} as email,
      coalesce(fold_text(t.name) in (fold_text(s.name), fold_text(s.name_local)), false) as name, coalesce(s.status = 'graduated', false) as graduated,
      (select json_build_object('id', f.id, 'name', f.name, 'size', f.size) from files f where f.id = t.proof_file_id) as proof,
      (select json_build_object('id', c.id, 'status', c.status) from certificates c where c.id = t.certificate_id) as certificate
    from graduate_requests t left join students s on s.id = t.student_id and s.removed_at is null
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'edit_certificate', parts())}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  return {
    record: row.record,
    agrees: row.record
      ? (['identity', 'birth_date', 'name', 'email', 'graduated'] as const).map((what) => ({ what, same: row[what] }))
      : [],
    proof: row.proof && { ...row.proof, url: ctx.services.files.link(row.proof, ctx.actor!) },
    certificate: row.certificate,
  }
}

const words = `'what', '${graduateRequest.many[0]}', 'what_local', '${graduateRequest.many[1]}', 'area', 'certificates'`
/** What waits at the office for whoever looks at identities. */
export const graduateWork: WorkSource = {
  permissions: ['edit_certificate'],
  waiting: (
    ctx,
  ) => sql`select 'kit.work_requests', jsonb_build_object('count', count(*), ${sql.raw(words)}), ${graduateRequest.path}::text,
      min(t.created_at), null::timestamptz
    from graduate_requests t where ${graduateWorkflow.waiting(ctx)} having count(*) > 0`,
}

export const graduateHandlers: readonly Handled[] = [
  ...graduateRequests.handlers,
  ...graduateWorkflow.handlers,
  handle(graduateDeskCalls.review, async (ctx, { params }) => ({ data: await review(ctx, params.id) })),
]
