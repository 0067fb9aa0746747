import { Button } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { wayBack } from '#kit/web/way-back.ts'
import css from './graduates.module.css'

/** Where a browser comes back to from the provider's page. How the payment stands is told on the page of the request. */
export default function GraduatePaid() {
  const t = useT('certificates')
  const back = wayBack('certificate', '/certificates/graduate/')
  return (
    <PublicPage as="pages" title={t('grad_came_back')}>
      <div className={css.page}>
        <IconReceipt size={56} className={css.sign} aria-hidden />
        <h1>{t('grad_came_back')}</h1>
        <p className={css.lead}>{t('grad_came_back_text')}</p>
        {back ? (
          <Button component={Link} size="md" to={back}>
            {t('grad_to_request')}
          </Button>
        ) : (
          <Link to={to('/certificates/graduate', {})}>{t('grad_ask_link')}</Link>
        )}
      </div>
    </PublicPage>
  )
}
