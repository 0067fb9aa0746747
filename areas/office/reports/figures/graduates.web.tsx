import { useT } from '#kit/web/i18n/index.ts'
import { ReportScreen } from './screen.web.tsx'

/** Graduates, and what became of each cohort. */
export default function GraduatesReports() {
  const t = useT('reports')
  return <ReportScreen path="/graduat-reports" title={t('graduates_reports')} />
}
