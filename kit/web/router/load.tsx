import type { ComponentType } from 'react'
import type { Resource } from '#kit/contract/resource.ts'
import { resourceWeb } from '../fields/resource-web.ts'
import { loadTexts } from '../i18n/catalogue.ts'
import { areaWebOf, setAreaWebs } from './filled.tsx'
import type { AreaLoaders, Outlets } from './filled.tsx'
import { SCREENS } from './screens.ts'
import type { ScreenInfo } from './screens.ts'

/** The documents' limit for fetching a screen: 120 s. */
const LIMIT_MS = 120_000

const within = <T,>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the screen took too long')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

export { areaWebOf, filled } from './filled.tsx'
export type { AreaLoaders, Outlets } from './filled.tsx'

/** Definitions of resources for which nothing is written for the browser, by name. */
export type PlainResources = Readonly<Record<string, () => Promise<Resource>>>

let plain: PlainResources = {}
export const setAreas = (given: AreaLoaders, resources: PlainResources, outlets: Outlets): void => {
  setAreaWebs(given, outlets)
  plain = resources
}
const plainWeb = (name: string) => {
  const load = plain[name]
  return load && (async () => ({ default: resourceWeb(await load()) }))
}

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
  const area = await areaWebOf(screen.area)
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
