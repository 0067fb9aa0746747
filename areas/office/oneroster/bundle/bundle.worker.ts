import { serveTasks } from '#kit/server/workers/serve.ts'
import { BUNDLE_KINDS } from './bundle.rules.ts'
import { readFiles, unpack } from './read.server.ts'
import type { BundleTask, ReadBundle } from './bundle.server.ts'

/** Rows of one batch: one parameter of one statement. */
const BATCH = 10_000

function read({ zip, files, corrections, check = false, last, keep = false }: BundleTask): ReadBundle {
  const { bundle, ...told } = readFiles(files ?? unpack(zip!), corrections, { last: last && unpack(last), keep })
  const encoder = new TextEncoder()
  return {
    ...told,
    rows:
      bundle &&
      (Object.fromEntries(
        BUNDLE_KINDS.map((kind) => {
          const list = bundle[kind] as readonly object[]
          const batches: Uint8Array[] = []
          for (let i = 0; i < list.length && !check; i += BATCH)
            batches.push(encoder.encode(JSON.stringify(list.slice(i, i + BATCH))))
          return [kind, { count: list.length, batches }]
        }),
      ) as unknown as NonNullable<ReadBundle['rows']>),
  }
}

serveTasks(read, ({ rows, kept }) => [
  ...Object.values(rows ?? {}).flatMap(({ batches }) => batches.map((batch) => batch.buffer as ArrayBuffer)),
  ...(kept ? [kept.buffer as ArrayBuffer] : []),
])
