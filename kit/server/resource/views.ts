import { query } from '#db/connect.ts'
import type { z } from 'zod'
import { MOST_VIEWS, viewCalls } from '#kit/contract/views.contract.ts'
import type { savedView } from '#kit/contract/views.contract.ts'
import { actorIn } from '../base/actor.ts'
import { handle } from '../base/context.ts'
import type { Ctx, Handled } from '../base/context.ts'
import { refuse } from '../base/errors.ts'

type View = z.output<typeof savedView>
const me = (ctx: Ctx): number => actorIn(ctx).user_id

/** Calls for saved views of lists: users read and change only their own. */
export const viewHandlers: readonly Handled[] = [
  handle(viewCalls.listViews, async (ctx, { params }) => ({
    data: await query<View>(
      ctx.pool,
      'saved views',
      `select id, name, query, prefs from saved_views where user_id = $1 and list = $2 and removed_at is null order by id`,
      [me(ctx), params.list],
    ),
  })),
  handle(viewCalls.saveView, async (ctx, { params, body }) => {
    // Counted in the statement that inserts: a removed or replaced view takes no new place.
    const [saved] = await query<View>(
      ctx.pool,
      'save view',
      `insert into saved_views (user_id, list, name, query, prefs)
       select $1, $2, $3, $4, $5::jsonb
       where exists (select from saved_views where user_id = $1 and list = $2 and name = $3)
         or (select count(*) from saved_views where user_id = $1 and list = $2 and removed_at is null) < $6
       on conflict (user_id, list, name) do update
         set query = excluded.query, prefs = excluded.prefs, removed_at = null
       returning id, name, query, prefs`,
      [me(ctx), params.list, body.name, body.query, body.prefs ? JSON.stringify(body.prefs) : null, MOST_VIEWS],
    )
    if (!saved) throw refuse(422, 'too_many_views', { max: MOST_VIEWS }, 'name')
    return { data: saved }
  }),
  handle(viewCalls.removeView, async (ctx, { params }) => {
    const { rowCount } = await ctx.pool.query(
      `update saved_views set removed_at = now() where id = $1 and user_id = $2 and list = $3 and removed_at is null`,
      [params.id, me(ctx), params.list],
    )
    return { removed: rowCount === 1 }
  }),
]
