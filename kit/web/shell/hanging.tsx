import { Kbd, Menu, Popover } from '@mantine/core'
import { IconCheck, IconHelpCircle, IconKeyboard, IconLogout, IconPalette, IconUserCircle } from '@tabler/icons-react'
import { Fragment, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, Ref, RefObject } from 'react'
import { Link } from 'react-router'
import type { Me } from '../auth/me.ts'
import { useT } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import { LANGUAGES, LANGUAGE_NAMES, useLanguage } from '../i18n/language.ts'
import { part } from '../later.ts'
import { prefetchScreen } from '../router/load.tsx'
import { NamedIcon } from './icon.tsx'
import { chooseLanguage } from './choose-language.ts'
import type { MenuGroupView } from './menu.ts'
import type { HangingProps } from './opens.tsx'
import type { ShellActions } from './topbar.tsx'
import nav from './nav.module.css'
import css from './shell.module.css'

const OwnRecords = part(async () => (await import('./own-records.tsx')).default)
const Notifications = part(async () => (await import('./notifications.tsx')).default)

/** What the target of a menu or a panel is told. */
interface Told {
  readonly id?: string
  readonly ref?: Ref<HTMLElement>
  readonly onClick?: (event: MouseEvent) => void
  readonly onMouseEnter?: (event: MouseEvent) => void
  readonly onMouseLeave?: (event: MouseEvent) => void
  readonly 'aria-haspopup'?: string
  readonly 'aria-expanded'?: boolean
  readonly 'aria-controls'?: string
}
/** Gives the button to whoever asks for its place. */
function refer(ref: Ref<HTMLElement> | undefined, button: HTMLElement): void {
  if (typeof ref === 'function') ref(button)
  else if (ref) ref.current = button
}
/** Says of the button what it opens, and whether that is open. */
function mark(button: HTMLElement, { id, ...told }: Told): void {
  if (id) button.id = id
  button.setAttribute('aria-haspopup', told['aria-haspopup'] ?? 'menu')
  button.setAttribute('aria-expanded', String(told['aria-expanded'] ?? false))
  if (told['aria-controls']) button.setAttribute('aria-controls', told['aria-controls'])
  else button.removeAttribute('aria-controls')
}
/** Hears what is done with the button; answers the way to stop. */
function hear(button: HTMLElement, told: () => Told): () => void {
  const stop = new AbortController()
  const { signal } = stop
  button.addEventListener('click', (event) => told().onClick?.(event), { signal })
  button.addEventListener('mouseenter', (event) => told().onMouseEnter?.(event), { signal })
  button.addEventListener('mouseleave', (event) => told().onMouseLeave?.(event), { signal })
  // Whoever points at it came before the code.
  if (button.matches(':hover')) told().onMouseEnter?.(new MouseEvent('mouseenter'))
  button.dataset.hangs = 'true'
  return () => {
    stop.abort()
    delete button.dataset.hangs
  }
}
/** Stands for a button that is on the page already: what its target is told is passed on to it. */
function Target({ at, ...told }: Told & { at: HTMLElement }) {
  const latest = useRef(told)
  const { ref } = told
  useLayoutEffect(() => {
    latest.current = told
    mark(at, told)
  })
  useLayoutEffect(() => refer(ref, at), [at, ref])
  useLayoutEffect(() => hear(at, () => latest.current), [at])
  return null
}

/** The menu of the person who is signed in. */
export function AccountMenu({ at, pressed, me, actions }: HangingProps & { me: Me; actions: ShellActions }) {
  const t = useT('kit')
  const l = useLanguage()
  const name = nameOf(me.user, l)
  const { records } = me.live
  return (
    <Menu position="bottom-end" width={250} defaultOpened={pressed}>
      <Menu.Target>
        <Target at={at} />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={css.accountHead}>
          <bdi className={css.accountName}>{name}</bdi>
          <bdi className={css.accountMail}>{me.user.email}</bdi>
        </div>
        {records.length > 0 && (
          <Suspense fallback={null}>
            <OwnRecords records={records} />
          </Suspense>
        )}
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile" leftSection={<IconUserCircle size={17} aria-hidden />}>
          {t('profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPalette size={17} aria-hidden />} onClick={actions.appearance}>
          {t('appearance')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={17} aria-hidden />}
          onClick={actions.shortcuts}
          rightSection={<Kbd size="xs">?</Kbd>}
        >
          {t('keyboard_shortcuts')}
        </Menu.Item>
        <Menu.Item component={Link} to="/help" leftSection={<IconHelpCircle size={17} aria-hidden />}>
          {t('help')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {LANGUAGES.map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            closeMenuOnClick={false}
            aria-current={one === l || undefined}
            rightSection={one === l ? <IconCheck size={16} aria-hidden /> : null}
            onClick={() => void chooseLanguage(one)}
          >
            <bdi>{LANGUAGE_NAMES[one]}</bdi>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={17} aria-hidden className="pointing" />} onClick={actions.signOut}>
          {t('sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** What was told lately, in a panel at the bell. */
export function BellPanel({ at, pressed }: HangingProps) {
  const t = useT('kit')
  return (
    <Popover width="min(360px, calc(100vw - 24px))" position="bottom-end" trapFocus defaultOpened={pressed}>
      <Popover.Target>
        <Target at={at} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('notifications')}>
        <Suspense fallback={<div className={css.popoverWaiting} />}>
          <Notifications close={() => at.click()} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Whoever opened it by a key goes on in it. */
function GoesOnHere({ within }: { within: RefObject<HTMLElement | null> }) {
  useEffect(
    () => within.current?.querySelector<HTMLElement>('[data-menu-item]')?.focus({ preventScroll: true }),
    [within],
  )
  return null
}

/** The items of one group of the menu, beside or below its word. */
export function Flyout({
  at,
  pressed,
  group,
  current,
  beside,
}: HangingProps & { group: MenuGroupView; current?: string; beside: boolean }) {
  const [opened, setOpened] = useState(pressed)
  const items = useRef<HTMLDivElement>(null)
  const [byKeyboard, setByKeyboard] = useState(pressed && at.matches(':focus-visible'))
  useEffect(() => {
    const stop = new AbortController()
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpened(false)
      setByKeyboard(key === 'Enter' || key === ' ')
    }
    at.addEventListener('keydown', onKey, { signal: stop.signal })
    return () => stop.abort()
  }, [at])
  return (
    <Menu
      opened={opened}
      onChange={(open) => {
        setOpened(open)
        if (open) return
        setByKeyboard(false)
        if (items.current?.contains(document.activeElement)) at.focus()
      }}
      trigger="click-hover"
      openDelay={60}
      closeDelay={140}
      position={beside ? 'right-start' : undefined}
      offset={beside ? 6 : 4}
      width={250}
      trapFocus={false}
      // It opens also below a pointer that passes by, which has no focus to give back.
      returnFocus={false}
    >
      <Menu.Target>
        <Target at={at} />
      </Menu.Target>
      <Menu.Dropdown
        className={nav.flyout}
        ref={items}
        onKeyDown={({ key }) => {
          if (key !== 'Tab') return
          // It stands at the end of the page: the next one is beside the word that opened it.
          at.focus()
          setOpened(false)
        }}
      >
        {byKeyboard && <GoesOnHere within={items} />}
        <Menu.Label>{group.title}</Menu.Label>
        {group.items.map((item) => (
          <Fragment key={item.href}>
            {item.heading && <Menu.Label>{item.heading}</Menu.Label>}
            <Menu.Item
              component={Link}
              to={item.href}
              leftSection={<NamedIcon name={item.icon} />}
              aria-current={item.screen.path === current ? 'page' : undefined}
              className={nav.flyoutItem}
              onPointerEnter={() => prefetchScreen(item.screen.path)}
            >
              {item.title}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The rest of what a page offers. */
export function PageMenu({ at, pressed, children }: HangingProps & { children: ReactNode }) {
  return (
    <Menu position="bottom-end" defaultOpened={pressed}>
      <Menu.Target>
        <Target at={at} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
