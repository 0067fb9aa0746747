import { Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { act, Empty, Name, notify, Status } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatList, formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { useRowMenu } from '#kit/web/list/row-menu.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { askReason, StateBadge, useSteps } from '#kit/web/workflow/index.ts'
import { ROTATION_OUTCOMES, rotation, rotationCalls, rotationFlow } from '../rotations/rotation.contract.ts'
import type { InternDetail } from './intern.contract.ts'
import { INTERN_PATHS } from './row.web.ts'
import css from '../internship.module.css'

type Shown = InternDetail['rotations'][number]

/** The rotations of an intern, with the steps that the reader may take. */
export function InternRotations({ of }: { of: InternDetail }) {
  const t = useT('internship')
  const say = useLabel()
  const { send } = useChange(...INTERN_PATHS)
  const [ending, setEnding] = useState<Shown | null>(null)
  const steps = useSteps(rotationFlow as never, rotation.steps, {
    name: (row: Shown) => nameOf(row.training),
    refreshes: [...INTERN_PATHS],
  })
  const outcome = (one: Shown) => {
    const known = ROTATION_OUTCOMES.find(({ value }) => value === one.outcome)
    if (!known) return ''
    const is = one.outcome === 'passed' ? 'met' : one.outcome === 'failed' ? 'unmet' : 'late'
    return <Status is={is} label={say(known.label)} />
  }
  const mark = ({ mark: given, max_mark }: Shown) =>
    given === null
      ? ''
      : max_mark === null
        ? formatNumber(given)
        : t('of_max', { mark: formatNumber(given), max: formatNumber(max_mark) })
  const resume = async (one: Shown) => {
    const reason = await askReason({ title: t('resume_question', { name: nameOf(one.training) }), action: t('resume') })
    if (reason === null) return
    await act({
      go: () => send(rotationCalls.resume, { params: { id: one.id }, body: { reason } }),
      done: () => t('resumed'),
    })
  }
  const more = (one: Shown): RowAction[] => [
    ...steps.actions(one),
    ...(one.interrupts ? [{ key: 'interrupt', label: t('end_early'), onSelect: () => setEnding(one) }] : []),
    ...(one.outcome === 'interrupted' && of.adds
      ? [{ key: 'resume', label: t('resume'), onSelect: () => void resume(one) }]
      : []),
  ]
  const { menu, inlineButton, menuButton } = useRowMenu<Shown>({
    actions: (one) => more(one).filter(({ key }) => key !== steps.next(one as never)?.key),
    inline: (one) => steps.next(one),
  })
  return (
    <Card title={say(rotation.many)}>
      {of.rotations.length === 0 ? (
        <Empty title={t('no_rotations')} text={of.asks ? t('no_rotations_ask') : t('no_rotations_text')} />
      ) : (
        <ul className={css.rows}>
          {of.rotations.map((one) => (
            <li key={one.id} className={css.row}>
              <div className={css.what}>
                <strong>
                  <Name row={one.training} />
                </strong>{' '}
                {one.is_makeup && <Status is="open" label={t('makeup')} />}
                <div className={css.dim}>
                  {t('from_until', {
                    from: formatDate(one.starts_on),
                    until: formatDate(one.interrupted_on ?? one.ends_on),
                  })}
                </div>
                <div className={css.dim}>
                  <bdi>{nameOf(one.hospital)}</bdi>
                  {one.supervisors.length > 0 && <> · {formatList(one.supervisors.map((who) => nameOf(who)))}</>}
                </div>
              </div>
              <div className={css.badges}>
                <StateBadge flow={rotationFlow as never} state={one.status} />
                <span>{outcome(one)}</span>
                <span>{mark(one)}</span>
              </div>
              <span className={css.buttons}>
                {inlineButton(one)}
                {menuButton(one)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {menu}
      {ending && <EndEarly of={ending} onClose={() => setEnding(null)} />}
    </Card>
  )
}

function EndEarly({ of, onClose }: { of: Shown; onClose: () => void }) {
  const t = useT('internship')
  const { send } = useChange(...INTERN_PATHS)
  return (
    <Modal opened onClose={onClose} title={t('end_early')}>
      <p>{t('end_early_text')}</p>
      <Form
        bar="dialog"
        submit={t('end_early')}
        onCancel={onClose}
        fields={{
          on: f.date([t('last_day'), t('last_day')], { required: true }),
          reason: f.longText([t('reason'), t('reason')], { required: true, max: 500 }),
        }}
        values={null}
        always
        onSave={({ on, reason }) =>
          send(rotationCalls.interrupt, {
            params: { id: of.id },
            body: { on: String(on), reason: String(reason), version: of.version },
          })
        }
        onSaved={() => {
          notify.done(t('ended_early'))
          onClose()
        }}
      />
    </Modal>
  )
}
