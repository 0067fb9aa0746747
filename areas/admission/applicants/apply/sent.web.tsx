import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { useCall } from '#kit/web/api/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams, useSearchParams } from '#kit/web/router/index.ts'
import { applyCalls as calls } from './apply.contract.ts'
import css from './apply.module.css'

/** The application is in: its number, and what comes next. The key is in the address only while it is needed. */
export default function Sent() {
  const t = useT('applicants')
  const { id = '' } = useParams()
  const [query] = useSearchParams()
  const key = query.get('key') ?? ''
  const { data } = useCall(calls.read, { params: { id: Number(id), key } }, { enabled: key !== '' })
  const application = data?.data
  return (
    <PublicPage as="pages" title={t('sent')}>
      <div className={css.page}>
        <IconCircleCheck size={56} className={css.done} aria-hidden />
        <h1>{t('sent')}</h1>
        {application && (
          <p className={css.number}>
            {t('your_number')} <bdi>{application.code}</bdi>
          </p>
        )}
        <p className={css.lead}>{t('sent_text')}</p>
        {application && (
          <Button
            component={Link}
            variant="default"
            to={to('/applicants/edit/:type/:id/:secretKey/:name?', {
              type: application.type,
              id: application.id,
              secretKey: key,
              name: 'nationality',
            })}
          >
            {t('look_at_it')}
          </Button>
        )}
      </div>
    </PublicPage>
  )
}
