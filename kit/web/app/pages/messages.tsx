import { Button } from '@mantine/core'
import {
  IconBarrierBlock,
  IconBug,
  IconClockPause,
  IconHourglass,
  IconLock,
  IconMapQuestion,
} from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useMaybeMe } from '../../auth/me.ts'
import { useT } from '../../i18n/catalogue.ts'
import { formatInstant } from '../../i18n/format.ts'
import { loadUniversity, universityStore, useUniversity } from '../../theme/university.ts'
import { Message } from './message.tsx'

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
