import { Button } from '@mantine/core'
import { IconCheck, IconUsers, IconX } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, Status, act } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Table, type TableColumn } from '#kit/web/table/table.tsx'
import { entranceBookingCalls as calls, type Comer } from '../bookings/booking.contract.ts'
import { ENTRANCE_ATTENDANCE, type EntranceAttendance } from '../words.contract.ts'
import css from '../entrance-exams.module.css'

interface Props {
  readonly row: { readonly id: number; readonly begins_at: string; readonly kind: string }
}

/** Who came: said for one, or for all of whom nothing was said. */
function useAttendance({ id }: Props['row']) {
  const t = useT('entrance-exams')
  const lang = useLanguage()
  const { busy, send } = useChange('/entrance-appointments', '/applicants')
  const note = (bookings: { id: number; attendance: EntranceAttendance | null }[]) =>
    send(calls.attend, { params: { id }, body: { bookings } })
  return {
    busy,
    one: (of: Comer, attendance: EntranceAttendance) =>
      void act({
        go: () => note([{ id: of.id, attendance }]),
        done: () => t(`noted_${attendance}`, { name: nameOf(of.applicant, lang) }),
        undo: () => note([{ id: of.id, attendance: of.attendance }]),
      }),
    all: (rows: readonly Comer[]) => {
      const open = rows.filter((one) => one.attendance === null)
      void act({
        go: () => note(open.map((one) => ({ id: one.id, attendance: 'came' as const }))),
        done: () => t('noted_all', { n: formatNumber(open.length) }),
        undo: () => note(open.map((one) => ({ id: one.id, attendance: null }))),
      })
    },
  }
}

/** Who comes to an appointment; once it has begun, who came. */
export function Comers({ row }: Props) {
  const t = useT('entrance-exams')
  const { most, more } = useMost(100, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(calls.comers, { params: { id: row.id }, query: { most } })
  const attendance = useAttendance(row)
  const columns = useColumns(row, attendance)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const notes = hasBegun(row) && may('manage_entrance_exam')
  return (
    <Card
      title={t('comers')}
      aside={
        notes &&
        data.data.some((one) => one.attendance === null) && (
          <Button size="xs" variant="default" loading={attendance.busy} onClick={() => attendance.all(data.data)}>
            {t('all_others_came')}
          </Button>
        )
      }
    >
      {data.data.length === 0 ? (
        <Empty icon={<IconUsers size={28} aria-hidden />} title={t('nobody_comes')} text={t('nobody_comes_text')} />
      ) : (
        <>
          <Table label={t('comers')} rows={data.data} rowKey={(one) => one.id} columns={columns} />
          <MoreRows shown={data.data.length} total={data.total} onMore={more} />
        </>
      )}
    </Card>
  )
}
const hasBegun = ({ begins_at }: Props['row']): boolean => new Date(begins_at).getTime() <= Date.now()

function useColumns(row: Props['row'], attendance: ReturnType<typeof useAttendance>): readonly TableColumn<Comer>[] {
  const t = useT('entrance-exams')
  const say = useLabel()
  const notes = hasBegun(row) && may('manage_entrance_exam')
  return [
    {
      key: 'applicant',
      label: t('applicant'),
      head: true,
      style: { minInlineSize: 160 },
      cell: (one) => (
        <span className={css.two}>
          <Link to={to('/applicants/:id', { id: one.applicant.id })}>
            <Name row={one.applicant} />
          </Link>
          <small>
            <Code>{one.applicant.code}</Code>
          </small>
        </span>
      ),
    },
    {
      key: 'national_id',
      label: t('id_ends_in'),
      cell: (one) => <Code>{one.national_id_end ?? '–'}</Code>,
    },
    {
      key: 'phone',
      label: t('phone'),
      cell: (one) => (
        <span className={css.figures}>
          <Code>{one.phone ?? '–'}</Code>
        </span>
      ),
    },
    row.kind === 'exam'
      ? { key: 'result', label: t('result_percent'), figure: true, cell: (one) => one.exam_result ?? '–' }
      : {
          key: 'interview',
          label: t('interview'),
          cell: (one) =>
            one.interview_passed === null ? '–' : t(one.interview_passed ? 'interview_yes' : 'interview_no'),
        },
    {
      key: 'attendance',
      label: t('attendance'),
      cell: (one) => {
        const found = ENTRANCE_ATTENDANCE.find(({ value }) => value === one.attendance)
        return (
          <span className={css.buttons}>
            {found ? <Status tone={found.tone} label={say(found.label)} /> : !notes && '–'}
            {notes && one.attendance !== 'came' && (
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<IconCheck size={14} aria-hidden />}
                onClick={() => attendance.one(one, 'came')}
              >
                {t('came')}
              </Button>
            )}
            {notes && one.attendance !== 'absent' && (
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<IconX size={14} aria-hidden />}
                onClick={() => attendance.one(one, 'absent')}
              >
                {t('absent')}
              </Button>
            )}
          </span>
        )
      },
    },
  ]
}
