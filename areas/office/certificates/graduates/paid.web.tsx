import { useT } from '#kit/web/i18n/index.ts'
import { CameBack } from '#kit/web/pay/pay.tsx'
import { Link, Navigate, to } from '#kit/web/router/index.ts'
import { wayBack } from '#kit/web/way-back.ts'

/**
 * Where a browser comes back to from the provider's page. How the payment stands is told on the page of the request: who began in
 * this browser is led there.
 */
export default function GraduatePaid() {
  const t = useT('certificates')
  const back = wayBack('certificate', '/certificates/graduate/')
  if (back) return <Navigate to={back} replace />
  return (
    <CameBack
      title={t('grad_came_back')}
      text={t('grad_came_back_text')}
      back={null}
      label={t('grad_to_request')}
      otherwise={<Link to={to('/certificates/graduate', {})}>{t('grad_ask_link')}</Link>}
    />
  )
}
