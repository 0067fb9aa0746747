import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { CourseInWeek } from '../desk/choice.web.ts'
import css from '../desk/desk.module.css'
import { Groups } from '../desk/offering-card.web.tsx'
import { Reasons } from '../desk/parts.web.tsx'
import { requestCalls, type AvailableOffering, type RequestedRow } from '../requests/request.contract.ts'

/** A seat offered for another: the course and group that are wanted, and what it means for the one held. */
export default function SwapDialog({
  row,
  offerings,
  busy,
  own,
  studentId,
  onClose,
  onDone,
}: {
  row: RequestedRow
  offerings: readonly AvailableOffering[]
  busy: readonly CourseInWeek[]
  own: boolean
  studentId: number
  onClose: () => void
  onDone: () => void
}) {
  const t = useT('registration')
  const tk = useT('kit')
  const lang = useLanguage()
  const { problem, busy: sending, go, send } = useChange()
  const [wanted, setWanted] = useState<number | null>(null)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const given = row.course.code ?? ''
  const possible = offerings.filter(
    (one) =>
      one.wait_position === null &&
      (one.id === row.offering_id || one.registration === null) &&
      !one.refusals.some(({ code }) => code === 'already_passed') &&
      one.slots.length > 0,
  )
  const offering = possible.find((one) => one.id === wanted)
  const same = offering?.course.id === row.course.id
  const ask = async () => {
    if (!offering) return
    const done = await go(() =>
      send(requestCalls.join, {
        body: {
          ...(own ? {} : { student_id: studentId }),
          offering_id: offering.id,
          offering_slot_ids: [...chosen],
          gives_up_id: row.id,
        },
      }),
    )
    if (done) {
      const { moved, keeps, position } = done.answer.data
      const course = offering.course.code ?? ''
      const had = keeps ? t('swap_requested', { course, given }) : t('swap_done', { course, given })
      notify.done(moved ? had : t('joined', { position, course }))
      onClose()
    }
    onDone()
  }
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('swap_title', { course: given })}>
      <p className={css.dialogText}>{t('swap_text', { course: given })}</p>
      <Select
        data-autofocus
        searchable
        label={t('swap_for')}
        nothingFoundMessage={t('nothing_found')}
        data={possible.map((one) => ({
          value: String(one.id),
          label: `${one.course.code ?? ''} ${nameOf(one.course, lang)}${one.id === row.offering_id ? ` · ${t('swap_other_group')}` : ''}`,
        }))}
        value={wanted === null ? null : String(wanted)}
        onChange={(value) => {
          setWanted(value === null ? null : Number(value))
          setChosen([])
        }}
      />
      {offering && (
        <Groups
          offering={offering}
          chosen={chosen}
          busy={busy.filter(
            (one) => one.offering_id !== row.offering_id && one.offering_id !== row.gives_up?.offering_id,
          )}
          overQuota={false}
          mayClash={false}
          disabled={false}
          onChoose={setChosen}
        />
      )}
      {offering && (
        <p className={css.dialogText}>
          {t(same ? 'swap_stays' : row.state === 'Registered' ? 'swap_dropped' : 'swap_removed', {
            course: given,
            wanted: offering.course.code ?? '',
          })}
        </p>
      )}
      {problem !== null && <Reasons error={problem} studentId={own ? null : studentId} />}
      <div className={css.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {tk('cancel')}
        </Button>
        <Submit
          missing={[wanted === null ? t('swap_for') : !chosen.length && t('swap_groups')]}
          loading={sending}
          onClick={() => void ask()}
        >
          {t('swap_ask')}
        </Submit>
      </div>
    </Dialog>
  )
}
