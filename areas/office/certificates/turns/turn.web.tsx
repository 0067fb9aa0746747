import { daysBetween, dayOf } from '#kit/contract/day.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, nameOf, useT } from '#kit/web/i18n/index.ts'
import { certificateCalls, type CertificateDetail } from '../requests/certificate.contract.ts'
import css from '../certificates.module.css'

/** By how many days it has waited too long; nothing while it is in time. */
export function OverdueMark({ due_on }: { due_on: string | null }) {
  const t = useT('certificates')
  const late = due_on === null ? 0 : daysBetween(due_on, dayOf())
  return late > 0 ? <Status is="late" label={t('overdue', { count: late })} /> : null
}

/** On the line of steps, under where it stands: since when, and by when it is expected to go on. */
export function StandsSince({ row }: { row: { id: number; version: number } }) {
  const t = useT('certificates')
  const { data } = useCall(certificateCalls.detail, { params: { id: row.id } }, { meta: { version: row.version } })
  const turn = data?.data.turn
  if (!turn) return null
  return (
    <>
      <span>{t('since', { time: formatInstant(turn.since) })}</span>
      {turn.due_on !== null && (
        <span>{t(turn.late > 0 ? 'was_expected' : 'expected', { date: formatDate(turn.due_on) })}</span>
      )}
      <OverdueMark due_on={turn.due_on} />
    </>
  )
}

/** For staff: that nobody holds the position that signs next, who was reminded of a late step, and when. */
export function TurnNotes({ of: { turn, chain } }: { of: Pick<CertificateDetail, 'turn' | 'chain'> }) {
  const t = useT('certificates')
  if (!turn) return null
  const empty = chain.find(({ position_id }) => position_id === turn.position_id)
  return (
    <>
      {turn.vacant && (
        <p role="alert" className={css.changed}>
          {t('vacant_text', { name: empty ? nameOf(empty) : '' })}
        </p>
      )}
      {turn.reminded_on !== null && (
        <small>
          {t('reminded', { date: formatDate(turn.reminded_on) })}
          {turn.told_on !== null && ` · ${t('told_above', { date: formatDate(turn.told_on) })}`}
        </small>
      )}
    </>
  )
}
