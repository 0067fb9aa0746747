import { GROUPS, SCREENS } from 'virtual:screens'
import { TITLES } from 'virtual:titles'
import type { Access } from '#kit/contract/call.ts'
import type { Menu } from '#kit/contract/resource.ts'
import type { Screen } from '#kit/contract/screen.ts'
import { language, useLanguage } from '../i18n/language.ts'
import type { Language } from '../i18n/language.ts'
import { fillPath } from './paths.ts'

export type ScreenKind = 'list' | 'show' | 'add' | 'edit'
/** What the shell knows of a screen before its area is loaded. */
export interface ScreenInfo {
  readonly path: string
  readonly permission: Access
  readonly of?: Screen['of']
  readonly area: string
  readonly menu?: Menu
  readonly parent?: string
  readonly parentOfType?: Readonly<Record<number, string>>
  readonly layout?: 'full'
  readonly finds?: string
  readonly offline?: true
  /** The resource whose generic screen this is. */
  readonly resource?: string
  readonly kind?: ScreenKind
}
export { SCREENS }

export interface Titles {
  readonly titles: readonly string[]
  readonly groups: Readonly<Record<string, string>>
}
const titles = new Map<Language, Titles>()
/** Fetches the titles of all screens in a language. */
export async function loadTitles(l: Language): Promise<void> {
  if (titles.has(l)) return
  const load = TITLES[l]
  if (load) titles.set(l, (await load()).default)
}

const index = new Map(SCREENS.map((screen, i) => [screen.path, i]))
/** The screen declared at a path, e.g. `/students/:id`. */
export const screenAt = (path: string): ScreenInfo | undefined => SCREENS[index.get(path) ?? -1]
/** The screen that an address without parameters opens, e.g. `/students` of `/students/:page?`. */
export const screenOpenedBy = (address: string): ScreenInfo | undefined =>
  SCREENS.find(({ path }) => path.replace(/\/:\w+\?/g, '') === address)
let reader: number | null = null
/** Whose titles are read from now on: a type of users; null: nobody is signed in. */
export const titlesFor = (type: number | null): void => {
  reader = type
}
/** Title of a screen in the reader's language, as it is called to the reader. */
export const titleOf = (screen: ScreenInfo, l: Language = language()): string =>
  titles.get(l)?.groups[`type ${reader} ${screen.path}`] ??
  titles.get(l)?.titles[index.get(screen.path)!] ??
  screen.path
/** What is done on a screen, as people search for it. */
export const alsoOf = (screen: ScreenInfo, l: Language): readonly string[] =>
  (titles.get(l)?.groups[`also ${screen.path}`] ?? '').split(/[,،]\s*/).filter(Boolean)
/** The menu's groups in their order, with their names in the reader's language. */
export const groupsOf = (
  l: Language = language(),
): readonly { readonly key: string; readonly icon: string; readonly title: string }[] =>
  GROUPS.map((group) => ({ ...group, title: titles.get(l)?.groups[group.key] ?? group.key }))
/** What a headed block of the menu is called. */
export const blockTitle = (block: string, l: Language = language()): string =>
  titles.get(l)?.groups[`block ${block}`] ?? block
/** What the entry of the menu is called that stands for several screens. */
export const subjectTitle = (subject: string, l: Language = language()): string =>
  titles.get(l)?.groups[`type ${reader} subject ${subject}`] ?? titles.get(l)?.groups[`subject ${subject}`] ?? subject
/** What the tab of a screen of a subject says. */
export const tabOf = (screen: ScreenInfo, l: Language = language()): string =>
  titles.get(l)?.groups[`tab ${screen.path}`] ?? titleOf(screen, l)
export const useTitleOf = (): ((screen: ScreenInfo) => string) => {
  const l = useLanguage()
  return (screen) => titleOf(screen, l)
}

const byResource = new Map(SCREENS.filter((s) => s.resource).map((s) => [`${s.resource} ${s.kind}`, s]))
/** The screen of a resource, own or generic. */
export const screenOfResource = (resource: string, kind: ScreenKind): ScreenInfo | undefined =>
  byResource.get(`${resource} ${kind}`)
/** Screens that open one record, by the kind of record. */
export const screensOfRecords = (): ReadonlyMap<string, ScreenInfo> =>
  new Map(
    SCREENS.flatMap((screen) => {
      const name = screen.finds ?? (screen.kind === 'show' ? screen.resource : undefined)
      return name === undefined ? [] : [[name, screen] as const]
    }),
  )
/** Address of a record's screen, e.g. to open what a lookup points to; null when there is none. */
export const addressOfRecord = (resource: string, kind: ScreenKind, id?: number | string): string | null => {
  const screen = screenOfResource(resource, kind)
  return screen ? fillPath(screen.path, { id }) : null
}
