/** Tells people of steps: whom they concern, and who goes on. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { stateData } from '#kit/contract/workflow.ts'
import type { Ctx } from '../base/context.ts'
import { notifyEach } from '../mail/notifications.ts'
import type { Records } from './records.ts'
import type { Given, Moved } from './served.ts'

/** Notices of steps that were taken (`tell`) and of records that wait for somebody (`tellWaiting`). */
export function stepNotices<S extends string, A extends string, Facts>(
  { flow, options }: Given<S, A, Facts>,
  { table, awaited, byState }: Pick<Records<S>, 'table' | 'awaited' | 'byState'>,
) {
  const tell = async (tx: Tx, moved: readonly Moved<S, A>[]): Promise<void> => {
    const told = moved.filter(({ action }) => flow.actions[action].notice)
    const { tells } = options
    if (!tells || !told.length) return
    const { rows } = await sql<{ id: number; users: number[]; data: Record<string, unknown>; student: number | null }>`
      select t.id, ${sql.raw(tells.users)} as users, ${sql.raw(tells.data ?? `'{}'::json`)} as data,
        ${sql.raw(tells.student ?? 'null::int')} as student
      from ${table} t where t.id = any(${told.map((one) => one.id)}::int[])`.execute(tx)
    const of = new Map(rows.map((row) => [row.id, row]))
    await notifyEach(
      tx,
      told.flatMap(({ id, name, action, to, reason }) => {
        const { users = [], data = {}, student = null } = of.get(id) ?? {}
        const key = flow.actions[action].notice as string
        const filled = { name, ...stateData(flow, to), reason: reason ?? '', ...data }
        return [...new Set(users)].map((user_id) => ({
          user_id,
          key,
          data: filled,
          ...(student !== null && { records: [student] }),
          ...(tells.link && { link: tells.link(id) }),
        }))
      }),
    )
  }

  /**
   * Tells who goes on from the states that records have come to: each once, until he or she has looked. Of a hundred that come in
   * one morning nobody is told a hundred times.
   */
  const tellWaiting = async (
    ctx: Ctx,
    tx: Tx,
    came: readonly { readonly id: number; readonly to: S }[],
  ): Promise<void> => {
    const { waits } = flow
    const awaiting = new Set<string>(awaited.map((one) => one.state))
    const here = came.filter(({ to }) => awaiting.has(to))
    if (!waits || !here.length) return
    const { data: says = `'{}'::json`, link, waiting: together } = options.tells ?? {}
    const { rows } = await sql<{ id: number; users: number[] | null; data: Record<string, unknown> }>`
      select t.id, ${byState(ctx, (holders) => sql`(select array_agg(h.id) from (${holders}) h)`)} as users,
        ${sql.raw(together?.data ?? says)} as data
      from ${table} t where t.id = any(${here.map((one) => one.id)}::int[]) order by t.id`.execute(tx)
    const of = new Map(here.map((one) => [one.id, one.to]))
    const told = rows.flatMap(({ id, users, data }) =>
      (users ?? []).map((user_id) => ({
        user_id,
        data: { ...stateData(flow, of.get(id)!), ...data },
        link: together?.link ?? link?.(id),
      })),
    )
    const { rows: unread } = await sql<{ user_id: number }>`select distinct user_id from notifications
      where user_id = any(${told.map((one) => one.user_id)}::int[]) and key = ${waits} and read_at is null
        and data ->> 'workflow' = ${flow.name}`.execute(tx)
    const known = new Set([...unread.map((one) => one.user_id), ctx.actor?.user_id])
    const first = [...new Map(told.map((one) => [one.user_id, one])).values()].filter((one) => !known.has(one.user_id))
    await notifyEach(
      tx,
      first.map(({ user_id, data, link: to }) => ({
        user_id,
        key: waits,
        data: { ...data, workflow: flow.name },
        ...(to !== undefined && { link: to }),
      })),
    )
  }
  return { tell, tellWaiting }
}
