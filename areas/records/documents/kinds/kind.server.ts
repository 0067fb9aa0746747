import { Refusal } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { documentKind } from './kind.contract.ts'
import { kindReasons } from './kind.rules.ts'

/** Kinds of documents. */
export const documentKindHandlers = serveResource(documentKind, {
  beforeWrite: (_ctx, _tx, merged) => {
    merged.whose ??= 'students'
    const reasons = kindReasons(merged)
    if (reasons.length) throw new Refusal(422, reasons)
  },
})
