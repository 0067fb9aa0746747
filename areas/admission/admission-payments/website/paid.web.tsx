import { useT } from '#kit/web/i18n/index.ts'
import { CameBack } from '#kit/web/pay/pay.tsx'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { wayBack } from '#kit/web/way-back.ts'

/** Where a browser comes back to from the provider's page. How the payment stands is told in the application. */
export default function ApplicantPaid() {
  const t = useT('admission-payments')
  const { id = '' } = useParams()
  return (
    <CameBack
      title={t('came_back')}
      text={t('came_back_text')}
      back={wayBack(`application ${id}`, '/applicants/edit/')}
      label={t('to_application')}
      otherwise={<Link to={to('/apply/:type?', {})}>{t('ask_link')}</Link>}
    />
  )
}
