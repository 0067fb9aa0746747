import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'

/** The area lists it in `jobs`. If its process dies, another process starts it again. */
export const countJob = defineJob<{ upTo: number }, { counted: number }>({
  name: 'example-count',
  retries: 3,
  async run(_ctx, { upTo }, progress) {
    for (let n = 0; n < upTo; n++) await progress((100 * n) / upTo)
    return { counted: upTo }
  },
})

/** Queues the job: it starts after the commit, and never after a rollback. The id is for following its progress. */
export const startCounting = (ctx: Ctx): Promise<string> =>
  ctx.write((tx) => ctx.services.jobs.send(tx, countJob, { upTo: 100 }, { actor: ctx.actor }))
