import { IconPrinter, IconTable } from '@tabler/icons-react'
import type { Row } from '#kit/contract/resource.ts'
import { download } from '#kit/web/api/index.ts'
import { notify, withOverlay } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatInstant, formatNumber, paperLanguageOf, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { entranceBookingCalls as calls } from '../bookings/booking.contract.ts'
import { entranceAppointment } from './appointment.contract.ts'

const Comers = part(async () => (await import('./comers.web.tsx')).Comers)
type Appointment = Row<typeof entranceAppointment>

/** The list for the door, on paper and as a sheet. */
function useDoorList() {
  const t = useT('entrance-exams')
  const print = (call: typeof calls.doorList | typeof calls.doorSheet, id: number) =>
    void withOverlay(download(call, { params: { id }, body: { lang: paperLanguageOf() } })).catch((refusal: unknown) =>
      notify.error(refusal),
    )
  return (row: Appointment) =>
    row.removed
      ? []
      : [
          {
            key: 'door',
            label: t('door_list'),
            icon: <IconPrinter size={15} aria-hidden />,
            onSelect: () => print(calls.doorList, row.id),
          },
          {
            key: 'sheet',
            label: t('door_sheet'),
            icon: <IconTable size={15} aria-hidden />,
            onSelect: () => print(calls.doorSheet, row.id),
          },
        ]
}

export default resourceWeb(entranceAppointment, {
  list: {
    empty: {
      title: ['No appointments yet', 'لا توجد مواعيد بعد'],
      text: [
        'An appointment says when and where applicants come, and how many at most.',
        'يحدد الموعد متى وأين يحضر المتقدمون وأقصى عددهم.',
      ],
    },
    rowName: (row) => row.code ?? '',
    // The last figures of a number are those that tell appointments apart.
    columns: (generic) => generic.map((one) => (one.key === 'code' ? { ...one, width: 150 } : one)),
  },
  form: { initial: () => ({ kind: 'exam', minutes: 90 }) },
  detail: {
    title: (row) => ({ name: formatInstant(row.begins_at), name_local: formatInstant(row.begins_at), code: row.code }),
    figures: (row) => [
      { label: ['Taken', 'المحجوز'], value: formatNumber(row.booked ?? 0) },
      { label: ['Free', 'المتاح'], value: formatNumber(row.capacity - (row.booked ?? 0)) },
    ],
    useActions: useDoorList,
    panels: [
      { key: 'comers', title: ['Who comes', 'من يحضر'], first: true, Content: ({ row }) => <Comers row={row} /> },
    ],
  },
})
