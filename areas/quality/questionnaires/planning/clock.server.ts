/** What time does to questionnaires: they close, are counted, and remind. */
import { dayOf } from '#kit/contract/day.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { sql } from 'kysely'
import { countQuestionnaire } from '../counting/count.server.ts'
import { inviteLinked, remindLinked } from '../inviting/invite.server.ts'
import { REFUSALS, keyRefusals } from '../inviting/refusal.server.ts'
import { isReminderDay } from './questionnaire.rules.ts'

export const questionnaireClock = defineJob<Record<string, never>, { closed: number; reminded: number }>({
  name: 'questionnaires-clock',
  cron: '20 * * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Days of questionnaires')
    // From before there was a key: before anybody is written to.
    const seal = await sealOf(services, REFUSALS)
    await ctx.write((tx) => keyRefusals(tx, seal))
    const { rows: over } = await ctx.write((tx) =>
      sql<{ id: number }>`update questionnaires set status = 'closed'
        where status in ('open', 'paused') and removed_at is null and closes_on < university_today() returning id`.execute(
        tx,
      ),
    )
    // Also those whose counting was broken off.
    const { rows: uncounted } = await sql<{
      id: number
    }>`select id from questionnaires where status = 'closed' and counted_on is null order by id`.execute(ctx.db)
    for (const { id } of uncounted) await countQuestionnaire(ctx, id)
    // Who has graduated since, was put on the list, or has an address now.
    const { rows: linked } = await sql<{ id: number }>`select q.id from questionnaires q
      join questionnaire_types y on y.id = q.type_id and y.kind in ('graduate', 'outsider') where q.status = 'open' and q.removed_at is null order by q.id`.execute(
      ctx.db,
    )
    for (const { id } of linked) await inviteLinked(ctx, id)
    const { rows: open } = await sql<{
      id: number
      remind_days: number | null
      closes_on: string
      reminded_on: string | null
    }>`
      select id, remind_days::int as remind_days, closes_on, reminded_on from questionnaires
      where status = 'open' and removed_at is null and remind_days is not null and university_today() between opens_on and closes_on order by id`.execute(
      ctx.db,
    )
    let reminded = 0
    for (const one of open) if (isReminderDay(one, dayOf())) reminded += await remind(one.id)
    return { closed: over.length, reminded }

    /** Tells those who have not answered, once on that day, whichever process does it. */
    async function remind(id: number): Promise<number> {
      return ctx.write(async (tx) => {
        const { rows: mine } = await sql<{
          name: string
          name_local: string
          closes_on: string
          kind: string
        }>`update questionnaires t set reminded_on = university_today()
          from questionnaire_types y where y.id = t.type_id and t.id = ${id} and t.status = 'open' and t.reminded_on is distinct from university_today()
          returning y.name, y.name_local, t.closes_on, y.kind`.execute(tx)
        const [told] = mine
        if (!told) return 0
        await sql`select make_questionnaire_sets(${id})`.execute(tx)
        const { rows } = await sql<{ user_id: number }>`select distinct a.user_id from questionnaire_asked(${id}) a
          where not exists (select from questionnaire_participations p where p.set_id = a.set_id and p.user_id = a.user_id)`.execute(
          tx,
        )
        const { name, name_local, closes_on, kind } = told
        await notify(
          tx,
          rows.map(({ user_id }) => user_id),
          {
            key: 'questionnaires.notice_due',
            data: { name, name_local, until: closes_on },
            link: `/${kind}_questionnaires`,
          },
        )
        return rows.length + (await remindLinked(ctx, tx, id))
      })
    }
  },
})
