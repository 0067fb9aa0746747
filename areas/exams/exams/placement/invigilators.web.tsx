import { Button } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { boardCss } from '#kit/web/timetable/board.tsx'
import { examPlacementCalls } from './placement.contract.ts'
import css from '../board/board.module.css'

/** Times that are told one by one. */
const SHOWN = 24

interface InvigilatorsProps {
  readonly exam_id: number
  readonly movable: boolean
}

/** How the duties of an exam lie on those who may invigilate, and when there are too few of them. */
export function InvigilatorsPanel({ exam_id, movable }: InvigilatorsProps) {
  const t = useT('exams')
  const lang = useLanguage()
  const me = useMe()
  const { data, refetch } = useCall(examPlacementCalls.invigilators, { params: { id: exam_id } })
  const { busy, problem, go, send } = useChange('/exam-schedules')
  useEvent('exam_board', (told) => {
    if ((told as { exam_id: number }).exam_id === exam_id) void refetch()
  })
  const load = data?.data
  if (!load || (!load.people.length && !load.needed)) return null
  const lacking = load.lacking.reduce((sum, one) => sum + one.lacking, 0)
  const most = load.people[0]?.duties ?? 0
  const assign = async () => {
    const done = await go(() => send(examPlacementCalls.assign, { params: { id: exam_id }, body: {} }))
    if (!done) return
    const { added } = done.answer.data
    notify.done(added ? t('assigned', { count: added }) : t('assigned_none'))
  }
  const figures = [
    [t('duties_needed'), load.needed],
    [t('duties_lacking'), lacking],
    [t('duties_most'), most],
    [t('duties_least'), load.people.at(-1)?.duties ?? 0],
  ] as const
  return (
    <section className={css.run} aria-label={t('invigilators')}>
      <h2>{t('invigilators')}</h2>
      <dl className={css.figures}>
        {figures.map(([label, value]) => (
          <div key={label} data-tone={label === t('duties_lacking') && value ? 'refused' : undefined}>
            <dt>{label}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {problem ? <Problems error={problem} /> : null}
      {lacking > 0 && (
        <ul className={`${boardCss.told} ${css.lacking}`}>
          {load.lacking.slice(0, SHOWN).map((one) => (
            <li key={`${one.on_date} ${one.exam_slot_id}`} data-tone="waiting">
              {t('duties_lacking_at', {
                day: formatDate(one.on_date),
                time: one.starts,
                lacking: one.lacking,
                needed: one.needed,
              })}
            </li>
          ))}
          {load.lacking.length > SHOWN && <li>{t('duties_lacking_more', { count: load.lacking.length - SHOWN })}</li>}
        </ul>
      )}
      {movable && me.can('edit_examSchedule') && lacking > 0 && load.people.length > 0 && (
        <div className={css.buttons}>
          <Button variant="default" loading={busy} onClick={() => void assign()}>
            {t('assign')}
          </Button>
        </div>
      )}
      {load.people.length > 0 && (
        <details className={css.people}>
          <summary>{t('duties_of', { count: load.people.length })}</summary>
          <ul>
            {load.people.map((person) => (
              <li key={person.id}>
                <bdi>{nameOf(person, lang)}</bdi>
                <meter min={0} max={Math.max(1, most)} value={person.duties} aria-label={t('duties_count')} />
                <span>{formatNumber(person.duties)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
