/** Sponsorships: added singly, for many and by sheet; begun, withdrawn. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { refuseOwn } from '#areas/money/ledger/own.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { beginSponsorships } from './begin.server.ts'
import { sponsorship, sponsorshipCalls as calls, type SPONSORSHIP_STATES } from './sponsorship.contract.ts'
import { previewWithdrawal, withdraw } from './withdraw.server.ts'

const part = (ctx: Ctx, kind: 'faculty' | 'department' | 'bylaw' | 'program') => (ids: readonly number[]) =>
  sql`exists (select from students s where s.id = t.student_id and ${studentReach(ctx, 's')[kind]} = any(${[...ids]}::int[]))`

type State = (typeof SPONSORSHIP_STATES)[number]['value']
const offered = (row: { readonly status: State | null }) => row.status === 'offered' || 'sponsorship_runs'

export const sponsorships = workings(sponsorship, {
  scope: {
    faculty: (ctx) => part(ctx, 'faculty'),
    department: (ctx) => part(ctx, 'department'),
    bylaw: (ctx) => part(ctx, 'bylaw'),
    program: (ctx) => part(ctx, 'program'),
  },
  search: [
    't.search_text',
    '(select s.search_text from students s where s.id = t.student_id)',
    '(select o.search_text from sponsors o where o.id = t.sponsor_id)',
  ],
  lookups: ['sponsor_id'],
  abilities: { edit: offered, remove: offered },
  async beforeWrite(ctx, tx, merged, current) {
    const reasons: Reason[] = []
    if ((merged.percent == null) === (merged.amount == null))
      reasons.push({ field: 'percent', code: 'sponsorship_one_of' })
    const { sponsor_id, student_id } = merged
    // A cell of a sheet may say something else: it is told by itself.
    if (typeof sponsor_id === 'number' && typeof student_id === 'number') {
      const { rows } = await sql<{ active: boolean; studying: boolean }>`
        select o.is_active as active, s.status = 'studying' as studying from sponsors o, students s
        where o.id = ${sponsor_id} and s.id = ${student_id}`.execute(tx)
      if (!current && rows[0]) {
        if (!rows[0].active) reasons.push({ field: 'sponsor_id', code: 'sponsor_not_active' })
        if (!rows[0].studying) reasons.push({ field: 'student_id', code: 'sponsorship_not_studying' })
      }
      await refuseOwn(ctx, tx, sql`select id from payers where student_id = ${student_id}`)
    }
    if (reasons.length) throw new Refusal(422, reasons)
  },
  async beforeRemove(_ctx, tx, id) {
    const { rows } = await sql<{
      status: State
    }>`select status from sponsorships where id = ${id} for no key update`.execute(tx)
    if (rows[0] && rows[0].status !== 'offered') throw refuse(409, 'sponsorship_runs')
  },
})

const reached = (ctx: Ctx, key: PermissionKey, alias = 's') => scopeCondition(ctx, key, studentReach(ctx, alias))

/** Students of a list of ids and codes, as far as a right reaches; codes that nobody has are told all together. */
async function chosenStudents(
  ctx: Ctx,
  tx: Db | Tx,
  ids: readonly number[],
  codes: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number; code: string }>`
    select s.id, s.code from students s where s.removed_at is null and (s.id = any(${[...ids]}::int[]) or s.code = any(${[...codes]}::text[]))
      and ${reached(ctx, 'add_sponsorship')} order by s.id`.execute(tx)
  const known = new Set(rows.flatMap((row) => [String(row.id), `c${row.code}`]))
  const missing = [...codes.filter((code) => !known.has(`c${code}`)), ...ids.filter((id) => !known.has(String(id)))]
  if (missing.length)
    throw refuse(422, 'sponsorship_students_unknown', { codes: missing.slice(0, 20).join(', ') }, 'codes')
  if (!rows.length) throw refuse(422, 'required', {}, 'codes')
  return rows.map((row) => row.id)
}

/** What a caller meant by ids of sponsorships: those within reach, all of them or none. */
async function requireReached(ctx: Ctx, tx: Tx, ids: readonly number[], key: PermissionKey): Promise<void> {
  const { rows } = await sql<{ id: number }>`select t.id from sponsorships t join students s on s.id = t.student_id
    where t.id = any(${[...ids]}::int[]) and t.removed_at is null and ${reached(ctx, key)}`.execute(tx)
  if (rows.length !== new Set(ids).size) throw refuse(404, 'not_found')
  await refuseOwn(
    ctx,
    tx,
    sql`select p.id from payers p join sponsorships t on t.student_id = p.student_id where t.id = any(${[...ids]}::int[])`,
  )
}

export const sponsorshipHandlers: readonly Handled[] = [
  ...sponsorships.handlers,
  handle(calls.addMany, (ctx, { body: { student_ids = [], codes = [], begin, ...terms } }) =>
    ctx.write(
      async (tx) => {
        if (begin && !ctx.can('begin_sponsorship')) throw refuse(403, 'not_allowed')
        const students = await chosenStudents(
          ctx,
          tx,
          student_ids,
          codes.map((code) => code.trim()),
        )
        const ids: number[] = []
        for (const student_id of students) ids.push(await sponsorships.insert(ctx, tx, { ...terms, student_id }))
        if (begin) {
          await requireReached(ctx, tx, ids, 'begin_sponsorship')
          await beginSponsorships(ctx, tx, ids)
        }
        return { data: { added: ids.length, begun: begin } }
      },
      { patience: 60_000 },
    ),
  ),
  handle(calls.begin, (ctx, { body: { ids } }) =>
    ctx.write(
      async (tx) => {
        await requireReached(ctx, tx, ids, 'begin_sponsorship')
        await beginSponsorships(ctx, tx, ids)
        return { data: { begun: new Set(ids).size } }
      },
      { patience: 60_000 },
    ),
  ),
  handle(calls.withdraw, async (ctx, { params: { id }, body: { preview, ids, reason, day, due_on } }) => {
    const { rows } = await sql`select from sponsors where id = ${id} and removed_at is null`.execute(ctx.db)
    if (!rows.length) throw refuse(404, 'not_found')
    const which = sql`(${ids ? null : 1}::int is not null or s.id = any(${ids ?? []}::int[]))
      and s.student_id in (select x.id from students x where ${reached(ctx, 'withdraw_sponsor', 'x')})`
    const asked = { sponsor_id: id, which, day, due_on }
    if (preview) return { data: await previewWithdrawal(ctx.db, asked) }
    return ctx.write(
      async (tx) => {
        if (ids) await requireReached(ctx, tx, ids, 'withdraw_sponsor')
        return { data: await withdraw(ctx, tx, { ...asked, reason }) }
      },
      { reason, patience: 60_000 },
    )
  }),
  handle(calls.ofStudent, async (ctx, { params }) => {
    const { rows: student } =
      await sql`select from students s where s.id = ${params.id} and ${reached(ctx, 'access_sponsorship')}`.execute(
        ctx.db,
      )
    if (!student.length) throw refuse(404, 'not_found')
    const { rows } = await sql<{
      id: number
      sponsor: { id: number; code: string; name: string; name_local: string }
      from_term: { id: number; name: string; name_local: string }
      until_term: { id: number; name: string; name_local: string } | null
      percent: string | null
      amount: number | null
      currency: string
      reference: string | null
      status: State
      taken: number
    }>`
      select t.id, json_build_object('id', o.id, 'code', o.code, 'name', o.name, 'name_local', o.name_local) as sponsor,
        json_build_object('id', b.id, 'name', b.name, 'name_local', b.name_local) as from_term,
        case when e.id is not null then json_build_object('id', e.id, 'name', e.name, 'name_local', e.name_local) end as until_term,
        trim_scale(t.percent)::text as percent, t.amount::float8 as amount, o.currency, t.reference, t.status,
        (select coalesce(sum(h.amount), 0)::float8 from sponsor_shares h join invoices i on i.id = h.invoice_id and i.reversed_at is null
          where h.sponsorship_id = t.id) as taken
      from sponsorships t join sponsors o on o.id = t.sponsor_id join terms b on b.id = t.from_term_id left join terms e on e.id = t.until_term_id
      where t.student_id = ${params.id} and t.removed_at is null order by t.id desc`.execute(ctx.db)
    return { data: rows }
  }),
]
