import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Link, useMatches } from 'react-router'
import { useMaybeMe } from '../auth/me.ts'
import { nameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'
import { useT } from '../i18n/catalogue.ts'
import { useLanguage } from '../i18n/language.ts'
import { part } from '../later.ts'
import { prefetchScreen } from '../router/load.tsx'
import { fillPath } from '../router/paths.ts'
import { screenAt, tabOf } from '../router/screens.ts'
import { createStore } from '../store.ts'
import { tabsBeside } from './menu.ts'
import { Opens } from './opens.tsx'
import type { HangingProps } from './opens.tsx'
import css from './page.module.css'

const PageMenu = part<HangingProps & { children: ReactNode }>(async () => (await import('./hanging.tsx')).PageMenu, {
  ahead: true,
})

/** What the screen at this address calls itself once its item is loaded; null until then. */
export const pageTitleStore = createStore<{ readonly path: string; readonly item: string | Named } | null>(null)

/**
 * Names the screen after its loaded item (a row with `name` and `name_local`, or a text), in the title of the window, the
 * last breadcrumb and the recently visited. Give null while it is loading.
 */
export function usePageTitle(item: string | Named | null | undefined): void {
  const l = useLanguage()
  const text = item === null || item === undefined ? '' : typeof item === 'string' ? item : nameOf(item, l)
  useEffect(() => {
    if (!text || item === null || item === undefined) return
    const path = window.location.pathname
    pageTitleStore.set({
      path,
      item: typeof item === 'string' ? item : { name: item.name, name_local: item.name_local, code: item.code },
    })
    return () => pageTitleStore.set((kept) => (kept?.path === path ? null : kept))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- the text stands for the item
  }, [text])
}

export interface Fact {
  readonly label: ReactNode
  readonly value: ReactNode
}
export interface PageProps {
  /** Where I am. A row is shown with its name in the reader's language. Leave out to keep the declared title of the screen for the window only. */
  title: string | Named | null | undefined
  /** What stands under the title: the other name, a code, a status. */
  subtitle?: ReactNode
  /** The few facts that matter. */
  facts?: readonly Fact[]
  /** One main action. */
  action?: ReactNode
  /** The rest: `<Menu.Item>`s. */
  menu?: ReactNode
  /** Tabs under the title line. */
  tabs?: ReactNode
  /** true: the whole width (lists, grids, timetables); false: a readable measure (text, forms). */
  wide?: boolean
  /** A list, which needs the height: what stands under the title stands beside it. */
  low?: boolean
  /** Stands in for a screen that is on its way: the address is still that of the one before, which keeps its name. */
  coming?: boolean
  children: ReactNode
}

/** Short facts on one line with dots between them; where the line wraps, no dot is left hanging. */
export const Dotted = ({ children }: { children: ReactNode }) => <span className={css.dotted}>{children}</span>

/** The screens of this one's subject: they stand where its title would, and one of them is its title. */
function useBeside(): ReactNode {
  const t = useT('kit')
  const l = useLanguage()
  const me = useMaybeMe()
  const match = useMatches().at(-1)
  const screen = match ? screenAt(match.id) : undefined
  const tabs = me && screen ? tabsBeside(me, screen) : []
  if (!tabs.length) return null
  return (
    <nav className={`${css.beside} no-print`} aria-label={t('beside')}>
      {tabs.map((one) => (
        <Link
          key={one.path}
          to={fillPath(one.path)}
          aria-current={one === screen ? 'page' : undefined}
          onPointerEnter={() => prefetchScreen(one.path)}
        >
          {tabOf(one, l)}
        </Link>
      ))}
    </nav>
  )
}

/** The frame of every screen: title line, then the content. */
export function Page({ title, subtitle, facts, action, menu, tabs, wide = true, low, coming, children }: PageProps) {
  const t = useT('kit')
  const l = useLanguage()
  usePageTitle(coming ? null : title)
  const beside = useBeside()
  const text = typeof title === 'string' ? title : title ? nameOf(title, l) : ''
  return (
    <div className={css.page} data-wide={wide}>
      <header className={css.head} data-low={low || undefined}>
        <div className={css.titles}>
          {beside}
          <h1 className={beside ? css.titleUnseen : css.title}>
            {text ? (
              <bdi>{text}</bdi>
            ) : (
              <>
                <span className={css.titleWaiting} aria-hidden />
                <span className={css.unseen}>{t('loading')}</span>
              </>
            )}
          </h1>
          {subtitle && <div className={css.subtitle}>{subtitle}</div>}
        </div>
        {facts && facts.length > 0 && (
          <dl className={css.facts}>
            {facts.map((fact, i) => (
              <div key={i}>
                <dt>{fact.label}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
        )}
        {(action || menu) && (
          <div className={`${css.actions} no-print`} data-alone={!action || undefined}>
            {action}
            {menu && (
              <Opens hanging={(props) => <PageMenu {...props}>{menu}</PageMenu>}>
                {(opening) => (
                  <ActionIcon
                    {...opening}
                    size={36}
                    variant="default"
                    aria-label={t('more_actions')}
                    aria-haspopup="menu"
                  >
                    <IconDots size={18} aria-hidden />
                  </ActionIcon>
                )}
              </Opens>
            )}
          </div>
        )}
      </header>
      {tabs && <div className={css.tabs}>{tabs}</div>}
      {children}
    </div>
  )
}
