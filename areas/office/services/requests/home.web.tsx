import { useMe } from '#kit/web/auth/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, useSearchParams } from '#kit/web/router/index.ts'
import css from '../services.module.css'

// Who asks and who decides see different screens: each fetches its own.
const Own = part(async () => (await import('./own.web.tsx')).OwnServices)
const Desk = part(async () => (await import('./desk.web.tsx')).ServiceDesk)

/** Services: what may be asked for and the own requests; for offices, what waits for them. Who asks and decides has both. */
export default function Services() {
  const t = useT('services')
  const me = useMe()
  const own = useSearchParams()[0].has('own')
  const asks = me.user.student_id !== null || me.can('ask_service_as_staff')
  if (!me.can('decide_service', 'manage_service')) return asks ? <Own /> : <Desk />
  if (!asks) return <Desk />
  return (
    <>
      <nav className={css.sides} aria-label={t('services')}>
        <Link to="/services" aria-current={own ? undefined : 'page'}>
          {t('my_office')}
        </Link>
        <Link to="/services?own=1" aria-current={own ? 'page' : undefined}>
          {t('my_requests')}
        </Link>
      </nav>
      {own ? <Own /> : <Desk />}
    </>
  )
}
