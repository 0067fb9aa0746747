import { IconPlus } from '@tabler/icons-react'
import { useMe } from '#kit/web/auth/index.ts'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { MainButton } from '#kit/web/list/main-button.tsx'
import { part } from '#kit/web/later.ts'
import { to } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { stayCalls, stayFields, type StayRow } from './stay.contract.ts'
import { useStaySteps } from './use-steps.web.ts'
import { Days, Guest, BedPlace } from './words.web.tsx'

const BedBoard = part(async () => (await import('../board/board.web.tsx')).BedBoardTab)
const WaitingBeds = part(async () => (await import('../waiting/waiting.web.tsx')).WaitingTab)

const F = stayFields
type Row = StayRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  { key: 'student_id', label: ['Guest', 'النزيل'], sort: true, width: 230, cell: (row) => <Guest row={row} /> },
  { key: 'hostel_id', label: F.hostel_id.label, sort: true, width: 200, cell: (row) => <BedPlace row={row} /> },
  {
    key: 'from_day',
    label: ['Days', 'الأيام'],
    sort: true,
    width: 210,
    cell: (row) => <Days from={row.from_day} until={row.until_day} />,
  },
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 150 },
  { key: 'priority', label: F.priority.label, field: F.priority, sort: true, width: 160 },
  { key: 'asked_at', label: F.asked_at.label, field: F.asked_at, sort: true },
]
const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`
const VIEWS = [
  { key: 'confirmed', label: ['Expected', 'المنتظر وصولهم'] as const, query: view({ status: ['confirmed'] }) },
  { key: 'inside', label: ['Checked in', 'المقيمون'] as const, query: view({ status: ['checked_in'] }) },
]

/** Reservations as a list: whatever has become of them. */
function StayList() {
  const t = useT('hotels')
  const me = useMe()
  const steps = useStaySteps<Row>()
  const acts = me.can('edit_hotel', 'confirm_hotel', 'check_in_hotel')
  return (
    <ListScreen<Row>
      page={false}
      call={stayCalls.reservations}
      title={['Reservations of beds', 'حجوزات الأسرّة']}
      columns={COLUMNS}
      filters={{
        status: F.status,
        hostel_id: F.hostel_id,
        kind_id: F.kind_id,
        from_day: F.from_day,
        priority: F.priority,
      }}
      views={VIEWS}
      order={['from_day', 'desc']}
      removed
      rowName={(row) => row.code}
      rowHref={(row) => to('/reservation/:id', { id: row.id })}
      actions={acts ? steps.actions : undefined}
      bulk={acts ? steps.bulk : []}
      empty={{ title: t('none'), text: t('none_text') }}
    />
  )
}

/** Beds: who has asked for one, who sleeps where, and who waits. */
export default function Reservations() {
  const t = useT('hotels')
  const me = useMe()
  const waits = me.can('confirm_hotel')
  return (
    <Page
      wide
      title={t('reservations')}
      action={
        me.can('add_hotel') ? (
          <MainButton
            action={{
              key: 'add',
              label: t('ask'),
              icon: <IconPlus size={16} aria-hidden />,
              href: to('/reservations/add'),
            }}
          />
        ) : undefined
      }
    >
      <ScreenTabs
        tabs={[
          { key: 'list', label: t('list'), content: () => <StayList /> },
          { key: 'board', label: t('board'), content: () => <BedBoard /> },
          ...(waits ? [{ key: 'waiting', label: t('waiting'), content: () => <WaitingBeds /> }] : []),
        ]}
      />
    </Page>
  )
}
