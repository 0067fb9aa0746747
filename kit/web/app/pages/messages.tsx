import { Button } from '@mantine/core'
import {
  IconBarrierBlock,
  IconBug,
  IconClockPause,
  IconHourglass,
  IconLock,
  IconMailOff,
  IconMapQuestion,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { noticeCalls } from '#kit/contract/notices.ts'
import { useChange } from '../../api/hooks.ts'
import { useMaybeMe } from '../../auth/me.ts'
import { Problems } from '../../feedback/problems.tsx'
import { loadTexts, useLabel, useT } from '../../i18n/catalogue.ts'
import { formatInstant } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language.ts'
import { loadUniversity, universityStore, useUniversity } from '../../theme/university.ts'
import css from './pages.module.css'
import { PublicPage } from './public.tsx'

/** A page that says one thing and offers the next step. */
function Message({
  icon: Sign,
  title,
  text,
  children,
}: {
  icon: Icon
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <PublicPage as="message" title={title}>
      <Sign size={46} stroke={1.2} aria-hidden className={css.messageIcon} />
      <h1>{title}</h1>
      <p>{text}</p>
      <div className={css.messageActions}>{children}</div>
    </PublicPage>
  )
}

const Home = ({ variant }: { variant?: string }) => {
  const t = useT('kit')
  const me = useMaybeMe()
  return (
    <Button component={Link} to={me ? '/' : '/login'} variant={variant}>
      {me ? t('go_home') : t('sign_in')}
    </Button>
  )
}
const GoBack = () => {
  const t = useT('kit')
  const navigate = useNavigate()
  return (
    <Button variant="default" onClick={() => void navigate(-1)}>
      {t('go_back')}
    </Button>
  )
}

export function NotFound() {
  const t = useT('kit')
  return (
    <Message icon={IconMapQuestion} title={t('not_found_title')} text={t('not_found_text')}>
      <GoBack />
      <Home />
    </Message>
  )
}
export function NotAuthorized() {
  const t = useT('kit')
  const [query] = useSearchParams()
  if (query.get('reason') === 'session') {
    return (
      <Message icon={IconClockPause} title={t('session_ended_title')} text={t('session_ended_text')}>
        <Button component={Link} to="/login">
          {t('sign_in_again')}
        </Button>
      </Message>
    )
  }
  return (
    <Message icon={IconLock} title={t('not_authorized_title')} text={t('not_authorized_text')}>
      <GoBack />
      <Home />
    </Message>
  )
}
/** Where the link in a mail leads that stops mails of its kind. Opening it changes nothing: programs look at links, too. */
export function StopNotices() {
  const t = useT('notices')
  const l = useLanguage()
  const say = useLabel()
  const { token = '' } = useParams()
  const [stopped, setStopped] = useState<string | null>(null)
  const { busy, problem, go, send } = useChange()
  const stop = () =>
    go(async () => {
      const { data } = await send(noticeCalls.stopNoticeMails, { params: { token } })
      await loadTexts(data.area, l)
      setStopped(say([data.title.name, data.title.name_local]))
    })
  return stopped === null ? (
    <Message icon={IconMailOff} title={t('stop_title')} text={t('stop_text')}>
      {problem !== null && <Problems error={problem} />}
      <Button loading={busy} onClick={() => void stop()}>
        {t('stop_go')}
      </Button>
    </Message>
  ) : (
    <Message icon={IconMailOff} title={t('stopped_title')} text={t('stopped_text', { title: stopped })}>
      <Button component={Link} to="/profile/notices" variant="default">
        {t('notices_ways')}
      </Button>
    </Message>
  )
}
/** Milliseconds after which the page looks whether the maintenance is over. */
const LOOK_EVERY = 20_000
export function UnderMaintenance() {
  const t = useT('kit')
  const navigate = useNavigate()
  const { maintenance, maintenance_until: until } = useUniversity()
  useEffect(() => {
    if (!maintenance) return
    const look = setInterval(
      () => void loadUniversity().then(() => universityStore.get().maintenance || navigate('/', { replace: true })),
      LOOK_EVERY,
    )
    return () => clearInterval(look)
  }, [maintenance, navigate])
  const ends = maintenance && until !== '' && Date.parse(until) > Date.now()
  return (
    <Message
      icon={IconBarrierBlock}
      title={t('maintenance_title')}
      text={ends ? t('maintenance_until', { until: formatInstant(until) }) : t('maintenance_text')}
    >
      <Button component={Link} to="/">
        {t('try_again')}
      </Button>
    </Message>
  )
}
export function ComingSoon() {
  const t = useT('kit')
  return (
    <Message icon={IconHourglass} title={t('coming_soon_title')} text={t('coming_soon_text')}>
      <GoBack />
      <Home />
    </Message>
  )
}
export function ErrorPage() {
  const t = useT('kit')
  return (
    <Message icon={IconBug} title={t('error_title')} text={t('error_text')}>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t('reload')}
      </Button>
      <Home />
    </Message>
  )
}
