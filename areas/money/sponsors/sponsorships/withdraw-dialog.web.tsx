import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { TypedToConfirm, isTyped, labelToConfirm, wantedFor } from '#kit/web/feedback/weight.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import shared from '../../money.module.css'
import css from '../sponsors.module.css'
import { sponsorshipCalls as calls, type WithdrawalShown } from './sponsorship.contract.ts'

/** So many days students have for what goes back to them, unless somebody says otherwise. */
const DAYS = 30

/** A sponsor withdraws: first what would happen and to how many, then it does. */
export default function WithdrawDialog({ sponsor, onClose }: { sponsor: number; onClose: () => void }) {
  const t = useT('sponsors')
  const k = useT('kit')
  const { busy, problem, go, send } = useChange('/sponsors', '/sponsorships', '/payments', '/students')
  const [day, setDay] = useState<string | null>(dayOf())
  const [due, setDue] = useState<string | null>(addDays(dayOf(), DAYS))
  const [reason, setReason] = useState('')
  const [seen, setSeen] = useState<WithdrawalShown | null>(null)
  const [typed, setTyped] = useState('')
  const weight = { whom: seen ? { count: seen.students, names: [] } : undefined, heavy: true }
  const act = async (preview: boolean) => {
    if (!day || !due) return
    const done = await go(() =>
      send(calls.withdraw, { params: { id: sponsor }, body: { day, due_on: due, reason, preview } }),
    )
    if (!done) return
    if (preview) {
      setSeen(done.answer.data)
      return
    }
    notify.done(t('withdrawn', { n: formatNumber(done.answer.data.students) }))
    onClose()
  }
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setSeen(null)
      set(value)
    }
  return (
    <Dialog opened onClose={onClose} title={t('withdraw')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <p className={shared.text}>{t('withdraw_text')}</p>
        <div className={css.pair}>
          <DateInput
            name="day"
            label={t('from_day')}
            defaultValue={day}
            onChange={(value) => change(setDay)(value as string | null)}
          />
          <DateInput
            name="due_on"
            label={t('due_on')}
            defaultValue={due}
            onChange={(value) => change(setDue)(value as string | null)}
          />
        </div>
        <Textarea
          label={t('reason')}
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => change(setReason)(event.currentTarget.value)}
        />
        <div aria-live="polite">{seen && <Seen of={seen} />}</div>
        {seen && <TypedToConfirm of={weight} value={typed} onChange={setTyped} />}
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            {...(seen && { color: 'red' })}
            missing={[
              !day && t('from_day'),
              !due && t('due_on'),
              reason.trim().length < 3 && t('reason'),
              seen && !isTyped(wantedFor(weight), typed) && labelToConfirm(k, weight),
            ]}
            onClick={() => void act(seen === null)}
          >
            {seen ? t('withdraw_from', { n: formatNumber(seen.students) }) : t('look_first')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}

/** What goes back, what stays and what is still owed. */
function Seen({ of }: { of: WithdrawalShown }) {
  const t = useT('sponsors')
  const rows = [
    [t('students'), formatNumber(of.students)],
    [t('invoices_back'), formatNumber(of.invoices)],
    [t('goes_back'), formatMoney(of.back, of.currency)],
    [t('stays_paid'), formatMoney(of.kept, of.currency)],
    ...(of.owed > 0 ? [[t('stays_owed'), formatMoney(of.owed, of.currency)]] : []),
  ]
  return (
    <dl className={css.sums}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
