/** People outside whom a questionnaire asks: its list, until it is closed. */
import type { Tx } from '#db/connect.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { asks } from '#kit/server/base/hears.ts'
import type { Language } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import { inviteJob } from '../inviting/invite.server.ts'
import { refusedAmong } from '../inviting/refusal.server.ts'
import { heldQuestionnaire, questionnaireScope } from '../planning/questionnaire.server.ts'
import { checkOutsiderList } from '../planning/questionnaire.rules.ts'
import { outsiderCalls, type OUTSIDER_STATES, type OutsiderRow } from './outsider.contract.ts'
import { checkOutsider } from './outsider.rules.ts'

export interface AskableOrganisation {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly contact: string | null
  readonly email: string
}
/** Organisations with an address that the reader may see: answered by the area that keeps them. */
export const organisationsToAsk = asks<[ctx: Ctx], readonly AskableOrganisation[]>(
  'questionnaire.organisations',
  () => [],
)

/** A questionnaire whose list may be changed now, held against closing. @throws {Refusal} 404, 409 */
export async function openListOf(ctx: Ctx, tx: Tx, id: number) {
  const held = await heldQuestionnaire(ctx, tx, id)
  const reasons = checkOutsiderList(held)
  if (reasons.length) throw new Refusal(409, reasons)
  return held
}

/** Puts rows on the list; who stands there already stays as he or she is. Where it is open, those who are new are written to. */
export async function addOutsiders(
  ctx: Ctx,
  tx: Tx,
  id: number,
  rows: readonly OutsiderRow[],
): Promise<{ added: number; known: number }> {
  const { status } = await openListOf(ctx, tx, id)
  const added = await sql<{ id: number }>`
    insert into questionnaire_outsiders (questionnaire_id, name, organisation, email, language)
    select ${id}, r.name, r.organisation, r.email, r.language
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (name text, organisation text, email text, language text)
    on conflict (questionnaire_id, email) do nothing returning id`.execute(tx)
  if (status === 'open' && added.rows.length) await ctx.services.jobs.send(tx, inviteJob, { id }, { actor: null })
  return { added: added.rows.length, known: rows.length - added.rows.length }
}

/** Somebody on the list of a questionnaire within reach, held. */
async function heldOutsider(ctx: Ctx, tx: Tx, id: number) {
  const { rows } = await sql<{
    questionnaire_id: number
  }>`select questionnaire_id from questionnaire_outsiders where id = ${id}`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  const questionnaire = await heldQuestionnaire(ctx, tx, rows[0].questionnaire_id)
  const { rows: held } = await sql<{ name: string; email: string; asked: boolean; answered: boolean }>`
    select o.name, o.email, i.outsider_id is not null as asked, i.answered_on is not null as answered
    from questionnaire_outsiders o left join questionnaire_invitations i on i.outsider_id = o.id where o.id = ${id} for update of o`.execute(
    tx,
  )
  const [found] = held
  if (!found) throw refuse(404, 'not_found')
  return { ...found, questionnaire }
}

export const outsiderHandlers: readonly Handled[] = [
  handle(outsiderCalls.list, async (ctx, { params, query }) => {
    const { rows } = await sql<{ open: boolean }>`select t.status <> 'closed' as open from questionnaires t
      where t.id = ${params.id} and t.removed_at is null and ${questionnaireScope(ctx, ['show_questionnaire'])}`.execute(
      ctx.db,
    )
    const [list] = rows
    if (!list) throw refuse(404, 'not_found')
    const people = await cutRows<{
      id: number
      name: string
      organisation: string | null
      email: string
      language: Language
      state: (typeof OUTSIDER_STATES)[number]
      sent_on: string | null
    }>(
      ctx.db,
      sql`select o.id, o.name, o.organisation, o.email, o.language, i.sent_on::text as sent_on,
          case when i.answered_on is not null then 'answered' when i.sent_on is not null then 'sent' else 'listed' end as state
        from questionnaire_outsiders o left join questionnaire_invitations i on i.outsider_id = o.id
        where o.questionnaire_id = ${params.id} order by i.answered_on is not null, o.organisation nulls last, o.name, o.id`,
      query.most,
    )
    const refused = await refusedAmong(
      ctx.services,
      ctx.db,
      people.data.map(({ email }) => email),
    )
    const data = people.data.map((one) =>
      one.state !== 'answered' && refused.has(one.email) ? { ...one, state: 'refused' as const } : one,
    )
    return { ...people, data, ...list }
  }),
  handle(outsiderCalls.add, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const first = new Map<string, number>()
      const reasons = body.rows.flatMap((row, i) => {
        const before = first.get(row.email) ?? null
        if (before === null) first.set(row.email, i + 1)
        return checkOutsider({ ...row, organisation: row.organisation ?? null }, before).map((reason) => ({
          ...reason,
          field: `rows.${i}.${reason.field}`,
        }))
      })
      if (reasons.length) throw new Refusal(422, reasons)
      return { data: await addOutsiders(ctx, tx, params.id, body.rows) }
    }),
  ),
  handle(outsiderCalls.change, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const held = await heldOutsider(ctx, tx, params.id)
      const reasons = [
        ...checkOutsiderList(held.questionnaire),
        ...(held.answered ? [{ code: 'questionnaire_outsider_answered', data: { name: held.name } }] : []),
      ]
      if (reasons.length) throw new Refusal(409, reasons)
      await sql`update questionnaire_outsiders set name = ${body.name}, organisation = ${body.organisation ?? null},
          email = ${body.email}, language = ${body.language} where id = ${params.id}`.execute(tx)
      // The link went to another address: it is dead, and another one is sent there.
      if (held.asked && held.email !== body.email) {
        await sql`delete from questionnaire_invitations where outsider_id = ${params.id} and answered_on is null`.execute(
          tx,
        )
        await ctx.services.jobs.send(tx, inviteJob, { id: held.questionnaire.id }, { actor: null })
      }
      return { id: params.id }
    }),
  ),
  handle(outsiderCalls.remove, (ctx, { params }) =>
    ctx.write(async (tx) => {
      await heldOutsider(ctx, tx, params.id)
      // Who was written to stays: the invitation refers to the row (questionnaire_outsider_asked).
      await sql`delete from questionnaire_outsiders where id = ${params.id}`.execute(tx)
      return { data: null }
    }),
  ),
  handle(outsiderCalls.organisations, async (ctx) => ({ data: [...(await organisationsToAsk(ctx))] })),
]
