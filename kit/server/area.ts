import type { Area } from '#kit/contract/index.ts'
import type { FastifyInstance } from 'fastify'
import type { Handled } from './context.ts'
import type { JobDefinition } from './jobs.ts'
import type { LookupSource } from './registry.ts'

/** The server side of an area: a handler for every call it declares. */
export interface AreaServer {
  readonly area: Area
  readonly handlers: readonly Handled[]
  /** Lookups that are not plain resources, or resources whose options read otherwise. */
  readonly lookups: readonly LookupSource[]
  /** Work that goes on after a call has answered, or runs by the clock. */
  readonly jobs: readonly JobDefinition[]
  /** Numbers for `/metrics`, asked at each scrape: name → value. */
  readonly metrics?: () => Record<string, number> | Promise<Record<string, number>>
  /** For what is not a call: hooks, a raw route. Rarely needed. */
  readonly install?: (app: FastifyInstance) => void
}

/** Collects the server side of an area. `handlers` may hold lists of handlers, as `serveResource` gives them. */
export const defineAreaServer = (definition: {
  area: Area
  handlers: readonly (Handled | readonly Handled[])[]
  lookups?: readonly LookupSource[]
  jobs?: readonly JobDefinition[]
  metrics?: AreaServer['metrics']
  install?: AreaServer['install']
}): AreaServer => ({
  ...definition,
  handlers: definition.handlers.flat() as Handled[],
  lookups: definition.lookups ?? [],
  jobs: definition.jobs ?? [],
})
