import { useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { advisingCalls } from './advising.contract.ts'
import { ADVISEE_VIEWS, adviseeColumns, adviseeFilters, type Advisee } from './lists.web.tsx'

/** Students of the part of the university one answers for, those who wait for an answer first. */
export default function Advising() {
  const t = useT('registration')
  return (
    <ListScreen<Advisee>
      call={advisingCalls.students}
      title={['Advising', 'الإرشاد الأكاديمي']}
      columns={adviseeColumns(true)}
      filters={adviseeFilters}
      order={['waiting', 'desc']}
      views={ADVISEE_VIEWS}
      perPage={50}
      name="advising"
      rowHref={(row) => to('/advising/registration/:id', { id: row.id })}
      empty={{ title: t('no_students'), text: t('no_students_text') }}
    />
  )
}
