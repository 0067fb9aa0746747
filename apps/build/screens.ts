import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { AREAS } from '../areas.contract.ts'
import { folderOf } from '../folders.ts'
import { MENU_BLOCKS, MENU_GROUPS, MENU_SUBJECTS, MENU_SUBJECTS_OF_TYPE } from '../../access/menu.contract.ts'
import { LANGUAGES, screensOf } from '../../kit/contract/index.ts'
import type { Area, Label, Language, Screen } from '../../kit/contract/index.ts'

/**
 * What the browser knows of every screen before any area is loaded: path, permission, place in the menu, parent, layout,
 * and the resource behind a generic screen; titles per language. Computed at build time, so that no contract and no Zod is
 * in the first load.
 */
export interface BuiltScreens {
  readonly screens: readonly Record<string, unknown>[]
  /** Paths of screens that have a light page. */
  readonly light: readonly { readonly path: string; readonly asks: readonly string[] }[]
  readonly titles: Readonly<Record<string, readonly string[]>>
  /** The menu's groups in order with their icons, and their names per language. */
  readonly groups: readonly { readonly key: string; readonly icon: string }[]
  readonly groupNames: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Where the browser fetches what is shown: files from the root of the repository. */
export interface BuiltAreas {
  readonly webs: readonly { readonly area: string; readonly file: string }[]
  /** The same for what strangers see, on light pages. */
  readonly lightWebs: readonly { readonly area: string; readonly file: string }[]
  /** Resources whose definition is all there is, and the export that is it. */
  readonly plain: readonly { readonly resource: string; readonly file: string; readonly exported: string }[]
  /** Which area fills a place of another's screen, by the name of the place. */
  readonly outlets: Readonly<Record<string, string>>
}

const ROOT = path.join(import.meta.dirname, '../..')
/** Web files that do not stand in `areas/{wing}/{name}/{name}.web.tsx`. */
const ELSEWHERE: Readonly<Record<string, string>> = { shell: 'kit/web/app/shell' }

/** Where the web sides of areas and the definitions of plain resources are. */
async function builtAreas(areas: readonly Area[] = AREAS): Promise<BuiltAreas> {
  const webFiles = (ending: string) =>
    areas.flatMap(({ name }) => {
      const file = `${ELSEWHERE[name] ?? `${folderOf(name)}/${name}`}${ending}`
      return existsSync(path.join(ROOT, file)) ? [{ area: name, file }] : []
    })
  const webs = webFiles('.web.tsx')
  const lightWebs = webFiles('.light.web.tsx')
  const plain = await Promise.all(
    areas.map(async ({ name, resources }) => {
      const wanted = resources.filter((r) => r.plain)
      if (!wanted.length) return []
      const files = globSync(`${folderOf(name)}/**/*.contract.ts`, { cwd: ROOT })
      const found = await Promise.all(
        files.map(async (file) =>
          Object.entries((await import(path.join(ROOT, file))) as Record<string, unknown>).map(([exported, value]) => ({
            file,
            exported,
            value,
          })),
        ),
      )
      return wanted.map((r) => {
        const at = found.flat().find(({ value }) => value === r)
        if (!at) throw new Error(`no contract of ${name} exports the plain resource ${r.name}`)
        return { resource: r.name, file: at.file, exported: at.exported }
      })
    }),
  )
  const outlets = Object.fromEntries(areas.flatMap((one) => one.fills.map(({ name }) => [name, one.name])))
  return { webs, lightWebs, plain: plain.flat(), outlets }
}

const KINDS = ['list', 'show', 'add', 'edit'] as const

const labelsOf = (language: Language, name: string): Record<string, string> => {
  const file = new URL(`../../locales/${language}/${name}.json`, import.meta.url)
  return existsSync(file)
    ? ((JSON.parse(readFileSync(file, 'utf8')) as { labels?: Record<string, string> }).labels ?? {})
    : {}
}

/** The screens of all areas as data. */
export function builtScreens(areas: readonly Area[] = AREAS): BuiltScreens {
  const all = areas.flatMap((a) =>
    screensOf(a).map((screen) => {
      const resource = a.resources.find((r) => KINDS.some((kind) => r.screens[kind] === screen.path))
      return {
        area: a.name,
        screen,
        resource: resource?.name,
        kind: KINDS.find((kind) => resource?.screens[kind] === screen.path),
      }
    }),
  )
  const text = (label: Label, language: Language, area: string): string =>
    language === 'en'
      ? label[0]
      : language === 'ar'
        ? label[1]
        : (labelsOf(language, area)[label[0]] ?? labelsOf(language, 'kit')[label[0]] ?? label[0])
  const brief = (screen: Screen) => ({
    path: screen.path,
    permission: screen.permission,
    of: screen.of,
    // What a tab says is fetched with the titles.
    menu: screen.menu && { ...screen.menu, tab: undefined, also: undefined },
    parent: screen.parent,
    parentOfType: screen.parentOfType,
    layout: screen.layout,
    finds: screen.finds,
    offline: screen.offline,
  })
  return {
    screens: all.map(({ area, screen, resource, kind }) => ({ ...brief(screen), area, resource, kind })),
    light: all.flatMap(({ screen }) => (screen.light ? [{ path: screen.path, asks: screen.light }] : [])),
    titles: Object.fromEntries(LANGUAGES.map((l) => [l, all.map(({ area, screen }) => text(screen.title, l, area))])),
    groups: Object.entries(MENU_GROUPS).map(([key, { icon }]) => ({ key, icon })),
    groupNames: Object.fromEntries(
      LANGUAGES.map((l) => [
        l,
        Object.fromEntries([
          ...Object.entries(MENU_GROUPS).map(([group, { label }]) => [group, text(label, l, 'kit')]),
          ...Object.entries(MENU_BLOCKS).map(([block, label]) => [`block ${block}`, text(label, l, 'kit')]),
          ...Object.entries(MENU_SUBJECTS).map(([subject, label]) => [`subject ${subject}`, text(label, l, 'kit')]),
          ...Object.entries(MENU_SUBJECTS_OF_TYPE).flatMap(([type, subjects]) =>
            Object.entries(subjects).map(([subject, label]) => [
              `type ${type} subject ${subject}`,
              text(label, l, 'kit'),
            ]),
          ),
          ...all.flatMap(({ area, screen: { path, menu } }) =>
            menu?.tab ? [[`tab ${path}`, text(menu.tab, l, area)]] : [],
          ),
          ...all.flatMap(({ area, screen: { path, menu } }) =>
            menu?.also ? [[`also ${path}`, text(menu.also, l, area)]] : [],
          ),
          ...all.flatMap(({ area, screen: { path, titleOfType } }) =>
            Object.entries(titleOfType ?? {}).map(([type, label]) => [`type ${type} ${path}`, text(label, l, area)]),
          ),
        ]),
      ]),
    ),
  }
}

if (import.meta.main) process.stdout.write(JSON.stringify({ ...builtScreens(), ...(await builtAreas()) }))
