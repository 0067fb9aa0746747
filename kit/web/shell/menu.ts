import { SCREENS, blockTitle, groupsOf, subjectTitle, titleOf } from '../router/screens.ts'
import type { ScreenInfo } from '../router/screens.ts'
import { fillPath } from '../router/paths.ts'
import type { Me } from '../auth/me.ts'
import type { Language } from '../i18n/language.ts'

export interface MenuItem {
  readonly screen: ScreenInfo
  readonly href: string
  readonly title: string
  readonly icon: string
  /** Screens that stand under this item: its own, and the others of its subject. */
  readonly paths: readonly string[]
  /** What stands above the first item of a block. */
  readonly heading?: string
}
export interface MenuGroupView {
  readonly key: string
  readonly title: string
  readonly icon: string
  readonly items: readonly MenuItem[]
}

/** A screen that opens without a parameter. */
export const opensAlone = (screen: ScreenInfo): boolean => !/:\w+(?!\?|\w)/.test(screen.path)

const inMenu = (me: Me, s: ScreenInfo): boolean =>
  s.menu !== undefined &&
  !s.menu.setup &&
  !s.menu.notFor?.includes(me.user.type) &&
  (!s.menu.only || me.may(s.menu.only)) &&
  me.opens(s) &&
  opensAlone(s)

/** The screens of a subject that the reader may open, as tabs beside each other: nothing where there is one alone. */
export function tabsBeside(me: Me, screen: ScreenInfo): readonly ScreenInfo[] {
  const subject = screen.menu?.subject
  if (subject === undefined || !inMenu(me, screen)) return []
  const all = SCREENS.filter((s) => s.menu?.subject === subject && inMenu(me, s))
  return all.length > 1 ? all.toSorted((a, b) => a.menu!.order - b.menu!.order) : []
}

/** The group in which a screen stands for users of a type. */
export const groupOf = ({ menu }: ScreenInfo, type: number | undefined): string | undefined =>
  menu?.groupOfType?.[type ?? 0] ?? menu?.group

/** Groups of so few items need no headings. */
const SHORT = 5
/** The menu of a reader: what he or she may not open is not in it, and screens of one subject are one item, where the first stands. */
export function menuOf(me: Me, l: Language): MenuGroupView[] {
  const placed = new Set<string>()
  return groupsOf(l).flatMap(({ key, title, icon }) => {
    const items = SCREENS.filter((s) => groupOf(s, me.user.type) === key && inMenu(me, s))
      .toSorted((a, b) => a.menu!.order - b.menu!.order)
      .filter(({ menu }) => {
        const subject = menu!.subject
        if (subject === undefined) return true
        if (placed.has(subject)) return false
        placed.add(subject)
        return true
      })
      .map((screen, i, all) => {
        const { icon, subject, group } = screen.menu!
        // A heading belongs to the group in which it was meant: among a student's own things nothing is called "Students".
        const block = key === group ? screen.menu!.block : undefined
        const begins = block !== undefined && block !== all[i - 1]?.menu?.block && all.length > SHORT
        const tabs = tabsBeside(me, screen)
        const first = tabs[0] ?? screen
        return {
          screen: first,
          href: fillPath(first.path),
          title: tabs.length && subject ? subjectTitle(subject, l) : titleOf(first, l),
          icon,
          paths: [screen, ...tabs].map(({ path }) => path),
          ...(begins && { heading: blockTitle(block, l) }),
        }
      })
    return items.length ? [{ key, title, icon, items }] : []
  })
}

/** Chain of declared parents above a screen, the nearest last, as a user of this type sees it. */
export function parentsOf(screen: ScreenInfo, userType?: number): ScreenInfo[] {
  const chain: ScreenInfo[] = []
  let at: ScreenInfo | undefined = screen
  while (at?.parent && chain.length < 8) {
    const above: string = at.parentOfType?.[userType ?? 0] ?? at.parent
    const parent: ScreenInfo | undefined = SCREENS.find((s) => s.path === above)
    if (!parent || parent === at || chain.includes(parent)) break
    chain.unshift(parent)
    at = parent
  }
  return chain
}

/** Address of a parent with the parameters of the present screen; null when one is missing. */
export function addressFrom(screen: ScreenInfo, params: Readonly<Record<string, string | undefined>>): string | null {
  try {
    return fillPath(screen.path, opensAlone(screen) ? {} : params)
  } catch {
    return null
  }
}

/**
 * Keys `g` and a letter for screens of the menu: the first letter of the address that is still free, in the menu's order,
 * so that the same rights give the same keys.
 */
export function goKeys(groups: readonly MenuGroupView[]): { key: string; item: MenuItem }[] {
  // `h` is home.
  const taken = new Set(['h'])
  const out: { key: string; item: MenuItem }[] = []
  for (const item of groups.flatMap((g) => g.items)) {
    const word =
      item.href
        .split('/')
        .filter(Boolean)
        .at(-1)
        ?.replace(/[^a-z]/gi, '')
        .toLowerCase() ?? ''
    const key = [...word].find((letter) => !taken.has(letter))
    if (!key) continue
    taken.add(key)
    out.push({ key, item })
  }
  return out
}
