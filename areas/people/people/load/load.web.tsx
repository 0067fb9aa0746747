import { f } from '#kit/contract/field.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { ACADEMIC_TITLES } from '../instructors/instructor.contract.ts'
import { loadCalls } from './load.contract.ts'
import type { InstructorLoad } from './load.contract.ts'

const count = (en: string, ar: string) => {
  const label = [en, ar] as const
  return { label, field: f.integer(label) }
}
const hours = (en: string, ar: string) => {
  const label = [en, ar] as const
  return { label, field: f.decimal(label, { places: 2 }) }
}

/** Teaching load of instructors in a term. */
export default function Load() {
  const t = useT('people')
  return (
    <ListScreen<InstructorLoad & { readonly [key: string]: unknown }>
      call={loadCalls.load as never}
      title={['Teaching load', 'الأعباء التدريسية']}
      order={['hours', 'desc']}
      filters={{
        term_id: f.lookup(['Term', 'الفصل'], 'term'),
        faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
        department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id' }),
        teaches: f.flag(['Teaches in the term', 'يدرّس في الفصل']),
      }}
      rowHref={(row) => to('/instructors/:id', { id: row.id })}
      exports={{ xlsx: loadCalls.exportLoad as never }}
      columns={[
        { key: 'code', label: ['Code', 'الكود'], field: f.code(['Code', 'الكود']), sort: true },
        { key: 'name', label: ['Name', 'الاسم'], sort: true, width: 260 },
        {
          key: 'academic_title',
          label: ['Academic rank', 'الدرجة العلمية'],
          field: f.choice(['Academic rank', 'الدرجة العلمية'], ACADEMIC_TITLES),
          width: 180,
        },
        {
          key: 'department',
          label: ['Department', 'القسم'],
          field: f.lookup(['Department', 'القسم'], 'department'),
          hidden: true,
        },
        { key: 'offerings', ...count('Offerings', 'المقررات'), sort: true },
        { key: 'leads', ...count('Leads', 'منسق'), sort: true, hidden: true },
        { key: 'hours', ...hours('Weekly hours', 'الساعات الأسبوعية'), sort: true },
        { key: 'meetings', ...count('Meetings', 'المواعيد'), sort: true },
        { key: 'lecture_hours', ...hours('Lecture hours', 'ساعات المحاضرات'), sort: true },
        { key: 'tutorial_hours', ...hours('Tutorial hours', 'ساعات التمارين'), sort: true },
        { key: 'laboratory_hours', ...hours('Laboratory hours', 'ساعات المعامل'), sort: true },
        { key: 'clinical_hours', ...hours('Clinical hours', 'ساعات العيادات'), sort: true, hidden: true },
        { key: 'students', ...count('Students', 'الطلاب'), sort: true },
        { key: 'advised', ...count('Advised students', 'طلاب الإرشاد') },
      ]}
      empty={{ title: t('no_load'), text: t('no_load_text') }}
    />
  )
}
