import { useState } from 'react'
import { Button } from '@mantine/core'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Facts } from '#kit/web/detail/parts.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { useListTerm } from '#areas/study/terms/terms/term-filter.web.tsx'
import { Link, to } from '#kit/web/router/index.ts'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import css from '../attendance.module.css'
import { absenceCaseCalls, absenceCaseFields as F, absenceCaseFlow, absenceCaseSteps } from './case.contract.ts'
import type { AbsenceCaseRow } from './case.contract.ts'

type Row = AbsenceCaseRow & AnyRow
const two = (row: AbsenceCaseRow['student']) => (
  <span className={css.name}>
    <Name row={row} />
    <small>
      <Code>{row.code}</Code>
    </small>
  </span>
)
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: true,
    width: 230,
    cell: (row) => two(row.student),
    exports: ['student_id'],
  },
  {
    key: 'course_id',
    label: F.course_id.label,
    sort: true,
    width: 230,
    cell: (row) => two(row.offering),
    exports: ['course_id'],
  },
  {
    key: 'share',
    label: F.share.label,
    sort: true,
    width: 110,
    align: 'end',
    cell: (row) => <bdi>{formatNumber(row.share)} %</bdi>,
  },
  {
    key: 'absences',
    label: F.absences.label,
    sort: true,
    width: 110,
    align: 'end',
    cell: (row) => (
      <bdi>
        {formatNumber(row.absences)} / {formatNumber(row.planned)}
      </bdi>
    ),
  },
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 150 },
  { key: 'warned_at', label: F.warned_at.label, field: F.warned_at, sort: true },
]
const VIEWS = [
  {
    key: 'proposed',
    label: ['Ban proposed', 'مقترح حرمانه'] as const,
    query: `filters=${encodeURIComponent(JSON.stringify({ status: ['proposed'] }))}`,
  },
]

/** Whose absences passed a limit of the bylaw, and what was decided. */
export default function Absences() {
  const t = useT('attendance')
  const say = useLabel()
  const lang = useLanguage()
  const [shown, setShown] = useState<Row | null>(null)
  const term = useListTerm()
  const steps = useSteps<never, never, Row>(absenceCaseFlow as never, absenceCaseSteps as never, {
    name: (row) => `${nameOf(row.student, lang)} · ${row.course.code}`,
    refreshes: ['/attendance', '/users/work', '/registrations'],
  })
  return (
    <>
      <ListScreen<Row>
        call={absenceCaseCalls.listCases}
        title={['Absences and bans', 'الغياب والحرمان']}
        columns={COLUMNS}
        filters={{ status: F.status, term_id: F.term_id, course_id: F.course_id, student_id: F.student_id }}
        views={VIEWS}
        order={['status', 'asc']}
        rowName={(row) => nameOf(row.student, lang)}
        onOpen={setShown}
        actions={steps.actions}
        inlineWidth={132}
        inline={steps.next}
        bulk={steps.bulk}
        exports={{
          xlsx: absenceCaseCalls.exportCases,
          columns: Object.entries(F).map(([key, field]) => ({ key, label: field.label })),
        }}
        empty={{ title: t('no_cases'), text: t('no_cases_text') }}
        {...term}
      />
      {shown && (
        <Dialog
          opened
          onClose={() => setShown(null)}
          title={nameOf(shown.student, lang)}
          size="lg"
          closeButtonProps={{ 'aria-label': t('close') }}
        >
          <Facts
            items={[
              { label: say(F.status.label), value: <StateBadge flow={absenceCaseFlow} state={shown.status} /> },
              { label: say(F.course_id.label), value: <Name row={shown.course} /> },
              { label: say(F.share.label), value: <bdi>{formatNumber(shown.share)} %</bdi> },
              { label: say(F.absences.label), value: formatNumber(shown.absences) },
              ...(shown.decided_reason
                ? [{ label: t('reason'), value: <bdi>{shown.decided_reason}</bdi>, wide: true }]
                : []),
            ]}
          />
          <StepHistory flow={absenceCaseFlow as never} calls={absenceCaseSteps} id={shown.id} />
          <div className={css.bar}>
            <Button
              variant="default"
              component={Link}
              to={to('/student/attendance/:id', { id: shown.student.id }, { term: shown.term.id })}
            >
              {t('all_meetings')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
