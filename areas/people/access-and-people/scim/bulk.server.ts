/** Many changes in one request: each by the operation that it would be alone, in a unit of work of its own. */
import type { Ctx } from '#kit/server/base/context.ts'
import { asRefusal, refuse } from '#kit/server/base/errors.ts'
import type { Refusal } from '#kit/server/base/errors.ts'
import type { Asked, ProtocolAnswer, ProtocolRoute } from '#kit/server/http/protocols.ts'
import { BULK_MAX, bulkIn, withNamedIds, referencesIn } from './bulk.rules.ts'
import type { AskedOperation, BulkOperation } from './bulk.rules.ts'
import { expectVersion } from './directory.server.ts'

const RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

interface Words {
  /** An answer that refuses, in the words of the protocol. */
  readonly refused: (status: number, detail: string, scimType?: string) => ProtocolAnswer
  readonly refusalOf: (refusal: Refusal) => ProtocolAnswer
}
interface Done {
  readonly answer: ProtocolAnswer
  readonly location: string | null
}

/** The handler of `POST /Bulk` over the routes of single operations. */
export function bulkHandler(routes: readonly ProtocolRoute[], { refused, refusalOf }: Words): ProtocolRoute['handler'] {
  /** @throws what the operation throws */
  const one = (ctx: Ctx, operation: BulkOperation, ids: ReadonlyMap<string, string>): Promise<ProtocolAnswer> => {
    const { method, resource, target, version } = operation
    const path = `/${resource}${target === null ? '' : '/:id'}`
    const route = routes.find((known) => known.method === method && known.path === path)!
    const asked: Asked = {
      params: target === null ? {} : { id: withNamedIds(target, ids) },
      query: {},
      body: withNamedIds(operation.data, ids),
    }
    expectVersion(ctx, version)
    return route.handler(ctx, asked)
  }
  /** What is refused of one operation stops no other. */
  async function attempted(ctx: Ctx, work: () => Promise<ProtocolAnswer>): Promise<ProtocolAnswer> {
    try {
      return await work()
    } catch (error) {
      const refusal = asRefusal(error)
      if (refusal) return refusalOf(refusal)
      ctx.http?.request.log.error({ err: error }, 'unexpected failure within a bulk request')
      return refusalOf(refuse(500, 'unexpected', { reference: ctx.request_id }))
    }
  }

  return async (ctx, { body }) => {
    const { failOnErrors, operations, tooMany } = bulkIn(body)
    if (tooMany) return refused(413, `At most ${BULK_MAX.operations} operations in one request`, 'tooMany')
    const { publicUrl } = ctx.services.config
    const ids = new Map<string, string>()
    const results = new Map<AskedOperation, Done>()
    const makes = new Map(
      operations.flatMap((asked) =>
        'wrong' in asked || asked.method !== 'POST' ? [] : [[asked.bulkId!, asked] as const],
      ),
    )
    let errors = 0
    const close = (asked: AskedOperation, answer: ProtocolAnswer): void => {
      if (answer.status >= 400) errors++
      const { location = null } = answer.headers ?? {}
      if (!('wrong' in asked)) {
        if (asked.method === 'POST' && location) ids.set(asked.bulkId!, location.slice(location.lastIndexOf('/') + 1))
        const id = asked.target === null ? null : withNamedIds(asked.target, ids)
        const whole = id === null ? location : `${publicUrl}/api/scim/v2/${asked.resource}/${id}`
        results.set(asked, { answer, location: whole })
      } else results.set(asked, { answer, location: null })
    }
    // What leans on something made later waits for it; what leans on itself in a ring is never done.
    let waiting = operations
    for (let moved = true; moved && errors < failOnErrors;) {
      moved = false
      const later: AskedOperation[] = []
      for (const asked of waiting) {
        if (errors >= failOnErrors) break
        const needs = 'wrong' in asked ? [] : referencesIn(asked).filter((name) => !ids.has(name))
        const unknown = needs.find((name) => !makes.has(name))
        const failed = needs.find((name) => results.has(makes.get(name)!))
        if ('wrong' in asked) close(asked, refused(400, asked.wrong.message, asked.wrong.type))
        else if (unknown !== undefined) close(asked, refused(400, `nothing is made as ${unknown}`, 'invalidValue'))
        else if (failed !== undefined) close(asked, refused(409, `what is made as ${failed} was not made`))
        else if (needs.length) {
          later.push(asked)
          continue
        } else close(asked, await attempted(ctx, () => one(ctx, asked, ids)))
        moved = true
      }
      waiting = later
    }
    for (const asked of waiting)
      if (errors < failOnErrors) close(asked, refused(409, 'operations lean on each other in a ring'))
    return {
      status: 200,
      body: JSON.stringify({
        schemas: [RESPONSE],
        Operations: operations.flatMap((asked) => {
          const done = results.get(asked)
          if (!done) return []
          const { status, headers, body: told } = done.answer
          return [
            {
              method: asked.method,
              ...(asked.bulkId !== null && { bulkId: asked.bulkId }),
              ...(done.location !== null && { location: done.location }),
              ...(headers?.etag && { version: headers.etag }),
              status: String(status),
              ...(status >= 400 && told && { response: JSON.parse(told) as unknown }),
            },
          ]
        }),
      }),
    }
  }
}
