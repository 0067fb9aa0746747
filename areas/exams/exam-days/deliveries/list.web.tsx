import { NumberInput, Select, Textarea } from '@mantine/core'
import { IconPackageExport, IconPackageImport, IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatDate, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { useListTerm } from '#areas/study/terms/terms/term-filter.web.tsx'
import { deliveryCalls, deliveryFields as F, type DeliveryRow } from './delivery.contract.ts'
import css from '../exam-days.module.css'

type Row = DeliveryRow & AnyRow
type What = 'delivered' | 'returned' | 'back'
const number = (value: number | null) => (value === null ? '–' : <bdi>{formatNumber(value)}</bdi>)
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'date',
    label: F.date.label,
    sort: true,
    width: 140,
    cell: (row) => (
      <span className={css.two}>
        {formatDate(row.date)}
        <small>
          <Code>{row.from}</Code>
        </small>
      </span>
    ),
  },
  {
    key: 'location_id',
    label: F.location_id.label,
    sort: true,
    width: 150,
    cell: (row) => <Code>{row.hall.code}</Code>,
  },
  {
    key: 'course_id',
    label: F.course_id.label,
    sort: true,
    width: 220,
    cell: (row) => (
      <span className={css.two}>
        <Name row={row.course} />
        <small>
          <Code>{row.course.code}</Code>
        </small>
      </span>
    ),
  },
  { key: 'delivered', label: ['Delivered', 'سُلِّمت'], width: 90, align: 'end', cell: (row) => number(row.delivered) },
  { key: 'present', label: ['Present', 'الحاضرون'], width: 90, align: 'end', cell: (row) => number(row.present) },
  { key: 'returned', label: ['Returned', 'أُعيدت'], width: 90, align: 'end', cell: (row) => number(row.returned) },
  { key: 'state', label: F.state.label, field: F.state, sort: true, width: 160 },
]
const VIEWS = [
  {
    key: 'open',
    label: ['Not settled', 'غير مطابقة'] as const,
    query: `filters=${encodeURIComponent(JSON.stringify({ state: ['waiting', 'delivered', 'differs'] }))}`,
  },
]

/** Papers of exams by hall: counted in, counted back, and whether they are as many as were present. */
export default function ExamDeliveries() {
  const t = useT('exam-days')
  const lang = useLanguage()
  const term = useListTerm()
  const [counting, setCounting] = useState<{ row: Row; what: What } | null>(null)
  const actions = (row: Row): RowAction[] => {
    const act = (
      key: DeliveryRow['abilities'][number],
      what: What,
      label: string,
      icon: React.ReactNode,
    ): RowAction[] =>
      row.abilities.includes(key) ? [{ key, label, icon, onSelect: () => setCounting({ row, what }) }] : []
    return [
      ...act('deliver', 'delivered', t('deliver'), <IconPackageExport size={16} aria-hidden />),
      ...act('return', 'returned', t('take_papers_back'), <IconPackageImport size={16} aria-hidden />),
      ...act('take_back', 'back', t('undo_count'), <IconArrowBackUp size={16} aria-hidden />),
    ]
  }
  return (
    <>
      <ListScreen<Row>
        call={deliveryCalls.list}
        title={['Exam deliveries', 'تسليم أوراق الامتحانات']}
        columns={COLUMNS}
        filters={{
          state: F.state,
          exam_id: F.exam_id,
          term_id: F.term_id,
          course_id: F.course_id,
          location_id: F.location_id,
        }}
        views={VIEWS}
        order={['date', 'asc']}
        rowName={(row) => `${row.hall.code} · ${nameOf(row.course, lang)}`}
        actions={actions}
        inlineWidth={130}
        inline={(row) => {
          const next = actions(row).find(({ key }) => key === (row.delivered === null ? 'deliver' : 'return'))
          return next && row.returned === null ? { ...next, short: next.label } : null
        }}
        empty={{ title: t('no_deliveries'), text: t('no_deliveries_text') }}
        {...term}
      />
      {counting && (
        <Count key={`${counting.row.id} ${counting.what}`} {...counting} onClose={() => setCounting(null)} />
      )}
    </>
  )
}

/** One count of a hall. */
function Count({ row, what, onClose }: { row: Row; what: What; onClose: () => void }) {
  const t = useT('exam-days')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/exam-deliveries', '/control', '/users/work')
  const [count, setCount] = useState<number | string>(
    what === 'delivered' ? (row.delivered ?? row.seated) : row.present,
  )
  const [paper, setPaper] = useState<string | null>(row.paper_type ? String(row.paper_type.id) : null)
  const [reason, setReason] = useState('')
  const types = useCall(deliveryCalls.lookups, { body: {} }, { enabled: what === 'delivered' }).data?.data.paper_types
  const differs = what === 'returned' && (row.delivered !== row.present || Number(count) !== row.present)
  const save = async () => {
    const body = {
      ...(what !== 'back' && { count: Number(count) || 0 }),
      ...(what === 'delivered' && paper && { paper_type_id: Number(paper) }),
      ...(reason.trim() && { reason }),
      version: row.version,
    }
    if (await go(() => send(deliveryCalls.put, { params: { type: what, id: row.id }, body }))) onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`${t(what === 'delivered' ? 'deliver' : what === 'returned' ? 'take_papers_back' : 'undo_count')} · ${nameOf(row.hall, lang)}`}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <p className={css.text}>
          <Name row={row.course} /> <Code>{row.course.code}</Code>
          <br />
          {t('papers_counted', {
            delivered: row.delivered === null ? '–' : formatNumber(row.delivered),
            present: formatNumber(row.present),
            returned: row.returned === null ? '–' : formatNumber(row.returned),
          })}
        </p>
        {what !== 'back' && (
          <NumberInput
            data-autofocus
            label={t(what === 'delivered' ? 'papers_out' : 'papers_in')}
            min={0}
            max={10_000}
            allowDecimal={false}
            value={count}
            onChange={setCount}
          />
        )}
        {what === 'delivered' && (
          <Select
            label={<Optional label={t('paper_type')} />}
            clearable
            data={(types ?? []).map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
            value={paper}
            onChange={setPaper}
          />
        )}
        {(differs || what === 'back') && (
          <Textarea
            label={differs ? t('why_differs') : <Optional label={t('reason')} />}
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[differs && !reason.trim() && t('why_differs')]}
            onClick={() => void save()}
          >
            {t('save')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
