/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events --
   the combobox pattern of ARIA: focus stays in the field, which handles the keys of its list */
import { Loader, Modal } from '@mantine/core'
import { IconClockHour4, IconLogout, IconPalette, IconKeyboard, IconSearch, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import Fuse from 'fuse.js'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { ResponseOf } from '#kit/contract/call.ts'
import { queryOf } from '../api/hooks.ts'
import { calls } from '../auth/calls.ts'
import type { Me } from '../auth/me.ts'
import { useT } from '../i18n/catalogue.ts'
import { fold, nameOf, otherNameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { addressOfRecord, SCREENS, loadTitles, screenAt, screenOfResource, titleOf } from '../router/screens.ts'
import { Code } from '../feedback/words.tsx'
import { NamedIcon } from './icon.tsx'
import type { MenuGroupView } from './menu.ts'
import { opensAlone } from './menu.ts'
import { useVisits } from './recent.ts'
import { searchedResources } from './searched.ts'
import type { ShellActions } from './topbar.tsx'
import css from './palette.module.css'
import { fillPath } from '../router/paths.ts'

type Row = ResponseOf<typeof calls.lookup>['data'][number]
interface Found {
  readonly name: string
  readonly data: readonly Row[]
}
interface Entry {
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

/** Goes to any screen, person or course, and does what the shell can do. */
export default function Palette({
  me,
  groups,
  actions,
  close,
}: {
  me: Me
  groups: readonly MenuGroupView[]
  actions: ShellActions
  close: () => void
}) {
  const t = useT('kit')
  const l = useLanguage()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const [at, setAt] = useState(0)
  const [, setTitlesReady] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const ids = useId()

  // Screens are found by their English and Arabic names whatever the language of the interface is.
  useEffect(() => {
    void Promise.all([loadTitles('en'), loadTitles('ar')]).then(() => setTitlesReady((n) => n + 1))
  }, [])

  const open = (address: string) => () => {
    close()
    void navigate(address)
  }
  const iconOf = useMemo(
    () => new Map(groups.flatMap((g) => g.items.map((i) => [i.screen.path, i.icon] as const))),
    [groups],
  )
  const screens: Entry[] = SCREENS.filter((s) => s.layout !== 'full' && opensAlone(s) && me.opens(s)).map((s) => ({
    key: s.path,
    section: t('palette_screens'),
    title: titleOf(s, l),
    icon: <NamedIcon name={iconOf.get(s.path) ?? s.menu?.icon ?? 'point'} />,
    words: [titleOf(s, l), titleOf(s, 'en'), titleOf(s, 'ar')].map(fold),
    go: open(fillPath(s.path)),
  }))
  const actionEntries: Entry[] = (
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
  const visits = useVisits(me.user.id)
  const recent: Entry[] = visits.flatMap((v) => {
    const screen = screenAt(v.screen)
    if (!screen || !me.opens(screen)) return []
    const title = v.item === undefined ? titleOf(screen, l) : typeof v.item === 'string' ? v.item : nameOf(v.item, l)
    return [
      {
        key: `recent ${v.address}`,
        section: t('recently_visited'),
        title,
        second: v.item === undefined ? null : titleOf(screen, l),
        code: typeof v.item === 'object' ? v.item.code : null,
        icon: <IconClockHour4 size={18} stroke={1.6} aria-hidden />,
        words: [fold(title)],
        go: open(v.address),
      },
    ]
  })

  const named = searchedResources().filter((name) => {
    const show = screenOfResource(name, 'show')
    return show && me.opens(show)
  })
  const records = useQuery<readonly Found[]>({
    queryKey: ['palette', wanted, named],
    enabled: wanted.length >= 2 && named.length > 0,
    staleTime: 30_000,
    placeholderData: (before) => before,
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        named.map((name) =>
          queryOf(calls.lookup, { body: { name, search: wanted, limit: ROWS } })
            .queryFn({ signal })
            .then(
              ({ data }) => ({ name, data }),
              () => ({ name, data: [] as Row[] }),
            ),
        ),
      )
      return answers
    },
  })
  const found: Entry[] =
    wanted.length >= 2
      ? (records.data ?? []).flatMap(({ name, data }) => {
          const listScreen = screenOfResource(name, 'list')
          const all = data.length >= ROWS && listScreen && me.may(listScreen.permission) ? listScreen : null
          const entries = data.flatMap((row): Entry[] => {
            const address = addressOfRecord(name, 'show', row.id)
            if (!address) return []
            return [
              {
                key: `${name} ${row.id}`,
                section: listScreen ? titleOf(listScreen, l) : name,
                title: nameOf(row, l),
                second: otherNameOf(row, l),
                code: row.code,
                icon: listScreen?.menu ? (
                  <NamedIcon name={listScreen.menu.icon} />
                ) : (
                  <IconUser size={18} stroke={1.6} aria-hidden />
                ),
                words: [],
                go: open(address),
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

  const local = [...screens, ...actionEntries]
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
  const entries = wanted
    ? [
        ...hits.filter(({ rank }) => rank < 2).map(({ item }) => item),
        ...found,
        // What only sounds like it stands behind who is called so.
        ...hits.filter(({ rank }) => rank === 2).map(({ item }) => item),
      ]
    : [
        ...recent.slice(0, 6),
        ...groups
          .flatMap((g) => g.items)
          .slice(0, 6)
          .flatMap((i) => screens.find((s) => s.key === i.screen.path) ?? []),
      ]
  const sections = [...new Set(entries.map((e) => e.section))].map(
    (section) => [section, entries.filter((e) => e.section === section)] as const,
  )
  const ordered = sections.flatMap(([, of]) => of)
  const index = Math.min(at, Math.max(0, ordered.length - 1))
  const current = ordered[index]
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- follows the highlighted entry
  }, [index])

  return (
    <Modal
      opened
      onClose={close}
      withCloseButton={false}
      padding={0}
      size={620}
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': t('search_or_go') } }}
      radius="lg"
    >
      <div className={css.field}>
        <IconSearch size={19} aria-hidden />
        <input
          data-autofocus
          className={css.input}
          role="combobox"
          aria-expanded
          aria-controls={`${ids}list`}
          aria-activedescendant={current ? `${ids}${index}` : undefined}
          aria-label={t('search_or_go')}
          placeholder={t('palette_placeholder')}
          value={search}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault()
              const step = event.key === 'ArrowDown' ? 1 : -1
              setAt((index + step + ordered.length) % Math.max(1, ordered.length))
            } else if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) {
              event.preventDefault()
              current.go()
            }
          }}
        />
        {records.isFetching && <Loader size={16} aria-label={t('palette_searching')} />}
      </div>
      <div className={css.list} role="listbox" id={`${ids}list`} aria-label={t('search_or_go')} ref={list}>
        {sections.map(([section, of]) => (
          <div key={section} role="group" aria-label={section}>
            <div className={css.section} aria-hidden>
              {section}
            </div>
            {of.map((entry) => {
              const i = ordered.indexOf(entry)
              return (
                <div
                  key={entry.key}
                  id={`${ids}${i}`}
                  role="option"
                  aria-selected={i === index}
                  className={css.entry}
                  onPointerMove={() => setAt(i)}
                  onClick={entry.go}
                >
                  <span className={css.icon}>{entry.icon}</span>
                  <span className={css.texts}>
                    <bdi>{entry.title}</bdi>
                    {entry.second && <bdi className={css.second}>{entry.second}</bdi>}
                  </span>
                  {entry.code && <Code className={css.code}>{entry.code}</Code>}
                </div>
              )
            })}
          </div>
        ))}
        {wanted && ordered.length === 0 && !records.isFetching && (
          <p className={css.nothing}>{t('palette_empty', { search: wanted })}</p>
        )}
      </div>
    </Modal>
  )
}
