import { resourceCalls } from '#kit/contract/index.ts'
import type { Area, Call, Request, Resource } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import type { FastifyInstance } from 'fastify'
import type { ServedBasis, ServedFact } from '../workflow/basis-registry.ts'
import type { Handled, Services } from '../base/context.ts'
import type { Hearing } from '../base/hears.ts'
import type { JobDefinition } from '../jobs/jobs.ts'
import type { LookupSource } from '../base/registry.ts'
import type { First } from './first.ts'
import type { Protocol } from './protocols.ts'
import type { WorkSource } from '../workflow/work.ts'
import { serveRequest } from '../workflow/requests.ts'
import { serveResource } from '../resource/resource.ts'

/** The server side of an area: a handler for every call it declares. */
export interface AreaServer {
  readonly area: Area
  readonly handlers: readonly Handled[]
  /** Lookups that are not plain resources, or resources whose options read otherwise. */
  readonly lookups: readonly LookupSource[]
  /** Work that goes on after a call has answered, or runs by the clock. */
  readonly jobs: readonly JobDefinition[]
  /** What waits for people, for their home. */
  readonly work?: readonly WorkSource[]
  /** Its decisions that rest on facts which may still change, and kinds of fact. */
  readonly basis?: readonly ServedBasis[]
  readonly facts?: readonly ServedFact[]
  /** What it does when other areas tell or ask something: `hear(seatsAppeared, wakeWaitList)`. */
  readonly hears?: readonly Hearing[]
  /** What the log says of its audited tables: the file `AREA.told.contract.ts`. */
  readonly told?: TablesTold
  /** Numbers for `/metrics`, asked at each scrape: name → value. */
  readonly metrics?: () => Record<string, number> | Promise<Record<string, number>>
  /** Protocols of others, at addresses of their own. */
  readonly protocols?: readonly Protocol[]
  /** What light screens show before their scripts are there. */
  readonly firsts?: readonly First[]
  /** For what is not a call: hooks, a raw route. Rarely needed. */
  readonly install?: (app: FastifyInstance, services: Services) => void
}

const key = ({ method, path }: Pick<Call, 'method' | 'path'>): string => `${method} ${path}`

type Plain = Resource<string, Resource['fields'], string, 'university'>

/** What the kit serves as it is defined: requests, and what everybody with the permission sees wholly, where no call has a handler. */
function plainParts(area: Area, given: readonly Handled[]): { handlers: Handled[]; work: WorkSource[] } {
  const handled = new Set(given.map(({ call }) => key(call)))
  const open = area.resources.filter(
    (r) => !Object.values(resourceCalls(r) as unknown as Record<string, Call>).some((c) => handled.has(key(c))),
  )
  const requests = open.filter((r) => r.flow).map((r) => serveRequest(r as Request))
  const plain = open.filter((r): r is Plain => r.scope === 'university')
  return {
    handlers: [...requests.flatMap((one) => one.handlers), ...plain.flatMap((r) => serveResource(r))],
    work: requests.map((one) => one.work),
  }
}

/**
 * Collects the server side of an area. `handlers` may hold lists of handlers, as `serveResource` gives them; a request, or
 * a resource without scope, that none of them serves is served as it is defined.
 */
export const defineAreaServer = (definition: {
  area: Area
  handlers: readonly (Handled | readonly Handled[])[]
  lookups?: readonly LookupSource[]
  jobs?: readonly JobDefinition[]
  work?: readonly WorkSource[]
  basis?: readonly ServedBasis[]
  facts?: readonly ServedFact[]
  hears?: readonly Hearing[]
  told?: TablesTold
  metrics?: AreaServer['metrics']
  protocols?: AreaServer['protocols']
  firsts?: AreaServer['firsts']
  install?: AreaServer['install']
}): AreaServer => {
  const handlers = definition.handlers.flat() as Handled[]
  for (const hearing of definition.hears ?? []) hearing.open()
  const plain = plainParts(definition.area, handlers)
  return {
    ...definition,
    handlers: [...handlers, ...plain.handlers],
    work: [...(definition.work ?? []), ...plain.work],
    lookups: definition.lookups ?? [],
    jobs: definition.jobs ?? [],
  }
}
