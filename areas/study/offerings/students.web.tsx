import { f } from '#kit/contract/index.ts'
import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { addressOfRecord } from '#kit/web/router/index.ts'
import { offeringCalls } from './offering.contract.ts'
import type { StudentOfOffering } from './offering.contract.ts'
import css from './offerings.module.css'
import type { OfferingRow } from './parts.web.tsx'
import { ATTEMPTS, stateOf, attemptIn } from '#areas/common/academics/offering-words.contract.ts'

type Student = StudentOfOffering & AnyRow

/** Who is registered, asks for it or has left; students of linked offerings are here as well. */
export function Students({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const columns: Column<Student>[] = [
    {
      key: 'student',
      label: ['Student', 'الطالب'],
      sort: true,
      width: 260,
      cell: (r) => (
        <span className={css.course}>
          <Name row={r.student} />
          <small>
            <Code>{r.student.code}</Code>
          </small>
        </span>
      ),
    },
    { key: 'program', label: ['Program', 'البرنامج'], sort: true, width: 180, cell: (r) => <Name row={r.program} /> },
    {
      key: 'level',
      label: ['Level', 'المستوى'],
      sort: true,
      width: 80,
      align: 'end',
      cell: (r) => <Code>{r.level}</Code>,
    },
    {
      key: 'status',
      label: ['Status', 'الحالة'],
      sort: true,
      width: 190,
      cell: (r, show) => {
        const state = stateOf(r.status)
        return state && <Status tone={state.tone} label={show.label(state.label)} />
      },
    },
    {
      key: 'attempt',
      label: ['Attempt', 'المحاولة'],
      width: 120,
      cell: (r, show) => {
        const attempt = ATTEMPTS.find((a) => a.value === attemptIn(r.status))
        return attempt && attempt.value !== 'Fresh' ? show.label(attempt.label) : <span className={css.dim}>–</span>
      },
    },
    { key: 'group', label: ['Group', 'المجموعة'], width: 90, align: 'end', cell: (r) => <Code>{r.group ?? '–'}</Code> },
    {
      key: 'total',
      label: ['Grade', 'التقدير'],
      sort: true,
      width: 100,
      align: 'end',
      cell: (r, show) =>
        r.total === null && r.letter === null ? (
          <span className={css.dim}>–</span>
        ) : (
          <>
            <Code>{[r.total, r.maximum].filter((one) => one !== null).join(' / ')}</Code>{' '}
            {r.rating ? <bdi>{show.label([r.rating.name, r.rating.name_local])}</bdi> : <Code>{r.letter}</Code>}
          </>
        ),
    },
  ]
  const groups = (row.groups ?? []).map((g) => ({
    value: g.number,
    label: [`Group ${g.number}`, `المجموعة ${g.number}`] as const,
  }))
  return (
    <ListScreen<Student>
      page={false}
      call={offeringCalls.students}
      params={{ id: row.id }}
      title={['Students', 'الطلاب']}
      columns={columns}
      filters={{
        ...(groups.length > 1 && { group: f.choice(['Group', 'المجموعة'], groups) }),
        program_id: f.lookup(['Program', 'البرنامج'], 'program'),
      }}
      order={['code', 'asc']}
      perPage={50}
      name="offering-students"
      rowHref={(r) => addressOfRecord('student', 'show', r.student.id)}
      empty={{ title: t('no_students'), text: t('no_students_text') }}
    />
  )
}
