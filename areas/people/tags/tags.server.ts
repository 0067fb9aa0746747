import { defineAreaServer } from '#kit/server/http/area.ts'
import { handle } from '#kit/server/base/context.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { Values } from '#kit/server/resource/resource.ts'
import { tag, tagCalls } from './tag.contract.ts'
import { tagsArea } from './tags.contract.ts'

const tags = workings(tag, {})

export const tagsServer = defineAreaServer({
  area: tagsArea,
  handlers: [
    tags.handlers,
    handle(tagCalls.createTag, (ctx, { body }) =>
      ctx.write(async (tx) => {
        const id = await tags.insert(ctx, tx, body as Values)
        return { data: await tags.get(ctx, tx, id, 'public') }
      }),
    ),
    handle(tagCalls.changeTag, (ctx, { params: { id }, body }) =>
      ctx.write(async (tx) => {
        await tags.update(ctx, tx, id, body as Values)
        return { data: await tags.get(ctx, tx, id, 'public') }
      }),
    ),
  ],
})
