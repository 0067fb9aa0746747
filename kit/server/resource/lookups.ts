import { lookupCalls } from '#kit/contract/lookups.contract.ts'
import type { Option } from '#kit/contract/index.ts'
import { handle } from '../base/context.ts'
import type { Handled } from '../base/context.ts'
import { findRecords, readOptions } from './options.ts'

/** Handlers of the lookup calls. */
export const lookupHandlers: readonly Handled[] = [
  handle(lookupCalls.getLookup, (ctx, { body }) => readOptions(ctx, body)),
  handle(lookupCalls.getLookups, async (ctx, { body }) => {
    const answers = await Promise.all(body.lookups.map((query) => readOptions(ctx, query)))
    const data: Record<string, Option[]> = {}
    for (const [i, { name }] of body.lookups.entries()) data[name] = answers[i]?.data ?? []
    return { data }
  }),
  handle(lookupCalls.findRecords, async (ctx, { body }) => ({ data: await findRecords(ctx, body) })),
  handle(lookupCalls.getLookupByLink, (ctx, { params, body }) => readOptions(ctx, { ...body, name: params.link })),
]
