import { offering } from '../offering.contract.ts'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import type { ResourceCalls, Row } from '#kit/contract/index.ts'
import { f } from '#kit/contract/field.ts'
import { may } from '#kit/web/auth/index.ts'
import { callsOf } from '#kit/web/fields/calls-of.ts'
import { Code, Empty } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'

type OfferingRow = Row<typeof offering>
const calls = callsOf(offering) as unknown as ResourceCalls<typeof offering>

/** What an instructor teaches, newest term first by the filter of the term. */
export function TeachingOfInstructor({ row: { id } }: { row: { readonly id: number } }) {
  const t = useT('offerings')
  const lang = useLanguage()
  if (!may('access_offering')) return <Empty title={t('teaching_hidden')} />
  return (
    <ListScreen<OfferingRow & { readonly [key: string]: unknown }>
      page={false}
      name="instructor-offerings"
      call={calls.list as never}
      title={['Offerings', 'المقررات المطروحة']}
      fixed={{ instructor_id: [id] }}
      filters={{ term_id: f.lookup(['Term', 'الفصل'], 'term') }}
      order={['course_id', 'asc']}
      rowHref={(row) => to('/offering/:id', { id: row.id })}
      columns={[
        {
          key: 'course_id',
          label: ['Course', 'المقرر'],
          sort: true,
          width: 300,
          cell: (row) => (
            <span>
              <Code>{row.course?.code}</Code> <bdi>{nameOf(row.course, lang)}</bdi>
            </span>
          ),
        },
        { key: 'code', label: ['Code', 'الكود'], field: f.code(['Code', 'الكود']) },
        { key: 'term_id', label: ['Term', 'الفصل'], field: f.lookup(['Term', 'الفصل'], 'term') },
        {
          key: 'registered',
          label: ['Registered students', 'المسجلون'],
          field: f.integer(['Registered students', 'المسجلون']),
          sort: true,
        },
        {
          key: 'control_status',
          label: ['Marks', 'حالة الدرجات'],
          field: f.choice(['Marks', 'حالة الدرجات'], CONTROL_STATUSES),
        },
      ]}
      empty={{ title: t('teaches_nothing'), text: t('teaches_nothing_text') }}
    />
  )
}
