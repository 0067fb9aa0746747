import { IconPlus } from '@tabler/icons-react'
import type { Ref } from '#kit/contract/schema.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import css from '../transfers.module.css'
import { externalCalls, externalFields, externalFlow, externalSteps } from './external.contract.ts'
import type { ExternalRow } from './external.contract.ts'

const F = externalFields
/** Whose courses they are: a student, or somebody who applies. */
export const personOf = ({ student, applicant }: Pick<ExternalRow, 'student' | 'applicant'>): Ref => {
  const person = student ?? applicant!
  return { ...person, name: person.name || (person.code ?? '') }
}
type Row = ExternalRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: true,
    width: 230,
    cell: (row) => (
      <span className={css.name}>
        <Name row={personOf(row)} />
        <small>
          <Code>{personOf(row).code}</Code>
        </small>
      </span>
    ),
  },
  {
    key: 'university_id',
    label: F.university_id.label,
    sort: true,
    width: 230,
    cell: (row) => <Name row={row.university} />,
  },
  { key: 'kind', label: F.kind.label, field: F.kind, width: 160 },
  { key: 'program_id', label: F.program_id.label, sort: true, width: 200, cell: (row) => <Name row={row.program} /> },
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 150 },
  { key: 'created_at', label: F.created_at.label, field: F.created_at, sort: true },
]
/** Steps of courses from elsewhere, in the words of every screen. */
export function useExternalSteps() {
  const lang = useLanguage()
  return useSteps<never, never, Row>(externalFlow as never, externalSteps as never, {
    name: (row) => nameOf(personOf(row), lang),
    refreshes: ['/transfer', '/students', '/applicants'],
  })
}

/** Courses from other universities and from terms abroad. */
export default function ExternalTransfers() {
  const t = useT('transfers')
  const me = useMe()
  const lang = useLanguage()
  const steps = useExternalSteps()
  return (
    <ListScreen<Row>
      call={externalCalls.externalTransfers}
      title={['Courses from elsewhere', 'معادلات من خارج الجامعة']}
      columns={COLUMNS}
      filters={{
        status: F.status,
        kind: F.kind,
        university_id: F.university_id,
        program_id: F.program_id,
        term_id: F.term_id,
      }}
      order={['created_at', 'desc']}
      rowName={(row) => nameOf(personOf(row), lang)}
      rowHref={(row) =>
        row.student
          ? to('/students/:student_id/external_transfer/:transfer_id', {
              student_id: row.student.id,
              transfer_id: row.id,
            })
          : to('/admission/transfer_students/equivalence/:user_id', { user_id: row.applicant!.id })
      }
      actions={steps.actions}
      main={
        me.can('edit_equivalence')
          ? {
              key: 'add',
              label: t('enter_courses'),
              icon: <IconPlus size={16} aria-hidden />,
              href: to('/transfer/external/add'),
            }
          : null
      }
      exports={{ xlsx: externalCalls.exportExternalEquivalences }}
      empty={{ title: t('none_external'), text: t('none_external_text') }}
    />
  )
}
