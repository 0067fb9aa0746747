import type { Ctx, Upload } from '#kit/server/base/context.ts'

/** Stores an upload, and returns an address at which only this reader can fetch it, for the rest of the day. */
export const keepPhoto = (ctx: Ctx, photo: Upload): Promise<string> =>
  ctx.write(async (tx) => {
    const file = await ctx.services.files.save(ctx, photo, tx)
    // A row that refers to `file.id` belongs here; a file without one is deleted after some days.
    return ctx.services.files.link(file, ctx.actor!)
  })
