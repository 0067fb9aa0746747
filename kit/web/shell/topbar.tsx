import { ActionIcon, Kbd, Menu, Popover, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconBell,
  IconCheck,
  IconHelpCircle,
  IconKeyboard,
  IconLogout,
  IconMenu2,
  IconMessages,
  IconPalette,
  IconSearch,
  IconUserCircle,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { Me } from '../auth/me.ts'
import { setLanguage, useT } from '../i18n/catalogue.ts'
import { initialsOf, nameOf } from '../i18n/format.ts'
import { LANGUAGES, LANGUAGE_NAMES, useLanguage } from '../i18n/language.ts'
import { part } from '../later.ts'
import { SCREENS, loadTitles, titleOf } from '../router/screens.ts'
import { homePath } from '../router/home.ts'
import { Emblem, UniversityName } from './brand.tsx'
import { Crumbs } from './crumbs.tsx'
import css from './shell.module.css'

const OwnRecords = part(async () => (await import('./own-records.tsx')).default)
const Notifications = part(async () => (await import('./notifications.tsx')).default)

export interface ShellActions {
  readonly palette: () => void
  readonly appearance: () => void
  readonly shortcuts: () => void
  readonly menu: () => void
  readonly signOut: () => void
}
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export const chooseLanguage = async (l: (typeof LANGUAGES)[number]): Promise<void> => {
  await loadTitles(l)
  await setLanguage(l)
}

export function TopBar({
  me,
  actions,
  coloured,
  brand,
}: {
  me: Me
  actions: ShellActions
  coloured: boolean
  brand: boolean
}) {
  const t = useT('kit')
  const l = useLanguage()
  const [bell, setBell] = useState(false)
  const unread = me.live.notification_count
  const bellLabel = unread ? t('unread', { count: unread }) : t('notifications')
  return (
    <header
      className={`${css.topbar} no-print`}
      data-coloured={coloured || undefined}
      data-dark={coloured || undefined}
    >
      <ActionIcon className={css.burger} size={38} aria-label={t('open_menu')} onClick={actions.menu}>
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      {brand && (
        <Link to={homePath()} className={css.topBrand}>
          <Emblem size={28} />
          <UniversityName />
        </Link>
      )}
      {!brand && <Crumbs className={css.crumbsInBar} />}
      <UnstyledButton className={css.search} onClick={actions.palette} aria-keyshortcuts="Control+K">
        <IconSearch size={16} aria-hidden />
        <span>{t('search_or_go')}</span>
        <Kbd size="xs" className={css.kbd} dir="ltr" aria-hidden>
          {isApple ? '⌘' : t('key_mod')} K
        </Kbd>
      </UnstyledButton>
      {chats && me.opens(chats) && <Chats unread={me.live.chat_notification_count} title={titleOf(chats, l)} />}
      <Popover opened={bell} onChange={setBell} width={360} position="bottom-end" trapFocus>
        <Popover.Target>
          <Tooltip label={bellLabel} disabled={bell}>
            <ActionIcon size={38} aria-label={bellLabel} onClick={() => setBell((b) => !b)}>
              <span className={css.bell} data-unread={unread > 0}>
                <IconBell size={19} stroke={1.6} aria-hidden />
              </span>
            </ActionIcon>
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label={t('notifications')}>
          <Suspense fallback={<div className={css.popoverWaiting} />}>
            {bell && <Notifications close={() => setBell(false)} />}
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      <Account me={me} actions={actions} />
    </header>
  )
}

const chats = SCREENS.find(({ path }) => path === '/chats')

/** The way to the conversations, with a mark while something in them is unread. */
function Chats({ unread, title }: { unread: number; title: string }) {
  const t = useT('kit')
  const label = unread ? t('unread_chats', { count: unread }) : title
  return (
    <Tooltip label={label}>
      <ActionIcon component={Link} to="/chats" size={38} aria-label={label}>
        <span className={css.bell} data-unread={unread > 0}>
          <IconMessages size={19} stroke={1.6} aria-hidden />
        </span>
      </ActionIcon>
    </Tooltip>
  )
}

function Account({ me, actions }: { me: Me; actions: ShellActions }) {
  const t = useT('kit')
  const l = useLanguage()
  const name = nameOf(me.user, l)
  const { records } = me.live
  const present = records.find((record) => record.chosen)
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <UnstyledButton
          className={css.account}
          aria-label={[
            `${t('account')}: ${name}`,
            ...(present ? [t('present_record', { program: nameOf(present.program, l) })] : []),
          ].join(' – ')}
        >
          {present && <bdi className={css.accountRecord}>{nameOf(present.program, l)}</bdi>}
          {me.user.photo ? (
            <img src={me.user.photo} alt="" className={css.avatar} />
          ) : (
            <span className={css.avatar} data-initials={initialsOf(name)} />
          )}
        </UnstyledButton>
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
