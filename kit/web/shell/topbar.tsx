import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { IconBell, IconMenu2, IconMessages, IconSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Me } from '../auth/me.ts'
import { useT } from '../i18n/catalogue.ts'
import { initialsOf, nameOf, withHeading } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { part } from '../later.ts'
import { SCREENS, titleOf } from '../router/screens.ts'
import { homePath } from '../router/home.ts'
import { Emblem, UniversityName } from './brand.tsx'
import { Crumbs } from './crumbs.tsx'
import { Opens } from './opens.tsx'
import type { HangingProps } from './opens.tsx'
import css from './shell.module.css'

const AccountMenu = part<HangingProps & { me: Me; actions: ShellActions }>(
  async () => (await import('./hanging.tsx')).AccountMenu,
  { ahead: true },
)
const Bell = part<HangingProps>(async () => (await import('./hanging.tsx')).BellPanel, { ahead: true })

export interface ShellActions {
  readonly palette: () => void
  readonly appearance: () => void
  readonly shortcuts: () => void
  readonly menu: () => void
  readonly signOut: () => void
}
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

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
      <Opens hanging={(props) => <Bell {...props} />}>
        {(opening) => (
          <ActionIcon {...opening} size={38} aria-label={bellLabel} title={bellLabel} aria-haspopup="dialog">
            <span className={css.bell} data-unread={unread > 0}>
              <IconBell size={19} stroke={1.6} aria-hidden />
            </span>
          </ActionIcon>
        )}
      </Opens>
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
    <ActionIcon component={Link} to="/chats" size={38} aria-label={label} title={label}>
      <span className={css.bell} data-unread={unread > 0}>
        <IconMessages size={19} stroke={1.6} aria-hidden />
      </span>
    </ActionIcon>
  )
}

function Account({ me, actions }: { me: Me; actions: ShellActions }) {
  const t = useT('kit')
  const l = useLanguage()
  const name = nameOf(me.user, l)
  const { records } = me.live
  const present = records.find((record) => record.chosen)
  return (
    <Opens hanging={(props) => <AccountMenu {...props} me={me} actions={actions} />}>
      {(opening) => (
        <UnstyledButton
          {...opening}
          className={css.account}
          aria-haspopup="menu"
          aria-label={[
            withHeading(t('account'), name),
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
      )}
    </Opens>
  )
}
