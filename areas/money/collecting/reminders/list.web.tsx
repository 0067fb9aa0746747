import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { may } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { reminderCalls, reminderFields as F, type ReminderRow } from './reminder.contract.ts'
import { Since, StepName, Ways, useWhenOf } from './words.web.tsx'
import shared from '../../money.module.css'

const Preview = partDialog(async () => (await import('./preview.web.tsx')).default)

type Row = ReminderRow & AnyRow
function Step({ row }: { row: Row }) {
  const when = useWhenOf()
  return (
    <span className={shared.two}>
      <StepName of={row.step} />
      <small>{when(row)}</small>
    </span>
  )
}
const COLUMNS: readonly Column<Row>[] = [
  { key: 'sent_on', label: F.sent_on.label, field: F.sent_on, sort: true, width: 140 },
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: true,
    width: 230,
    cell: (row) => (
      <span className={shared.two}>
        <Name row={row.student} />
        <small>
          <Code>{row.student.code}</Code>
        </small>
      </span>
    ),
  },
  {
    key: 'invoice_id',
    label: F.invoice_id.label,
    sort: true,
    width: 180,
    cell: (row) => <Code>{row.invoice.number}</Code>,
  },
  { key: 'due_date', label: F.due_date.label, field: F.due_date, sort: true, width: 120 },
  moneyColumn({ key: 'amount', label: F.amount.label, sort: true }),
  { key: 'step_id', label: F.step_id.label, sort: true, width: 190, cell: (row) => <Step row={row} /> },
  { key: 'by_mail', label: ['Told by', 'وسيلة الإبلاغ'], width: 190, cell: (row) => <Ways of={row} /> },
  { key: 'since', label: F.since.label, sort: true, width: 150, cell: (row) => <Since of={row} /> },
  {
    key: 'faculty_id',
    label: F.faculty_id.label,
    sort: true,
    width: 180,
    hidden: true,
    cell: (row) => <Name row={row.faculty} />,
  },
]
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** What was told of which part, by which way, and what became of it since. A student sees the own ones. */
export default function Reminders() {
  const t = useT('collecting')
  const lang = useLanguage()
  const [looking, setLooking] = useState(false)
  const staff = may('export_reminder')
  return (
    <>
      <ListScreen<Row>
        call={reminderCalls.list}
        title={['Reminders', 'التذكيرات']}
        columns={COLUMNS}
        filters={{
          since: F.since,
          step_id: F.step_id,
          moment: F.moment,
          level: F.level,
          sent_on: F.sent_on,
          due_date: F.due_date,
          by_mail: F.by_mail,
          in_app: F.in_app,
          currency: F.currency,
          faculty_id: F.faculty_id,
          student_id: F.student_id,
          invoice_id: F.invoice_id,
        }}
        views={[
          { key: 'open', label: ['Still unpaid', 'لم يُسدد بعد'], query: view({ since: ['open'] }) },
          { key: 'late', label: ['After it was due', 'بعد الاستحقاق'], query: view({ moment: ['after'] }) },
          { key: 'unreached', label: ['Nobody reached', 'لم تصل لأحد'], query: view({ in_app: false }) },
        ]}
        order={['sent_on', 'desc']}
        rowName={(row) => `${row.invoice.number} · ${nameOf(row.student, lang)}`}
        rowHref={(row) => to('/payments/:id', { id: row.invoice.id })}
        {...(staff && { exports: { xlsx: reminderCalls.export } })}
        main={
          staff
            ? {
                key: 'preview',
                label: t('preview'),
                icon: <IconEye size={16} aria-hidden />,
                onSelect: () => setLooking(true),
              }
            : null
        }
        empty={{ title: t('none'), text: t(staff ? 'none_text' : 'none_own_text') }}
      />
      {looking && <Preview onClose={() => setLooking(false)} />}
    </>
  )
}
