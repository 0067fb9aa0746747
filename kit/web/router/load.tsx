import type { ComponentType } from 'react'
import type { FunctionComponent } from 'react'
import type { Resource } from '#kit/contract/resource.ts'
import type { Outlet } from '#kit/contract/outlet.ts'
import { resourceWeb } from '../fields/resource-web.ts'
import { loadTexts } from '../i18n/catalogue.ts'
import { part } from '../later.ts'
import type { AreaWeb } from './area.ts'
import { SCREENS } from './screens.ts'
import type { ScreenInfo } from './screens.ts'

/** How each area's web file is fetched, by name of the area. */
export type AreaLoaders = Readonly<Record<string, () => Promise<{ default: AreaWeb }>>>

/** The documents' limit for fetching a screen: 120 s. */
const LIMIT_MS = 120_000

const within = <T,>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the screen took too long')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Definitions of resources for which nothing is written for the browser, by name. */
export type PlainResources = Readonly<Record<string, () => Promise<Resource>>>

/** Which area fills a place of another's screen, by the name of the place. */
export type Outlets = Readonly<Record<string, string>>

let areas: AreaLoaders = {}
let plain: PlainResources = {}
let outlets: Outlets = {}
export const setAreas = (given: AreaLoaders, resources: PlainResources, outletAreas: Outlets): void => {
  areas = given
  plain = resources
  outlets = outletAreas
}
const plainWeb = (name: string) => {
  const load = plain[name]
  return load && (async () => ({ default: resourceWeb(await load()) }))
}

/** The web side of an area; undefined: it has none. */
export const areaWebOf = async (name: string): Promise<AreaWeb | undefined> => (await areas[name]?.())?.default

/** The generic screens of a resource, fetched when one is opened. */
const GENERIC = {
  list: () => import('../list/resource-list.tsx'),
  show: () => import('../detail/resource-detail.tsx'),
  add: () => import('../form/resource-form.tsx'),
  edit: () => import('../form/resource-form.tsx'),
} as const
/** What is decided is not listed alone: who decides has it before his or her eyes. */
const inbox = () => import('../workflow/inbox.tsx')

async function fetchScreen(screen: ScreenInfo): Promise<ComponentType> {
  const texts = loadTexts(screen.area)
  const area = (await areas[screen.area]?.())?.default
  const own = area?.screens?.[screen.path]
  if (own) {
    const [module] = await Promise.all([own(), texts])
    return module.default
  }
  const { resource, kind } = screen
  const web = resource && kind ? (area?.resources?.[resource] ?? plainWeb(resource)) : undefined
  if (!web || !kind) throw new Error(`nothing shows ${screen.path}`)
  const [{ default: what }, generic] = await Promise.all([web(), GENERIC[kind](), texts, loadTexts('kit-screens')])
  if (kind === 'list' && what.resource.flow && !what.list) {
    const { default: Inbox } = await inbox()
    return () => <Inbox web={what} />
  }
  if (kind === 'add' || kind === 'edit') {
    const { default: Form } = generic
    return () => <Form key={kind} web={what} mode={kind} />
  }
  const { default: View } = generic as Awaited<ReturnType<(typeof GENERIC)['list']>>
  return () => <View web={what} />
}

/**
 * What another area shows in a place of this one's screen, fetched when it is first shown, within the nearest `Suspense`.
 *
 * @example const Requirements = filled(requirementsOfProgram)
 */
export const filled = <Props extends object>({ name }: Outlet<Props>): FunctionComponent<Props> =>
  part(async () => {
    const area = outlets[name]
    if (area === undefined) throw new Error(`nobody fills ${name}`)
    const [web] = await Promise.all([areas[area]?.(), loadTexts(area)])
    const found = web?.default.fills?.find((fill) => fill.outlet === name)
    if (!found) throw new Error(`${area} shows nothing in ${name}`)
    return (await found.load()) as unknown as ComponentType<Props>
  })

const kept = new Map<string, Promise<ComponentType>>()
const done = new Map<string, ComponentType>()

/** The component of a screen. A failure is not kept: trying again fetches again. */
export function loadScreen(screen: ScreenInfo): Promise<ComponentType> {
  const had = kept.get(screen.path)
  if (had) return had
  const promise = within(fetchScreen(screen), LIMIT_MS)
  kept.set(screen.path, promise)
  promise.then(
    (component) => done.set(screen.path, component),
    () => kept.delete(screen.path),
  )
  return promise
}
export const loadedScreen = (screen: ScreenInfo): ComponentType | undefined => done.get(screen.path)

/** Fetches a screen ahead, e.g. when the pointer rests on its link. Failures are met when it is opened. */
export function prefetchScreen(path: string): void {
  const screen = SCREENS.find((s) => s.path === path)
  if (screen) loadScreen(screen).catch(() => undefined)
}
