/** Requests for services: asked for, passed along a chain of offices, answered. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ASKER_ACCOUNT, ASKERS, reachedAsker, type Asker } from '#areas/money/ledger/askers.server.ts'
import { workerReach } from '#areas/money/ledger/others.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { stateData } from '#kit/contract/workflow.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { askFee, takeBackFee } from '#kit/server/workflow/fees.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import { sql } from 'kysely'
import type { ServiceField } from '../kinds/kind.contract.ts'
import { serviceAskerOf, serviceKindOf } from '../kinds/kind.server.ts'
import { holdServiceAsker, SERVICE_ASKS, serviceAskerFor } from './asker.server.ts'
import { judgeAnswerFile, judgeAnswers, keepFiles } from './answers.server.ts'
import { endTurn, keepOffices, serviceFacts, serviceWaits, startClock, stopClock } from './chain.server.ts'
import { service, serviceCalls, serviceFlow } from './service.contract.ts'
import { checkServiceOffered, type ServiceAnswers } from './service.rules.ts'
import { showService } from './show.server.ts'

/** What is asked besides what a list knows; a request that is made without has no answers. */
const asking = new AsyncLocalStorage<{ readonly answers: ServiceAnswers; readonly key: string }>()

const askerIn = ({ student_id, staff_id }: Values): Asker => ({
  student_id: student_id == null ? null : Number(student_id),
  staff_id: staff_id == null ? null : Number(staff_id),
})

/** Judges what is asked for, by the kind as it stands now. */
async function judge(ctx: Ctx, tx: Tx, merged: Values): Promise<Values> {
  const asker = askerIn(merged)
  await holdServiceAsker(ctx, tx, asker)
  const kind = await serviceKindOf(tx, Number(merged.kind_id))
  if (!kind) throw refuse(422, 'reference_missing', undefined, 'kind_id')
  const reasons = checkServiceOffered(kind, await serviceAskerOf(tx, asker, kind.id))
  if (reasons.length) throw new Refusal(409, reasons)
  const { answers = {}, key = null } = asking.getStore() ?? {}
  const kept = await judgeAnswers(ctx, tx, kind.fields, answers, null)
  return {
    fields: JSON.stringify(kind.fields),
    answers: JSON.stringify(kept),
    prepaid: kind.prepaid,
    alone: kind.one_at_a_time,
    client_key: key,
  }
}

interface Priced {
  code: string
  name: string
  name_local: string
  price_local: number
  price_usd: number
  prepaid: boolean
  begun: boolean
  status: string
  student_id: number | null
  staff_id: number | null
  user_id: number | null
}
async function pricedOf(tx: Tx, id: number): Promise<Priced> {
  const { rows } =
    await sql<Priced>`select y.code, y.name, y.name_local, y.price_local::float8 as price_local, y.price_usd::float8 as price_usd, t.prepaid, t.status, t.student_id,
      t.staff_id, ${ASKER_ACCOUNT} as user_id, exists (select from step_history h where h.workflow = ${serviceFlow.name} and h.record_id = t.id) as begun
    from services t join service_kinds y on y.id = t.kind_id ${ASKERS} where t.id = ${id}`.execute(tx)
  return firstRow(rows)
}
const priceIn = ({ code, name, name_local, price_local, price_usd }: Priced) =>
  price_local === 0 && price_usd === 0
    ? null
    : { code, type: 'services' as const, name: [name, name_local] as const, local: price_local, usd: price_usd }

/** What is paid before work begins is waited for; what is paid later is charged beside, and so is what somebody demands later. */
async function price(_ctx: Ctx, tx: Tx, id: number) {
  const row = await pricedOf(tx, id)
  return row.prepaid || row.begun ? priceIn(row) : null
}

/** What is paid later is charged at once, and the first office begins. */
async function begun(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const row = await pricedOf(tx, id)
  if (row.status !== 'fee_due') await startClock(tx, id)
  const due = row.prepaid ? null : priceIn(row)
  if (!due) return
  await askFee(ctx, tx, {
    workflow: serviceFlow.name,
    id,
    ...(row.student_id === null ? { staff_id: row.staff_id ?? 0 } : { student_id: row.student_id }),
    fee: due.code,
    price: due,
    type: due.type,
    what: due.name,
    area: 'services',
    user_id: row.user_id,
  })
}

/** The chain and the files of a new request. */
async function written(_ctx: Ctx, tx: Tx, id: number): Promise<void> {
  await keepOffices(tx, id)
  const { rows } = await sql<{ fields: ServiceField[]; answers: ServiceAnswers }>`
    select fields, answers from services where id = ${id}`.execute(tx)
  const { fields, answers } = firstRow(rows)
  await keepFiles(tx, id, fields, answers)
}

/** Who asked hears which office has it. */
async function tellMoved(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{
    user_id: number | null
    student_id: number | null
    what: string
    what_local: string
    office: string
    office_local: string
  }>`select ${ASKER_ACCOUNT} as user_id, s.id as student_id, y.name as what, y.name_local as what_local, g.name as office, g.name_local as office_local
    from services t ${ASKERS} join service_kinds y on y.id = t.kind_id
      join service_steps g on g.service_id = t.id and g.position = t.step where t.id = ${id}`.execute(tx)
  const { user_id, student_id, ...data } = firstRow(rows)
  await notify(tx, [user_id], {
    key: 'services.notice_moved',
    data,
    link: `/services/${id}`,
    ...(student_id !== null && { records: [student_id] }),
  })
}

const KIND_OF = (column: 'name' | 'name_local') => `(select y.${column} from service_kinds y where y.id = t.kind_id)`
const served = serveRequest(service, {
  others: (ctx) => workerReach(ctx, 't'),
  before: judge,
  written,
  begun,
  price,
  waits: serviceWaits,
  holders: sql`select h.id, h.name, h.name_local, h.role, h.role_local from service_holders(t.id) h`,
  told: { what: [KIND_OF('name'), KIND_OF('name_local')], link: (id) => `/services/${id}` },
  facts: (ctx, tx, ids) => serviceFacts(ctx, tx, ids),
  effect: async (ctx, tx, moved) => {
    for (const { id, action, reason } of moved) {
      if (action === 'forward') {
        await endTurn(ctx, tx, id, true)
        await tellMoved(tx, id)
      } else if (action === 'finish') {
        await sql`update services set answer = coalesce(answer, ${reason}) where id = ${id}`.execute(tx)
        await endTurn(ctx, tx, id, false)
      } else if (action === 'resend' || action === 'waive_fee') await startClock(tx, id)
      else if (action !== 'take_up') await stopClock(tx, id)
      if (action === 'reject')
        await takeBackFee(ctx, tx, { workflow: serviceFlow.name, id }, reason ?? serviceFlow.actions.reject.label[0])
    }
  },
})
export const serviceWork = served.work

interface Locked {
  version: number
  status: string
  fields: ServiceField[]
}
/** A request within reach, locked. @throws {Refusal} 404; 409 when another version was seen */
async function lock(
  ctx: Ctx,
  tx: Tx,
  id: number,
  keys: readonly PermissionKey[],
  seen: number | undefined,
): Promise<Locked> {
  const { rows } = await sql<Locked>`select t.version, t.status, t.fields
    from services t ${ASKERS}
    where t.id = ${id} and t.removed_at is null and ${reachedAsker(ctx, keys)} for update of t`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (seen !== undefined && seen !== row.version) throw refuse(409, 'changed_meanwhile', { version: row.version })
  return row
}
/** A request as it stands, with the version it has now. */
async function standing(tx: Tx, id: number) {
  const { rows } = await sql<{ id: number; version: number; status: string }>`
    select id, version, status from services where id = ${id}`.execute(tx)
  return { data: firstRow(rows) }
}
/** The version when a call arrives, before whoever acts meanwhile is waited for: of two at one moment one wins. */
const arrived = async (ctx: Ctx, id: number): Promise<number | undefined> =>
  (await sql<{ version: number }>`select version from services where id = ${id}`.execute(ctx.db)).rows[0]?.version

/** One request for what is filled in once: sent again, it is the one that is there. */
const ask = (
  ctx: Ctx,
  {
    student_id,
    staff_id,
    kind_id,
    why,
    ...more
  }: Asker & { kind_id: number; why: string | null; answers: ServiceAnswers; key: string },
) =>
  ctx.write(async (tx) => {
    await holdServiceAsker(ctx, tx, { student_id, staff_id })
    const { rows } = await sql<{
      id: number
    }>`select id from services where (student_id = ${student_id} or staff_id = ${staff_id})
      and client_key = ${more.key}`.execute(tx)
    if (rows[0]) return standing(tx, rows[0].id)
    const create = served.at(resourceCalls(service).create, 'create')
    const answer = (await asking.run(more, () =>
      create.handler(ctx, { params: {}, query: {}, body: { student_id, staff_id, kind_id, why }, file: null } as never),
    )) as { data: { id: number } }
    return standing(tx, answer.data.id)
  })

/** States in which who asked corrects it: nobody has begun, or an office asked back. */
const OPEN: readonly string[] = ['fee_due', 'New', 'asked_back']
const change = (
  ctx: Ctx,
  id: number,
  given: { answers: ServiceAnswers; why: string | null; resend: boolean; version: number | undefined },
) =>
  ctx.write(async (tx) => {
    const { status, fields } = await lock(ctx, tx, id, SERVICE_ASKS, given.version)
    if (!OPEN.includes(status)) throw refuse(409, 'step_state', { status, ...stateData(serviceFlow, status) })
    const answers = await judgeAnswers(ctx, tx, fields, given.answers, id)
    await keepFiles(tx, id, fields, answers)
    await sql`update services set answers = ${JSON.stringify(answers)}::jsonb, why = ${given.why} where id = ${id}`.execute(
      tx,
    )
    if (given.resend && status === 'asked_back') await served.flow.take(ctx, id, 'resend')
    return standing(tx, id)
  })

interface StatusAsked {
  readonly status: 'New' | 'in review' | 'asked_back' | 'done' | 'Rejected' | 'cancelled'
  readonly note?: string | null | undefined
  readonly file_id?: number | null | undefined
  readonly stay?: boolean | undefined
  readonly reason?: string | undefined
  readonly version?: number | undefined
}
const ACTION = {
  New: 'waive_fee',
  asked_back: 'ask_back',
  done: 'finish',
  Rejected: 'reject',
  cancelled: 'cancel',
} as const
const actionTo = (asked: StatusAsked, from: string): keyof typeof serviceFlow.actions => {
  if (asked.status !== 'in review') return ACTION[asked.status]
  if (from === 'asked_back') return 'resend'
  return asked.stay ? 'take_up' : 'forward'
}
const SEES = ['decide_service', 'manage_service', ...SERVICE_ASKS] as const
/** Takes a request to another status by the steps of its workflow, with what the office says of its part. */
async function updateStatus(ctx: Ctx, id: number, asked: StatusAsked) {
  const seen = asked.version ?? (await arrived(ctx, id))
  return ctx.write(async (tx) => {
    const { status } = await lock(ctx, tx, id, SEES, seen)
    const action = actionTo(asked, status)
    const note = asked.note?.trim() || null
    if (action === 'forward' && note)
      await sql`update service_steps g set note = ${note} from services t where t.id = ${id} and g.service_id = t.id
        and g.position = t.step`.execute(tx)
    if (action === 'finish') {
      if (asked.file_id != null) await judgeAnswerFile(ctx, tx, asked.file_id)
      await sql`update services set answer = ${note}, answer_file_id = ${asked.file_id ?? null}::int where id = ${id}`.execute(
        tx,
      )
    }
    const reason = action === 'finish' ? (note ?? asked.reason) : action === 'forward' ? undefined : asked.reason
    await served.flow.take(ctx, id, action, { reason })
    return standing(tx, id)
  })
}

export const serviceHandlers: readonly Handled[] = [
  ...served.handlers,
  served.at(serviceCalls.list, 'list'),
  handle(serviceCalls.ask, (ctx, { body: { student_id, staff_id, why, ...more } }) =>
    ask(ctx, { ...more, ...serviceAskerFor(ctx, { student_id, staff_id }), why: why?.trim() || null }),
  ),
  handle(serviceCalls.show, async (ctx, { params }) => ({ data: await showService(ctx, ctx.db, params.id) })),
  handle(serviceCalls.change, (ctx, { params, body: { why, resend, version, answers } }) =>
    change(ctx, params.id, { answers, why: why?.trim() || null, resend: resend ?? false, version }),
  ),
  handle(serviceCalls.withdraw, (ctx, { params }) =>
    ctx.write(async (tx) => {
      await served.flow.take(ctx, params.id, 'cancel')
      return standing(tx, params.id)
    }),
  ),
  handle(serviceCalls.updateStatus, (ctx, { params, body }) => updateStatus(ctx, params.id, body)),
]
