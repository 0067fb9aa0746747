import type { Basis, Fact } from './basis.ts'
import type { Call } from './call.ts'
import type { ErrorTexts } from './errors.ts'
import type { Notice, NoticeGroup } from './notices.ts'
import type { Owned } from './owners.ts'
import { paperCalls } from './papers.ts'
import type { PaperKinds, Papers } from './papers.ts'
import { resourceCalls } from './resource.ts'
import type { Resource } from './resource.ts'
import type { Screen } from './screen.ts'
import type { Outlet } from './outlet.ts'
import type { Label } from './words.ts'
import { listedCalls } from './workflow.ts'

/** One area of the university: all it declares, by explicit import. */
export interface Area {
  readonly name: string
  readonly label: Label
  readonly resources: readonly Resource[]
  readonly calls: readonly Call[]
  readonly screens: readonly Screen[]
  readonly errors: ErrorTexts
  /** Kinds of notice it gives, by the key of their text. */
  readonly notices: Readonly<Record<string, Notice>>
  /** Under which group people choose the ways of its notices. */
  readonly noticeGroup: NoticeGroup
  /** Papers it issues, and kinds that it adds to those of others. */
  readonly papers: readonly (Papers | PaperKinds)[]
  /** Decisions of it that rest on facts which may still change, and kinds of fact that it knows. */
  readonly basis: readonly Basis[]
  readonly facts: readonly Fact[]
  /** Who owns the states of its tables, besides those of workflows, whose steps own them. */
  readonly owners: readonly Owned[]
  /**
   * What it changes is kept in memory by every process (rights, sessions, settings): its calls are answered once the process
   * that answers has heard of the change, so that whoever asks next already has it.
   */
  readonly news: boolean
  /** Places on screens of other areas in which its web side shows something. */
  readonly fills: readonly Pick<Outlet, 'name'>[]
}

const areas = new WeakMap<object, string>()
/** Name of the area that declares a resource: whose words speak of it. */
export const areaOf = (resource: object): string => areas.get(resource) ?? 'kit'

/** Collects what an area declares. `calls` are records of calls as modules export them: one, or a list of them. */
export const area = (definition: {
  name: string
  label: Label
  resources?: readonly unknown[]
  calls?: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
  screens?: readonly Screen[]
  errors?: ErrorTexts
  notices?: Readonly<Record<string, Notice>>
  noticeGroup?: NoticeGroup
  papers?: readonly (Papers | PaperKinds)[]
  basis?: readonly Basis[]
  facts?: readonly Fact[]
  owners?: readonly Owned[]
  news?: boolean
  fills?: readonly Pick<Outlet, 'name'>[]
}): Area => {
  for (const resource of definition.resources ?? []) areas.set(resource as object, definition.name)
  return collected(definition)
}

const collected = (definition: Parameters<typeof area>[0]): Area => ({
  name: definition.name,
  label: definition.label,
  resources: (definition.resources ?? []) as readonly Resource[],
  calls: [
    ...[definition.calls ?? []].flat(),
    ...((definition.resources ?? []) as readonly Resource[]).flatMap(({ flow, steps }) =>
      flow && steps ? [listedCalls(flow, steps)] : [],
    ),
    ...(definition.papers ?? []).flatMap((paper) => ('path' in paper ? [{ ...paperCalls(paper) }] : [])),
  ].flatMap((calls) => Object.values(calls)) as Call[],
  screens: definition.screens ?? [],
  errors: definition.errors ?? {},
  notices: definition.notices ?? {},
  noticeGroup: definition.noticeGroup ?? 'account',
  papers: definition.papers ?? [],
  basis: definition.basis ?? [],
  facts: definition.facts ?? [],
  owners: definition.owners ?? [],
  news: definition.news ?? false,
  fills: definition.fills ?? [],
})

/** Every call of an area: those of its resources and its own. An own declaration at the same method and path wins. */
export function callsOf(a: Area): Call[] {
  const key = (c: Call) => `${c.method} ${c.path.replace(/\{\w+\}/g, '{}')}`
  const own = new Map(a.calls.map((c) => [key(c), c]))
  const generic = a.resources.flatMap((r) => Object.values(resourceCalls(r)) as Call[]).filter((c) => !own.has(key(c)))
  return [...generic, ...own.values()]
}

/** Every screen of an area: those of its resources and its own. An own declaration of the same path wins. */
export function screensOf(a: Area): Screen[] {
  const own = new Set(a.screens.map((s) => s.path))
  const generic = a.resources.flatMap((r): Screen[] => {
    const { list, show, add, edit } = r.screens
    const p = r.permissions
    const out: Screen[] = []
    const titles = r.menu?.titleOfType && { titleOfType: r.menu.titleOfType }
    if (list && p.list)
      out.push({ path: list, permission: p.list, title: r.many, menu: r.menu, parent: r.parent, ...titles })
    if (show && p.show) out.push({ path: show, permission: p.show, title: r.one, parent: list ?? r.parent })
    if (add && p.add) out.push({ path: add, permission: p.add, title: r.adding, parent: list ?? r.parent })
    if (edit && p.edit) out.push({ path: edit, permission: p.edit, title: r.editing, parent: show ?? list ?? r.parent })
    return out
  })
  return [...generic.filter((s) => !own.has(s.path)), ...a.screens]
}
