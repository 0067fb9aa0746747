import { Menu, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronRight,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useT } from '../i18n/catalogue.ts'
import { homePath } from '../router/home.ts'
import { prefetchScreen } from '../router/load.tsx'
import { useMaybeMe } from '../auth/me.ts'
import { usePreferences } from '../theme/preferences.ts'
import { Emblem, UniversityName } from './brand.tsx'
import { NamedIcon } from './icon.tsx'
import type { MenuGroupView, MenuItem } from './menu.ts'
import { parentsOf } from './menu.ts'
import { useHere } from './here.ts'
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

/** Items of one group in a panel that opens beside or below it. */
function Flyout({ group, current }: { group: MenuGroupView; current?: string }) {
  return (
    <>
      <Menu.Label>{group.title}</Menu.Label>
      {group.items.map((item) => (
        <Fragment key={item.href}>
          {item.heading && <Menu.Label>{item.heading}</Menu.Label>}
          <Menu.Item
            component={Link}
            to={item.href}
            leftSection={<NamedIcon name={item.icon} />}
            aria-current={item.screen.path === current ? 'page' : undefined}
            className={css.flyoutItem}
            onPointerEnter={() => prefetchScreen(item.screen.path)}
          >
            {item.title}
          </Menu.Item>
        </Fragment>
      ))}
    </>
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
            {groups.map((group) => {
              return (
                <li key={group.key}>
                  <Menu
                    trigger="click-hover"
                    openDelay={60}
                    closeDelay={140}
                    position="right-start"
                    offset={6}
                    width={250}
                    trapFocus={false}
                  >
                    <Menu.Target>
                      <UnstyledButton className={css.iconButton} data-here={here === group.key}>
                        <NamedIcon name={group.icon} size={21} />
                        <span>{group.title}</span>
                      </UnstyledButton>
                    </Menu.Target>
                    <Menu.Dropdown className={css.flyout}>
                      <Flyout group={group} current={path} />
                    </Menu.Dropdown>
                  </Menu>
                </li>
              )
            })}
          </ul>
        ) : (
          <Tree groups={groups} />
        )}
      </div>
      <Tooltip label={collapsed ? t('pin_menu') : t('collapse_menu')} position="right">
        <UnstyledButton
          className={css.toggle}
          onClick={() => change({ collapsed: !collapsed })}
          aria-label={collapsed ? t('pin_menu') : t('collapse_menu')}
        >
          <Toggle size={19} stroke={1.6} aria-hidden className="pointing" />
        </UnstyledButton>
      </Tooltip>
    </nav>
  )
}

/** The menu on top: a word per group. */
export function NavTop({ groups }: { groups: readonly MenuGroupView[] }) {
  const t = useT('kit')
  const { group: here, path } = useCurrent(groups)
  return (
    <nav className={`${css.top} no-print`} aria-label={t('menu')}>
      {groups.map((group) => {
        return (
          <Menu
            key={group.key}
            trigger="click-hover"
            openDelay={60}
            closeDelay={140}
            width={250}
            offset={4}
            trapFocus={false}
          >
            <Menu.Target>
              <UnstyledButton className={css.topButton} data-here={here === group.key}>
                <NamedIcon name={group.icon} size={17} />
                {group.title}
              </UnstyledButton>
            </Menu.Target>
            <Menu.Dropdown className={css.flyout}>
              <Flyout group={group} current={path} />
            </Menu.Dropdown>
          </Menu>
        )
      })}
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
