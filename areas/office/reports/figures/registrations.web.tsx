import { useT } from '#kit/web/i18n/index.ts'
import { ReportScreen } from './screen.web.tsx'

/** Students, registrations and load, add and drop, results, occupancy, load of staff. */
export default function RegistrationsReport() {
  const t = useT('reports')
  return <ReportScreen path="/registrations-report" title={t('registrations_report')} />
}
