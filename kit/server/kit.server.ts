import { MOST_NOTIFICATIONS, fileCalls, jobCalls, kitArea, notificationCalls } from '#kit/contract/kit.area.ts'
import { query } from '#db/connect.ts'
import { defineAreaServer } from './http/area.ts'
import { basisHandlers, basisJob, basisWork, ownBasisWork } from './workflow/basis.ts'
import { actorIn } from './base/actor.ts'
import { handle } from './base/context.ts'
import type { Handled } from './base/context.ts'
import { refuse } from './base/errors.ts'
import { defineJob } from './jobs/jobs.ts'
import { lookupHandlers } from './resource/lookups.ts'
import { operationHandlers } from './http/operation-calls.ts'
import { retention } from './jobs/retention.ts'
import { noticeText, ownTexts } from './mail/notice-texts.ts'
import { digestMails, noticeHandlers, noticeMails } from './mail/notices.ts'
import { verifyHandler } from './papers/verify.ts'
import { sweep } from './identity/sessions.ts'
import { workHandlers } from './workflow/work.ts'
import { viewHandlers } from './resource/views.ts'

const jobs: Handled[] = [
  handle(jobCalls.listJobs, async (ctx) => ({ data: await ctx.services.jobs.list(actorIn(ctx).user_id) })),
  handle(jobCalls.getJob, async (ctx, { params }) => ({
    data: await ctx.services.jobs.get(actorIn(ctx).user_id, params.id),
  })),
  handle(jobCalls.cancelJob, async (ctx, { params }) => {
    await ctx.services.jobs.cancel(actorIn(ctx).user_id, params.id)
    return { data: await ctx.services.jobs.get(actorIn(ctx).user_id, params.id) }
  }),
]

const files: Handled[] = [
  handle(fileCalls.uploadFile, async (ctx, { file }) => {
    if (!file) throw refuse(422, 'file_missing', {}, 'file')
    const { files: kept } = ctx.services
    const saved = await kept.save(ctx, file)
    return { data: { ...saved, url: kept.link(saved, actorIn(ctx)) } }
  }),
  handle(fileCalls.openFile, (ctx, { params, query }) => ctx.services.files.open(ctx, params.id, query.token)),
]

interface NotificationRow {
  id: number
  key: string
  data: Record<string, string | number | null | { name: string; name_local: string }[]>
  link: string | null
  created_at: string
  read_at: string | null
}
const notifications: Handled[] = [
  handle(notificationCalls.listNotifications, async (ctx) => {
    const rows = await query<NotificationRow>(
      ctx.pool,
      'notifications',
      `select id, key, data, link, created_at, read_at from notifications where user_id = $1 order by created_at desc, id desc limit $2`,
      [actorIn(ctx).user_id, MOST_NOTIFICATIONS],
    )
    const own = rows.length
      ? await ownTexts(
          ctx.pool,
          rows.map(({ key }) => key),
          ctx.lang,
        )
      : new Map<string, never>()
    return {
      data: rows.map((row) => {
        const text = own.get(row.key)
        return { ...row, text: text ? noticeText(row.key, row.data, ctx.lang, text) : null }
      }),
    }
  }),
  handle(notificationCalls.readNotifications, async (ctx, { body }) => {
    const { rowCount } = await ctx.pool.query(
      `update notifications set read_at = now() where user_id = $1 and read_at is null and ($2::int[] is null or id = any($2))`,
      [actorIn(ctx).user_id, body.ids ?? null],
    )
    return { read: rowCount ?? 0 }
  }),
]

/** What no area does: room in the audit trail for the months to come, and the end of what ends by itself; the rest is `retention`. */
const housekeeping = defineJob({
  name: 'housekeeping',
  cron: '17 2 * * *',
  retries: 3,
  async run(ctx) {
    await ctx.pool.query('select ensure_audit_partitions(3)')
    await ctx.pool.query('select ensure_security_log_months(3, security_log_months())')
    await sweep(ctx.pool)
    // What runs by the clock every minute leaves nothing to read.
    await ctx.pool.query(
      `delete from jobs where created_by is null and state = 'done' and created_at < now() - interval '1 day'`,
    )
  },
})

/** Contents of the file store that no record names leave it. */
export const sweepContents = defineJob({
  name: 'file-contents',
  cron: '23 * * * *',
  retries: 3,
  run: async (ctx) => ({ removed: await ctx.services.files.sweep() }),
})

/** The server side of the kit's own calls. */
export const kitServer = defineAreaServer({
  area: kitArea,
  handlers: [
    ...jobs,
    ...files,
    ...notifications,
    ...lookupHandlers,
    ...operationHandlers,
    ...viewHandlers,
    ...workHandlers,
    ...basisHandlers,
    verifyHandler,
    ...noticeHandlers,
  ],
  jobs: [noticeMails, digestMails, housekeeping, sweepContents, retention, basisJob],
  work: [basisWork, ownBasisWork],
})
