import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatNumber, nameOf, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { examSteps } from '../exams/exam.contract.ts'
import { publishingCalls, type Publishing } from './publishing.contract.ts'
import css from '../board/board.module.css'

export interface ToPublish {
  readonly id: number
  readonly version: number
  readonly name: string
  readonly name_local: string
}

/** Before an exam is published: what will happen and to how many, what stands against it, and what lacks. */
export function PublishDialog({ exam, onClose }: { readonly exam: ToPublish; readonly onClose: () => void }) {
  const t = useT('exams')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(publishingCalls.publishing, { params: { id: exam.id } })
  const { send } = useChange('/exams', '/exam-schedules')
  const found = data?.data
  const people = found ? found.told.students + found.told.invigilators : 0
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t('publish_title', { name: nameOf(exam, lang) })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {error && !found ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !found ? (
        <Bone height={280} />
      ) : (
        <div className={css.publishing}>
          <Happens of={found} />
          <Against of={found} />
          <Lacks of={found} exam={exam.id} onLeave={onClose} />
          {against(found) ? (
            <div className={css.ends}>
              <span className={css.dim}>{t('publish_not_yet')}</span>
              <Button variant="default" onClick={onClose}>
                {t('close')}
              </Button>
            </div>
          ) : (
            <Form
              fields={NOTHING}
              bar="dialog"
              always
              // What lacks is read before many are told of a plan that lacks it.
              weight={{ heavy: lacks(found), whom: { count: people, names: [] } }}
              submit={t(lacks(found) ? 'publish_anyway' : 'publish_now')}
              onCancel={onClose}
              onSave={() => send(examSteps.steps.publish, { params: { id: exam.id }, body: { version: exam.version } })}
              onSaved={() => {
                onClose()
                notify.done(t('published_to', { name: nameOf(exam, lang), count: people }))
              }}
            />
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Nothing is asked but the number of those who are told. */
const NOTHING = {}
const against = ({ exams, totals }: Publishing): boolean =>
  !exams || totals.unplaced + totals.unseated + totals.taught + totals.accommodations > 0
const lacks = ({ invigilators, totals }: Publishing): boolean =>
  invigilators.lacking + totals.clashes + totals.lectures > 0

/** What publishing does, in figures. */
function Happens({ of }: { readonly of: Publishing }) {
  const t = useT('exams')
  return (
    <section>
      <h3>{t('publish_happens')}</h3>
      <ul>
        <li>
          {t('publish_exams', {
            count: of.placed,
            from: formatDate(of.first_day) || '–',
            to: formatDate(of.last_day) || '–',
            halls: formatNumber(of.halls),
          })}
        </li>
        <li>{t('publish_students', { count: of.students, sittings: formatNumber(of.sittings) })}</li>
        <li>
          {t('publish_told', {
            students: formatNumber(of.told.students),
            invigilators: formatNumber(of.told.invigilators),
          })}
        </li>
        {of.told.silent > 0 && <li>{t('publish_silent', { count: of.told.silent })}</li>}
      </ul>
    </section>
  )
}

/** Why it cannot be published, reason by reason, with the exams. */
function Against({ of }: { readonly of: Publishing }) {
  const t = useT('exams')
  if (!against(of)) return null
  return (
    <section data-tone="refused">
      <h3>{t('publish_against')}</h3>
      <ul>
        {!of.exams && <li>{t('publish_nothing')}</li>}
        <Named text={(count) => t('publish_unplaced', { count })} all={of.totals.unplaced} rows={of.unplaced} plain />
        <Named text={(count) => t('publish_unseated', { count })} all={of.totals.unseated} rows={of.unseated} />
        <Named text={(count) => t('publish_taught', { count })} all={of.totals.taught} rows={of.taught} plain />
        <Named
          text={(count) => t('publish_accommodations', { count })}
          all={of.totals.accommodations}
          rows={of.accommodations}
        />
      </ul>
    </section>
  )
}

/** What lacks, and does not stop it. */
function Lacks({
  of,
  exam,
  onLeave,
}: {
  readonly of: Publishing
  readonly exam: number
  readonly onLeave: () => void
}) {
  const t = useT('exams')
  if (!lacks(of)) return null
  const { needed, lacking } = of.invigilators
  return (
    <section data-tone="waiting">
      <h3>{t('publish_lacks')}</h3>
      <ul>
        {lacking > 0 && (
          <li>
            <b>{t('publish_invigilators', { count: lacking, needed: formatNumber(needed) })}</b>{' '}
            <Link to={`${to('/exams/:id', { id: exam })}?tab=invigilators`} onClick={onLeave}>
              {t('publish_invigilators_where')}
            </Link>
          </li>
        )}
        {of.totals.lectures > 0 && (
          <li>
            <b>{t('publish_lectures', { count: of.totals.lectures })}</b>
            <Few
              names={of.lectures.map((one) => withHeading(`${one.name} – ${one.other}`, formatNumber(one.count)))}
              more={0}
            />
          </li>
        )}
        {of.totals.clashes > 0 && (
          <li>
            <b>{t('publish_clashes', { count: of.totals.clashes })}</b>
            <Few
              names={of.clashes.map((one) => withHeading(`${one.name} – ${one.other}`, formatNumber(one.count)))}
              more={0}
            />
          </li>
        )}
      </ul>
    </section>
  )
}

function Named({
  text,
  all,
  rows,
  plain,
}: {
  readonly text: (count: number) => ReactNode
  readonly all: number
  readonly rows: Publishing['unplaced']
  /** The exams alone are told, without how many. */
  readonly plain?: boolean
}) {
  if (!all) return null
  return (
    <li>
      <b>{text(all)}</b>
      <Few
        names={rows.map((one) => (plain ? one.name : withHeading(one.name, formatNumber(one.count))))}
        more={plain ? all - rows.length : 0}
      />
    </li>
  )
}

const Few = ({ names, more }: { readonly names: readonly string[]; readonly more: number }) => (
  <p>
    <bdi>{names.join(' · ')}</bdi>
    {more > 0 && ` +${formatNumber(more)}`}
  </p>
)
