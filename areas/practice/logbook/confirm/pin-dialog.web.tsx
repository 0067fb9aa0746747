import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog, notify, Problems } from '#kit/web/feedback/index.ts'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { dayOf } from '#kit/contract/day.ts'
import { formatDate, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { logbookCalls as calls } from '../entries/entry.contract.ts'

/** A supervisor's own PIN: with it he or she confirms on the phone of an intern. */
export function PinDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useT('logbook')
  const { data } = useCall(calls.pin, {}, { enabled: opened })
  const { busy, problem, go, send } = useChange('/emtyaz/logbook/pin')
  const save = async (pin: string) => {
    const done = await go(() => send(calls.setPin, { body: { pin } }))
    if (!done) return
    notify.done(t('pin_set'))
    onClose()
  }
  return (
    <Dialog opened={opened} title={t('my_pin')} onClose={onClose}>
      <PlainForm busy={busy} send={({ pin = '' }) => void save(pin)}>
        <Stack gap={12}>
          <p style={{ margin: 0 }}>{t('my_pin_text')}</p>
          <p style={{ margin: 0 }}>
            {data
              ? data.data.set_at
                ? t('pin_since', { date: formatDate(dayOf(data.data.set_at)) })
                : t('pin_none')
              : '\u00A0'}
          </p>
          <Asked
            name="pin"
            label={t('pin_new')}
            secret
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            rule={(value) => (/^\d{6}$/.test(value) ? null : t('pin_digits'))}
          />
          {problem !== null && <Problems error={problem} />}
          <Submit type="submit" onCancel={onClose} loading={busy} missing={[]}>
            {t('keep')}
          </Submit>
        </Stack>
      </PlainForm>
    </Dialog>
  )
}
