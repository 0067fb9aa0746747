import { useT } from '#kit/web/i18n/index.ts'
import { ReportScreen } from './screen.web.tsx'

/** Students of other nationalities: permits that end, fees in dollars. */
export default function ForeignersReport() {
  const t = useT('reports')
  return <ReportScreen path="/foreigner-report" title={t('foreigners_report')} />
}
