import { useT } from '#kit/web/i18n/index.ts'
import { ReportScreen } from './screen.web.tsx'

/** Courses from elsewhere, and what they count as. */
export default function EquivalenceReport() {
  const t = useT('reports')
  return <ReportScreen path="/equivalent-report" title={t('equivalence_report')} />
}
