import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { formatNumber, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { AppointmentTime } from '../appointments/when.web.tsx'
import { ENTRANCE_KINDS } from '../words.contract.ts'
import { entranceBookingCalls as calls, type AskedAppointment } from './booking.contract.ts'
import css from '../entrance-exams.module.css'

/** Whoever is asked to the exam chooses when to come, and may choose anew until a day before. */
export function ChooseAppointment({ id, secret }: { readonly id: number; readonly secret: string }) {
  const params = { id, key: secret }
  const { data, error, refetch } = useCall(calls.mine, { params })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={160} />
  return data.data.map((one) => <Asked key={one.kind} of={one} params={params} refetch={() => void refetch()} />)
}

function Asked({
  of,
  params,
  refetch,
}: {
  readonly of: AskedAppointment
  readonly params: { readonly id: number; readonly key: string }
  readonly refetch: () => void
}) {
  const t = useT('entrance-exams')
  const say = useLabel()
  const [open, setOpen] = useState(false)
  const { busy, problem, go, send } = useChange('/admission')
  const kind = ENTRANCE_KINDS.find(({ value }) => value === of.kind)
  const choose = async (appointment_id: number) => {
    const done = await go(() => send(calls.choose, { params, body: { appointment_id } }))
    // Somebody was faster: what is free now is shown.
    if (!done) return refetch()
    setOpen(false)
    notify.done(t('chosen'))
  }
  const chooses = of.changeable && (open || !of.appointment)
  return (
    <section className={css.asked} aria-label={kind && say(kind.label)}>
      <h2>{kind && say(kind.label)}</h2>
      {of.appointment ? (
        <>
          <AppointmentTime of={of.appointment} />
          <p className={css.dim}>{t('bring')}</p>
        </>
      ) : (
        of.changeable && <p className={css.dim}>{t(of.free.length ? 'choose_text' : 'nothing_free')}</p>
      )}
      {of.why && <p className={css.dim}>{problemText(of.why)}</p>}
      {problem !== null && <Problems error={problem} />}
      {chooses && of.free.length > 0 && (
        <ul className={css.choices}>
          {of.free.map((one) => (
            <li key={one.id}>
              <AppointmentTime of={one} aside={t('free_count', { n: formatNumber(one.free) })} />
              <Button size="xs" variant="default" loading={busy} onClick={() => void choose(one.id)}>
                {t('choose_this')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {of.appointment && of.changeable && of.free.length > 0 && (
        <div className={css.buttons}>
          <Button size="xs" variant="default" onClick={() => setOpen(!open)}>
            {t(open ? 'keep_it' : 'change_it')}
          </Button>
        </div>
      )}
    </section>
  )
}
