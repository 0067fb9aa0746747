import type { Ctx } from '#kit/server/base/context.ts'
import { buffer } from 'node:stream/consumers'

/** The content of a kept file, whole. */
export async function keptContent(ctx: Ctx, file_id: number): Promise<Uint8Array> {
  const { content } = await ctx.services.files.read(file_id)
  return content instanceof Uint8Array ? content : new Uint8Array(await buffer(content as never))
}
