import { IconChevronUp } from '@tabler/icons-react'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router'
import { liveStore, loadMe, patchLive, useMaybeMe } from '../auth/me.ts'
import type { Me } from '../auth/me.ts'
import { listenForEvents, onEvent } from '../auth/events.ts'
import { sessionsStore, signOut } from '../auth/session.ts'
import { keepFocus } from '../feedback/focus.ts'
import { hideOverlays } from '../feedback/overlay.tsx'
import { confirm } from '../feedback/dialogs.tsx'
import { notify } from '../feedback/notify.tsx'
import { listenForShortcuts, useShortcut } from '../feedback/shortcuts.ts'
import { isolate, loadTexts, translate, useT } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { part } from '../later.ts'
import { titleOf } from '../router/screens.ts'
import { homePath } from '../router/home.ts'
import { useIsNavigating } from '../router/routes.tsx'
import { usePreferences } from '../theme/preferences.ts'
import { useUniversity } from '../theme/university.ts'
import { forgetAllMine, mineWaiting } from '../offline/waiting.ts'
import { Banners } from './banners.tsx'
import { Coming, useComing } from './coming.tsx'
import { Crumbs } from './crumbs.tsx'
import { useHere } from './here.ts'
import { goKeys, menuOf } from './menu.ts'
import { NavRail, NavTop } from './nav.tsx'
import { noteVisit } from './recent.ts'
import { TopBar } from './topbar.tsx'
import css from './shell.module.css'

const MenuDrawer = part(async () => (await import('./menu-drawer.tsx')).default, { ahead: true })
const Palette = part(async () => (await import('./palette.tsx')).default)
const Appearance = part(async () => (await import('./appearance.tsx')).default)
const ShortcutSheet = part(async () => (await import('./shortcut-sheet.tsx')).default)

/** Version of the application, shown in its footer. */
export const APP_VERSION = '7.12.14'
/** The documents show the button after 250 px. */
const SCROLL_TOP_PX = 250

function useWindowTitle(): void {
  const l = useLanguage()
  const { screen, item } = useHere()
  const u = useUniversity()
  useEffect(() => {
    const own = item === null ? (screen ? titleOf(screen, l) : '') : typeof item === 'string' ? item : nameOf(item, l)
    document.title = [own, u.short_name || 'University EMS'].filter(Boolean).join(' · ')
  }, [screen, item, l, u])
}

function useNotedVisits(me: Me): void {
  const { screen, item } = useHere()
  const { pathname } = useLocation()
  useEffect(() => {
    if (!screen || screen.layout === 'full') return
    // A record is noted once its name is known.
    const timer = setTimeout(
      () => noteVisit(me.user.id, { address: pathname, screen: screen.path, ...(item ? { item } : {}) }),
      item ? 0 : 1500,
    )
    return () => clearTimeout(timer)
  }, [pathname, screen, item, me.user.id])
}

function ScrollTop() {
  const t = useT('kit')
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const look = () => setShown(window.scrollY > SCROLL_TOP_PX)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  if (!shown) return null
  return (
    <button
      type="button"
      className={`${css.scrollTop} no-print`}
      aria-label={t('scroll_to_top')}
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
    >
      <IconChevronUp size={18} aria-hidden />
    </button>
  )
}

export function LoadingBar() {
  const busy = useIsNavigating()
  return <div className={css.loading} data-busy={busy} aria-hidden />
}

/** Menu, bars and everything that stays while screens change. Shown only to whoever is signed in. */
export function Shell() {
  const me = useMaybeMe()
  // Between signing out and arriving at the sign-in page nobody is there.
  return me ? <SignedInShell me={me} /> : null
}

/** Milliseconds between two counts of unread conversations, however much is written; the first comes a moment after. */
const COUNT_EVERY = 20_000

/** Counts anew which conversations have something unread, when something is said or read. Returns the way to stop. */
function countChats(me: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let counted = -Infinity
  const count = () => {
    timer ??= setTimeout(
      () => {
        timer = undefined
        counted = performance.now()
        loadMe().catch(() => undefined)
      },
      // People of one group do not ask all at once.
      Math.max(500 + Math.random() * 1500, counted + COUNT_EVERY - performance.now()),
    )
  }
  const stops = [
    onEvent('chat_message', (data) => {
      if ((data as { message?: { author: { id: number } } } | null)?.message?.author.id !== me) count()
    }),
    onEvent('chat_read', (data) => {
      if ((data as { user_id?: number } | null)?.user_id === me && liveStore.get()?.chat_notification_count) count()
    }),
  ]
  return () => {
    clearTimeout(timer)
    stops.forEach((stop) => stop())
  }
}

function SignedInShell({ me }: { me: Me }) {
  const t = useT('kit')
  const l = useLanguage()
  const navigate = useNavigate()
  const [preferences] = usePreferences()
  const { pathname } = useLocation()
  const groups = useMemo(() => menuOf(me, l), [me, l])
  // What is open belongs to the address: going elsewhere closes it.
  const [opened, setOpened] = useState<{ what: 'palette' | 'appearance' | 'shortcuts' | 'menu' | null; at: string }>({
    what: null,
    at: pathname,
  })
  const open = opened.at === pathname ? opened.what : null
  // Once it was open it stays, so that it leaves as it came.
  const [menuUsed, setMenuUsed] = useState(false)
  const setOpen = (what: typeof opened.what) => {
    setOpened({ what, at: pathname })
    if (what === 'menu') setMenuUsed(true)
  }
  useWindowTitle()
  useNotedVisits(me)

  useEffect(() => listenForShortcuts(), [])
  useEffect(() => keepFocus(), [])
  const session = sessionsStore.use()
  useEffect(() => {
    const stops = [
      listenForEvents(),
      countChats(me.user.id),
      onEvent('notification', (data) => {
        const count = (data as { count?: number } | null)?.count
        patchLive({
          notification_count: typeof count === 'number' ? count : (liveStore.get()?.notification_count ?? 0) + 1,
        })
      }),
    ]
    return () => stops.forEach((stop) => stop())
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the stream belongs to one person
  }, [me.user.id, session])
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- after each navigation, whatever it was
  useEffect(hideOverlays, [pathname])

  useShortcut('mod+k', () => setOpen('palette'), t('shortcut_palette'), 'everywhere')
  useShortcut('?', () => setOpen('shortcuts'), t('shortcut_help'), 'everywhere')

  useAhead(me)

  const coming = useComing()
  const horizontal = preferences.layout === 'horizontal'
  const leave = async () => {
    const waiting = me.live.impersonation ? 0 : mineWaiting().length
    if (waiting) {
      await loadTexts('kit-waiting')
      const lose = await confirm({
        title: translate('kit-waiting', 'leave', { count: waiting }),
        consequence: translate('kit-waiting', 'leave_text'),
        action: t('sign_out'),
        danger: true,
      })
      if (!lose) return
      forgetAllMine()
    }
    const back = await signOut()
    void navigate(back ? '/' : '/login')
    if (!back) notify.info(t('signed_out'))
  }
  const actions = {
    palette: () => setOpen('palette'),
    appearance: () => setOpen('appearance'),
    shortcuts: () => setOpen('shortcuts'),
    menu: () => setOpen('menu'),
    signOut: () => void leave(),
  }
  return (
    <div
      className={css.shell}
      data-layout={preferences.layout}
      data-collapsed={preferences.collapsed}
      data-menu={preferences.menuHidden ? 'hidden' : 'shown'}
      data-navbar={preferences.navbar}
      data-width={preferences.width}
    >
      <a href="#content" className={css.skip}>
        {t('skip_to_content')}
      </a>
      <GoKey letter="h" title={t('home')} go={() => void navigate(homePath())} />
      {goKeys(groups).map(({ key, item }) => (
        <GoKey key={key} letter={key} title={item.title} go={() => void navigate(item.href)} />
      ))}
      {!horizontal && !preferences.menuHidden && <NavRail groups={groups} dark={preferences.skin === 'semi-dark'} />}
      <div className={css.column}>
        {preferences.navbar !== 'hidden' && (
          <TopBar me={me} actions={actions} coloured={preferences.navbarColour === 'accent'} brand={horizontal} />
        )}
        {horizontal && !preferences.menuHidden && <NavTop groups={groups} />}
        <Banners me={me} leave={actions.signOut} />
        <div className={css.body}>
          {horizontal && <Crumbs className={css.crumbsBelow} />}
          <main
            id="content"
            className={css.content}
            tabIndex={-1}
            data-transition={preferences.transition}
            key={preferences.transition ? pathname : undefined}
          >
            {coming ? <Coming screen={coming} /> : <Outlet />}
          </main>
        </div>
        {preferences.footer === 'static' && <Footer />}
      </div>
      <ScrollTop />
      <ScrollRestoration />
      <Suspense fallback={null}>
        {menuUsed && <MenuDrawer opened={open === 'menu'} close={() => setOpen(null)} groups={groups} />}
        {open === 'palette' && <Palette me={me} groups={groups} actions={actions} close={() => setOpen(null)} />}
        {open === 'appearance' && <Appearance close={() => setOpen(null)} />}
        {open === 'shortcuts' && <ShortcutSheet close={() => setOpen(null)} />}
      </Suspense>
    </div>
  )
}

/** Milliseconds after which nobody waits for the first screen any more. */
const SETTLED_MS = 12_000
/** Once the screen stands, what a phone reads without a line is fetched ahead. */
function useAhead(me: Me): void {
  const { live } = me
  const person = live.impersonation === null ? live.user.id : null
  useEffect(() => {
    if (person === null) return
    const timer = setTimeout(() => {
      const fetchNow = async () => (await import('../offline/ahead.ts')).fetchAhead(me)
      fetchNow().catch(() => undefined)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- once for a person
  }, [person])
}

function GoKey({ letter, title, go }: { letter: string; title: string; go: () => void }) {
  useShortcut(`g ${letter}`, go, title, 'go')
  return null
}

function Footer() {
  const t = useT('kit')
  const u = useUniversity()
  const l = useLanguage()
  return (
    <footer className={`${css.footer} no-print`}>
      <span>
        <bdi>{nameOf(u, l) || 'University EMS'}</bdi>
      </span>
      <span>{t('version', { version: isolate(APP_VERSION) })}</span>
    </footer>
  )
}
