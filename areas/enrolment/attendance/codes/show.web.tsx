import { Button } from '@mantine/core'
import { IconPlayerStop, IconQrcode } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import css from '../attendance.module.css'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'

/** How often the screen asks who came, while codes are shown. */
const ASK_EVERY = 1500
/** After so many minutes a scan is late. */
const LATE_AFTER = 15

/** The code of a meeting, full of the screen; below it the count grows. */
export default function ShowCode() {
  const t = useT('attendance')
  const lang = useLanguage()
  const { id, date } = useParams() as { id: string; date: string }
  const params = { id: Number(id), date }
  const { data: sheet, error: missing } = useCall(calls.sheet, { params })
  const { busy, problem, go, send } = useChange('/attendance/code')
  const { data, error } = useCall(
    calls.code,
    { params },
    {
      refetchInterval: (query) => (query.state.data?.data.open ? ASK_EVERY : false),
      staleTime: 0,
    },
  )
  const shown = data?.data
  const start = () => go(() => send(calls.openCode, { params, body: { late_after: LATE_AFTER } }))
  // Who opens this screen wants the code: it is shown at once.
  const began = useRef(false)
  const begin = useEffectEvent(() => {
    if (began.current) return
    began.current = true
    void start()
  })
  const closed = shown?.open === false
  useEffect(() => {
    const timer = closed ? setTimeout(() => begin()) : undefined
    return () => clearTimeout(timer)
  }, [closed])
  if (missing) return <Failed error={missing} />
  const course = sheet?.data.offering
  return (
    <main className={css.show}>
      <div className={css.bar}>
        <h1 className={css.heading}>
          <bdi>{course ? nameOf(course.course, lang) : '\u00A0'}</bdi> ·{' '}
          <span className={css.dim}>{formatDate(date, 'weekday', lang)}</span>
        </h1>
        {shown?.open && (
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            onClick={() => void go(() => send(calls.closeCode, { params }))}
          >
            {t('stop')}
          </Button>
        )}
        {course && (
          <Button
            variant="default"
            component={Link}
            to={to('/offerings/attendance/:id', { id: course.id }, { meeting: id, date })}
          >
            {t('to_list')}
          </Button>
        )}
      </div>
      <div className={css.code}>
        {shown?.qr ? (
          <svg
            viewBox={`0 0 ${shown.qr.size} ${shown.qr.size}`}
            shapeRendering="crispEdges"
            role="img"
            aria-label={t('code_label')}
          >
            <path fill="#fff" d={`M0 0h${shown.qr.size}v${shown.qr.size}H0z`} />
            <path d={shown.qr.path} />
          </svg>
        ) : (
          <div className={css.scan}>
            {problem !== null && <Problems error={problem} />}
            {error && !shown && <Failed error={error} />}
            {shown && (
              <Button
                size="lg"
                loading={busy}
                leftSection={<IconQrcode size={20} aria-hidden />}
                onClick={() => void start()}
              >
                {t('show_code')}
              </Button>
            )}
          </div>
        )}
      </div>
      <div>
        <p className={css.count} role="status">
          {shown
            ? t('counted_of', { count: formatNumber(shown.counted), all: formatNumber(shown.students) })
            : '\u00A0'}
        </p>
        <ul className={css.arrived}>
          {shown?.arrived.slice(0, 5).map((one) => (
            <li key={one.student_id}>
              <bdi>{nameOf(one, lang)}</bdi>
            </li>
          ))}
        </ul>
      </div>
    </main>
  )
}
