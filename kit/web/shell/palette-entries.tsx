import {
  IconClick,
  IconClockHour4,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconSearch,
  IconUser,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import Fuse from 'fuse.js'
import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { ResponseOf } from '#kit/contract/call.ts'
import { queryOf } from '../api/hooks.ts'
import { calls } from '../auth/calls.ts'
import type { Me } from '../auth/me.ts'
import { useT } from '../i18n/catalogue.ts'
import { fold, nameOf, otherNameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import {
  SCREENS,
  alsoOf,
  loadTitles,
  screenAt,
  screenOfResource,
  screensOfRecords,
  titleOf,
} from '../router/screens.ts'
import { fillPath } from '../router/paths.ts'
import { NamedIcon } from './icon.tsx'
import type { MenuGroupView } from './menu.ts'
import { opensAlone } from './menu.ts'
import { useVisits } from './recent.ts'
import { searchedResources } from './searched.ts'
import type { ShellActions } from './topbar.tsx'

type Found = ResponseOf<typeof calls.search>['data'][number]
/** What can be gone to or done. */
export interface Entry {
  readonly key: string
  readonly section: string
  readonly title: string
  readonly second?: string | null
  readonly code?: string | null
  readonly icon: ReactNode
  /** What is searched, folded. */
  readonly words: readonly string[]
  readonly go: () => void
}

/** The documents' fuzzy search: threshold 0.3, word by word. */
const THRESHOLD = 0.3
const MOST = 8
/** Records told of each kind. */
const ROWS = 6

/** 0: one of the names begins as was typed; 1: each word that was typed begins a word of one; 2: neither. */
function beginsIn(names: readonly string[], typed: string): 0 | 1 | 2 {
  if (names.some((name) => name.startsWith(typed))) return 0
  const words = typed.split(' ')
  return names.some((name) => words.every((word) => ` ${name}`.includes(` ${word}`))) ? 1 : 2
}

/** What the shell is asked by the palette. */
export interface PaletteProps {
  readonly me: Me
  readonly groups: readonly MenuGroupView[]
  readonly actions: ShellActions
  readonly close: () => void
}
type Open = (address: string) => () => void

/** Screens that the reader may open. */
function useScreens({ me, groups }: PaletteProps, open: Open): Entry[] {
  const t = useT('kit')
  const l = useLanguage()
  const iconOf = useMemo(
    () => new Map(groups.flatMap((g) => g.items.map((i) => [i.screen.path, i.icon] as const))),
    [groups],
  )
  return SCREENS.filter((s) => s.layout !== 'full' && opensAlone(s) && me.opens(s)).map((s) => ({
    key: s.path,
    section: t('palette_screens'),
    title: titleOf(s, l),
    icon: <NamedIcon name={iconOf.get(s.path) ?? s.menu?.icon ?? 'point'} />,
    words: [
      titleOf(s, l),
      titleOf(s, 'en'),
      titleOf(s, 'ar'),
      ...[...new Set([l, 'en', 'ar'] as const)].flatMap((one) => alsoOf(s, one)),
    ].map(fold),
    go: open(fillPath(s.path)),
  }))
}

/** What the shell can do. */
function useActions({ actions, close }: PaletteProps): Entry[] {
  const t = useT('kit')
  return (
    [
      ['appearance', t('appearance'), IconPalette, actions.appearance],
      ['shortcuts', t('keyboard_shortcuts'), IconKeyboard, actions.shortcuts],
      ['sign-out', t('sign_out'), IconLogout, actions.signOut],
    ] as const
  ).map(([key, title, Icon, go]) => ({
    key,
    section: t('palette_actions'),
    title,
    icon: <Icon size={18} stroke={1.6} aria-hidden />,
    words: [fold(title)],
    go: () => {
      close()
      go()
    },
  }))
}

/** What can be done on the page that is open: what stands in its title line. */
function useOnPage(close: () => void): Entry[] {
  const t = useT('kit')
  // What stood there when the palette was opened.
  const [entries] = useState(() =>
    [...document.querySelectorAll<HTMLElement>('main header :is(button, a[href])')].flatMap((control, i): Entry[] => {
      const title = control.textContent.trim()
      if (!title || control.matches(':disabled') || !control.checkVisibility()) return []
      return [
        {
          key: `page ${i}`,
          section: t('palette_on_page'),
          title,
          icon: <IconClick size={18} stroke={1.6} aria-hidden />,
          words: [fold(title)],
          go: () => {
            close()
            control.click()
          },
        },
      ]
    }),
  )
  return entries
}

/** Where the reader was last. */
function useRecent({ me }: PaletteProps, open: Open): Entry[] {
  const t = useT('kit')
  const l = useLanguage()
  // One record is one entry, whichever of its addresses was opened.
  const seen = new Set<string>()
  const visits = useVisits(me.user.id).filter((v) => {
    const what = typeof v.item === 'object' ? `${v.item.code ?? ''} ${v.item.name} ${v.screen}` : v.address
    return !seen.has(what) && seen.add(what)
  })
  return visits.flatMap((v): Entry[] => {
    const screen = screenAt(v.screen)
    if (!screen || !me.opens(screen)) return []
    const title = v.item === undefined ? titleOf(screen, l) : typeof v.item === 'string' ? v.item : nameOf(v.item, l)
    return [
      {
        key: `recent ${v.address}`,
        section: t('recently_visited'),
        title,
        second: v.item === undefined || title === titleOf(screen, l) ? null : titleOf(screen, l),
        code: typeof v.item === 'object' ? v.item.code : null,
        icon: <IconClockHour4 size={18} stroke={1.6} aria-hidden />,
        words: [fold(title)],
        go: open(v.address),
      },
    ]
  })
}

/** Records whose names or codes have what is wanted, and the lists of the rest. */
function useRecords({ me }: PaletteProps, wanted: string, open: Open) {
  const t = useT('kit')
  const l = useLanguage()
  const screens = useMemo(() => screensOfRecords(), [])
  const first = searchedResources()
  // Those that are looked for most come first; an account is found as the person whose it is.
  const named = [...new Set([...first, ...screens.keys()])].filter(
    (name) => name !== 'user' && screens.has(name) && me.opens(screens.get(name)!),
  )
  const records = useQuery<readonly Found[]>({
    queryKey: ['palette', wanted, named],
    enabled: wanted.length >= 2 && named.length > 0,
    staleTime: 30_000,
    placeholderData: (before) => before,
    queryFn: async ({ signal }) => {
      const body = { names: named, search: wanted, limit: ROWS }
      const { data } = await queryOf(calls.search, { body }).queryFn({ signal })
      const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
      return data.toSorted((a, b) => place(a.name) - place(b.name))
    },
  })
  const found: Entry[] =
    wanted.length >= 2
      ? (records.data ?? []).flatMap(({ name, data }) => {
          const shown = screens.get(name)!
          const listScreen = screenOfResource(name, 'list') ?? screenAt(shown.parent ?? '')
          const all = data.length >= ROWS && listScreen && me.may(listScreen.permission) ? listScreen : null
          const entries = data.flatMap((row): Entry[] => {
            return [
              {
                key: `${name} ${row.id}`,
                section: titleOf(listScreen ?? shown, l),
                title: nameOf(row, l),
                second: otherNameOf(row, l),
                code: row.code,
                icon: listScreen?.menu ? (
                  <NamedIcon name={listScreen.menu.icon} />
                ) : (
                  <IconUser size={18} stroke={1.6} aria-hidden />
                ),
                words: [],
                go: open(fillPath(shown.path, { id: row.id })),
              },
            ]
          })
          if (all)
            entries.push({
              key: `${name} all`,
              section: titleOf(all, l),
              title: t('palette_all', { search: wanted }),
              icon: <IconSearch size={18} stroke={1.6} aria-hidden />,
              words: [],
              go: open(fillPath(all.path, {}, { search: wanted })),
            })
          return entries
        })
      : []
  return { found, searching: records.isFetching, failed: wanted.length >= 2 && records.isError }
}

/** Everything that what is wanted leads to, the best first; without a word where one was, and the first screens. */
export function usePaletteEntries(props: PaletteProps, wanted: string) {
  const t = useT('kit')
  const navigate = useNavigate()
  const [, setTitlesReady] = useState(0)
  // Screens are found by their English and Arabic names whatever the language of the interface is.
  useEffect(() => {
    void Promise.all([loadTitles('en'), loadTitles('ar')]).then(() => setTitlesReady((n) => n + 1))
  }, [])

  const open: Open = (address) => () => {
    props.close()
    void navigate(address)
  }
  const { groups } = props
  const screens = useScreens(props, open)
  const actionEntries = useActions(props)
  const recent = useRecent(props, open)
  const { found, searching, failed } = useRecords(props, wanted, open)

  const onPage = useOnPage(props.close)
  const local = [...onPage, ...screens, ...actionEntries]
  const fuse = new Fuse(local, {
    keys: ['words'],
    threshold: THRESHOLD,
    ignoreLocation: true,
    useTokenSearch: true,
    includeScore: true,
  })
  const typed = fold(wanted)
  const hits = wanted
    ? fuse
        .search(typed)
        .map(({ item }) => ({ item, rank: beginsIn(item.words, typed) }))
        .toSorted((a, b) => a.rank - b.rank)
        .slice(0, MOST)
    : []
  // A record that was seen on several of its screens, and a screen that stands among them, are offered once.
  const visited = [
    ...new Map(recent.map((one) => [`${one.title} ${one.code ?? ''}`, one] as const).toReversed()).values(),
  ]
    .toReversed()
    .slice(0, 6)
  const entries = wanted
    ? [
        ...hits.filter(({ rank }) => rank < 2).map(({ item }) => item),
        ...found,
        // What only sounds like it is told where nothing is called so.
        ...(found.length || hits.some(({ rank }) => rank < 2)
          ? []
          : hits.map(({ item }) => ({ ...item, section: t('palette_similar') }))),
      ]
    : [
        ...onPage,
        ...visited,
        ...groups
          .flatMap((g) => g.items)
          .filter((i) => !visited.some((one) => one.key === `recent ${i.screen.path}`))
          .slice(0, 6)
          .flatMap((i) => screens.find((s) => s.key === i.screen.path) ?? []),
      ]
  return { entries, searching, failed }
}
