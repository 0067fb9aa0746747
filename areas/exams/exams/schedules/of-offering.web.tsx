import { useT } from '#kit/web/i18n/index.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import scheduleWeb from './schedule.web.tsx'

/** Exam schedules by offering, each led to its form. */
export default function SchedulesOfOfferings() {
  const t = useT('exams')
  return (
    <Page title={t('of_offerings')}>
      <ResourceList web={scheduleWeb} page={false} />
    </Page>
  )
}
