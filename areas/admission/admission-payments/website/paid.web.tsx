import { Button } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { wayBack } from '#kit/web/way-back.ts'
import css from '../admission-payments.module.css'

/** Where a browser comes back to from the provider's page. How the payment stands is told in the application. */
export default function ApplicantPaid() {
  const t = useT('admission-payments')
  const { id = '' } = useParams()
  const back = wayBack(`application ${id}`, '/applicants/edit/')
  return (
    <PublicPage as="pages" title={t('came_back')}>
      <div className={css.page}>
        <IconReceipt size={56} className={css.sign} aria-hidden />
        <h1>{t('came_back')}</h1>
        <p className={css.text}>{t('came_back_text')}</p>
        {back ? (
          <Button component={Link} size="md" to={back}>
            {t('to_application')}
          </Button>
        ) : (
          <Link to={to('/apply/:type?', {})}>{t('ask_link')}</Link>
        )}
      </div>
    </PublicPage>
  )
}
