import { callsOf, screensOf } from '#kit/contract/index.ts'
import { ownedByFlow } from '#kit/contract/owners.ts'
import type { Owned } from '#kit/contract/owners.ts'
import type { AreaServer } from '../http/area.ts'
import { servedWorkflows } from './workflow.ts'

const place = (method: string, path: string): string => `${method} ${path.replace(/\{\w+\}/g, '{}')}`

/** Every table with states: as areas declare them, and those of workflows, whose steps own them. */
export const ownedTables = (areas: readonly Pick<AreaServer, 'area'>[]): Owned[] => [
  ...areas.flatMap(({ area }) => area.owners),
  ...servedWorkflows().map(({ flow, table, reads }) => ownedByFlow(flow, table, reads)),
]

/** What is declared of owners and is not so: two of one state, a call, workflow, job or screen that is not there. */
export function ownerMistakes(areas: readonly AreaServer[]): string[] {
  const calls = new Set(areas.flatMap(({ area }) => callsOf(area).map(({ method, path }) => place(method, path))))
  const screens = new Set(areas.flatMap(({ area }) => screensOf(area).map((one) => one.path.replace(/\/:\w+\?$/, ''))))
  const flows = new Set(servedWorkflows().map(({ flow }) => flow.name))
  const jobs = new Set(areas.flatMap((one) => one.jobs.map(({ name }) => name)))
  const mistakes: string[] = []
  const names = new Set<string>()
  for (const { name, states } of areas.flatMap(({ area }) => area.owners)) {
    if (names.has(name) || flows.has(name)) mistakes.push(`the states of ${name} have two owners`)
    names.add(name)
    for (const [state, { doors, left = [], screen }] of Object.entries(states)) {
      const said = `${name} ${state}`
      if (screen && !screens.has(screen)) mistakes.push(`${said} is done on ${screen}, which is no screen`)
      for (const door of [...doors, ...left]) {
        if (typeof door === 'string') {
          const [method, path] = door.split(' ') as [string, string]
          if (!calls.has(place(method, path))) mistakes.push(`${said} is reached by ${door}, which is not declared`)
        } else if ('steps' in door) {
          if (!flows.has(door.steps))
            mistakes.push(`${said} is reached by steps of ${door.steps}, which is no workflow`)
        } else if ('job' in door && !jobs.has(door.job))
          mistakes.push(`${said} is reached by the job ${door.job}, which is not there`)
      }
    }
  }
  return mistakes
}
