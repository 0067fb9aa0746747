import { Button, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import {
  formatDate,
  formatNumber,
  formatTimeRange,
  nameOf,
  problemText,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import css from '../attendance.module.css'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'

const DAY = /^\d{4}-\d\d-\d\d$/

/** Another day for a cancelled meeting: what stands against it is told while one chooses, with who. */
export default function MakeUpDialog({
  meeting,
  date,
  onClose,
  onDone,
}: {
  meeting: number
  date: string
  onClose: () => void
  onDone: (on: string) => void
}) {
  const t = useT('attendance')
  const k = useT('kit-screens')
  const tk = useT('kit')
  const lang = useLanguage()
  const [on, setOn] = useState<string | null>(null)
  const [slot, setSlot] = useState<string | null>(null)
  const [room, setRoom] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const { busy, problem, go, send } = useChange('/attendance', '/users/work', '/offering-schedules')
  const params = { id: meeting, date }
  const day = on !== null && DAY.test(on) ? on : null
  const { data, isPlaceholderData } = useCall(
    calls.makeUpPreview,
    {
      params,
      body: {
        on: day ?? date,
        ...(slot && { slot_id: Number(slot) }),
        location_id: room === null ? null : Number(room),
      },
    },
    { placeholderData: (before) => before },
  )
  const known = data?.data
  const chosen = day !== null && slot !== null
  const problems = day === null ? [] : (known?.problems ?? [])
  const insist = problems.length > 0 && known?.may_insist === true
  const save = async () => {
    const sent = await go(() =>
      send(calls.makeUp, {
        params,
        body: {
          on: day!,
          slot_id: Number(slot),
          location_id: room === null ? null : Number(room),
          insist,
          reason: reason.trim() || null,
        },
      }),
    )
    if (!sent) return
    notify.done(t('make_up_done', { count: sent.answer.data.told }))
    onDone(day!)
  }
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('make_up_title', { date: formatDate(date, 'long', lang) })}>
      <div className={css.form}>
        <p className={css.dim}>{t('make_up_text', { count: known?.told ?? 0 })}</p>
        <DateInput
          name="on"
          label={t('make_up_on')}
          defaultValue={null}
          onChange={(value) => setOn(value as string | null)}
        />
        <Select
          label={t('make_up_period')}
          data={(known?.periods ?? []).map((period) => ({
            value: String(period.id),
            label: `${nameOf(period, lang)} · ${formatTimeRange(period.start, period.end)}`,
          }))}
          value={slot}
          onChange={setSlot}
        />
        <Select
          label={<Optional label={t('make_up_room')} />}
          searchable
          clearable
          disabled={!chosen}
          placeholder={chosen ? undefined : t('make_up_room_first')}
          data={(known?.rooms ?? []).map((one) => ({
            value: String(one.id),
            disabled: one.taken !== null,
            label: [
              nameOf(one, lang),
              t('places', { count: one.capacity }),
              one.taken && t('taken_by', { by: one.taken }),
            ]
              .filter(Boolean)
              .join(' · '),
          }))}
          value={room}
          onChange={setRoom}
        />
        {problems.length > 0 && (
          <div role="alert">
            <ul className={css.clashes}>
              {problems.map((one) => (
                <li key={`${one.code} ${one.en}`}>
                  {problemText(one)}
                  {one.who.length > 0 && (
                    <small>{one.who.map((who) => `${who.code} ${nameOf(who, lang)}`).join(' · ')}</small>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )}
        {chosen && known && problems.length === 0 && <p className={css.free}>{t('make_up_free')}</p>}
        {insist && (
          <Textarea
            label={t('make_up_reason')}
            description={t('make_up_insist')}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={css.actions}>
          <Button variant="default" onClick={onClose}>
            {tk('cancel')}
          </Button>
          <Submit
            missing={[
              day === null && t('make_up_on'),
              slot === null && t('make_up_period'),
              chosen && (known === undefined || isPlaceholderData) && k('being_computed'),
              problems.length > 0 && !insist && k('solve_first'),
              insist && reason.trim().length < 3 && t('make_up_reason'),
            ]}
            loading={busy}
            onClick={() => void save()}
          >
            {t('make_up_save', { count: formatNumber(known?.told ?? 0) })}
          </Submit>
        </div>
      </div>
    </Dialog>
  )
}
