import { resourceCalls } from '#kit/contract/index.ts'
import type { Area, Call, Resource } from '#kit/contract/index.ts'
import type { FastifyInstance } from 'fastify'
import type { Handled } from './context.ts'
import type { JobDefinition } from './jobs.ts'
import type { LookupSource } from './registry.ts'
import type { WorkSource } from './work.ts'
import { serveResource } from './resource.ts'

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
  /** Numbers for `/metrics`, asked at each scrape: name → value. */
  readonly metrics?: () => Record<string, number> | Promise<Record<string, number>>
  /** For what is not a call: hooks, a raw route. Rarely needed. */
  readonly install?: (app: FastifyInstance) => void
}

const key = ({ method, path }: Pick<Call, 'method' | 'path'>): string => `${method} ${path}`

/** Resources that everybody with the permission sees wholly, and of which no call has a handler: the kit serves them. */
function plainHandlers(area: Area, given: readonly Handled[]): Handled[] {
  const handled = new Set(given.map(({ call }) => key(call)))
  return area.resources
    .filter((r): r is Resource<string, Resource['fields'], string, 'university'> => r.scope === 'university')
    .filter((r) => !Object.values(resourceCalls(r) as unknown as Record<string, Call>).some((c) => handled.has(key(c))))
    .flatMap((r) => serveResource(r))
}

/**
 * Collects the server side of an area. `handlers` may hold lists of handlers, as `serveResource` gives them; a resource
 * without scope that none of them serves is served as it is defined.
 */
export const defineAreaServer = (definition: {
  area: Area
  handlers: readonly (Handled | readonly Handled[])[]
  lookups?: readonly LookupSource[]
  jobs?: readonly JobDefinition[]
  work?: readonly WorkSource[]
  metrics?: AreaServer['metrics']
  install?: AreaServer['install']
}): AreaServer => {
  const handlers = definition.handlers.flat() as Handled[]
  return {
    ...definition,
    handlers: [...handlers, ...plainHandlers(definition.area, handlers)],
    lookups: definition.lookups ?? [],
    jobs: definition.jobs ?? [],
  }
}
