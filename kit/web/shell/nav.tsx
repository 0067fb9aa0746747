import { UnstyledButton } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronRight,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useT } from '../i18n/catalogue.ts'
import { part } from '../later.ts'
import { homePath } from '../router/home.ts'
import { prefetchScreen } from '../router/load.tsx'
import { useMaybeMe } from '../auth/me.ts'
import { usePreferences } from '../theme/preferences.ts'
import { Emblem, UniversityName } from './brand.tsx'
import { NamedIcon } from './icon.tsx'
import type { MenuGroupView, MenuItem } from './menu.ts'
import { parentsOf } from './menu.ts'
import { useHere } from './here.ts'
import { Opens } from './opens.tsx'
import type { HangingProps } from './opens.tsx'
import css from './nav.module.css'

/** The item of the menu under which the present screen stands: itself, or the nearest parent that is in the menu. */
function useCurrent(groups: readonly MenuGroupView[]): { group?: string; path?: string } {
  const { screen } = useHere()
  const me = useMaybeMe()
  if (!screen) return {}
  const chain = [screen, ...parentsOf(screen, me?.user.type).toReversed()]
  for (const at of chain) {
    for (const group of groups) {
      const item = group.items.find(({ paths }) => paths.includes(at.path))
      if (item) return { group: group.key, path: item.screen.path }
    }
  }
  return {}
}

function ItemLink({ item, current, className }: { item: MenuItem; current: boolean; className?: string }) {
  return (
    <Link
      to={item.href}
      className={className ?? css.item}
      aria-current={current ? 'page' : undefined}
      onPointerEnter={() => prefetchScreen(item.screen.path)}
      onFocus={() => prefetchScreen(item.screen.path)}
    >
      <NamedIcon name={item.icon} />
      <span>{item.title}</span>
    </Link>
  )
}

const Flyout = part<HangingProps & { group: MenuGroupView; current?: string; beside: boolean }>(
  async () => (await import('./hanging.tsx')).Flyout,
  { ahead: true },
)
/** The word of a group; its items open beside or below it. */
function GroupWord({
  group,
  here,
  path,
  beside,
}: {
  group: MenuGroupView
  here?: string
  path?: string
  beside: boolean
}) {
  return (
    <Opens hanging={(props) => <Flyout {...props} group={group} current={path} beside={beside} />}>
      {(opening) => (
        <UnstyledButton
          {...opening}
          className={beside ? css.iconButton : css.topButton}
          data-here={here === group.key}
          aria-haspopup="menu"
        >
          <NamedIcon name={group.icon} size={beside ? 21 : 17} />
          {beside ? <span>{group.title}</span> : group.title}
        </UnstyledButton>
      )}
    </Opens>
  )
}

/** Groups that open and close, with their items. */
function Tree({ groups }: { groups: readonly MenuGroupView[] }) {
  const { group: here, path } = useCurrent(groups)
  // What somebody opened or closed holds until another group is visited.
  const [chosen, setChosen] = useState<{ here?: string; open?: string }>({ here, open: here })
  const open = chosen.here === here ? chosen.open : here
  const setOpen = (group?: string) => setChosen({ here, open: group })
  return (
    <ul className={css.tree}>
      {groups.map((group) => {
        const isOpen = open === group.key
        return (
          <li key={group.key}>
            <UnstyledButton
              className={css.groupButton}
              aria-expanded={isOpen}
              data-here={here === group.key}
              onClick={() => setOpen(isOpen ? undefined : group.key)}
            >
              <NamedIcon name={group.icon} size={19} />
              <span>{group.title}</span>
              {isOpen ? (
                <IconChevronDown size={15} aria-hidden />
              ) : (
                <IconChevronRight size={15} aria-hidden className="pointing" />
              )}
            </UnstyledButton>
            {isOpen && (
              <ul className={css.items}>
                {group.items.map((item) => (
                  <li key={item.href}>
                    {item.heading && <div className={css.heading}>{item.heading}</div>}
                    <ItemLink item={item} current={item.screen.path === path} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The menu at the side: icons with a word each, or opened to its groups. */
export function NavRail({ groups, dark }: { groups: readonly MenuGroupView[]; dark: boolean }) {
  const t = useT('kit')
  const [{ collapsed }, change] = usePreferences()
  const { group: here, path } = useCurrent(groups)
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <nav
      className={`${css.rail} no-print`}
      data-collapsed={collapsed}
      data-dark={dark || undefined}
      aria-label={t('menu')}
    >
      <Link to={homePath()} className={css.brand} aria-label={collapsed ? t('home') : undefined}>
        <Emblem size={30} />
        {!collapsed && (
          <span className={css.brandName}>
            <UniversityName />
          </span>
        )}
      </Link>
      <div className={css.scroll}>
        {collapsed ? (
          <ul className={css.icons}>
            {groups.map((group) => (
              <li key={group.key}>
                <GroupWord group={group} here={here} path={path} beside />
              </li>
            ))}
          </ul>
        ) : (
          <Tree groups={groups} />
        )}
      </div>
      <UnstyledButton
        className={css.toggle}
        onClick={() => change({ collapsed: !collapsed })}
        aria-label={collapsed ? t('pin_menu') : t('collapse_menu')}
        title={collapsed ? t('pin_menu') : t('collapse_menu')}
      >
        <Toggle size={19} stroke={1.6} aria-hidden className="pointing" />
      </UnstyledButton>
    </nav>
  )
}

/** The menu on top: a word per group. */
export function NavTop({ groups }: { groups: readonly MenuGroupView[] }) {
  const t = useT('kit')
  const { group: here, path } = useCurrent(groups)
  return (
    <nav className={`${css.top} no-print`} aria-label={t('menu')}>
      {groups.map((group) => (
        <GroupWord key={group.key} group={group} here={here} path={path} beside={false} />
      ))}
    </nav>
  )
}

/** The menu of small screens. */
export function NavDrawer({ groups }: { groups: readonly MenuGroupView[] }) {
  const t = useT('kit')
  const { key } = useLocation()
  return (
    <nav aria-label={t('menu')} key={key}>
      <Tree groups={groups} />
    </nav>
  )
}
