import { useT } from '#kit/web/i18n/index.ts'
import { ReportScreen } from './screen.web.tsx'

/** Applicants and wishes, day by day. */
export default function AdmissionReports() {
  const t = useT('reports')
  return <ReportScreen path="/admission-reports" title={t('admission_reports')} />
}
