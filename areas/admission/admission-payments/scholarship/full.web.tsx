import { Button, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog, Failed, Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import shared from '#areas/money/money.module.css'
import { fullScholarshipCalls as calls } from './full.contract.ts'

/** Gives an applicant a scholarship that takes the whole fee of the seat, or takes it back. */
export function FullScholarship({ applicant, onClose }: { applicant: number; onClose: () => void }) {
  const t = useT('admission-payments')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const [chosen, choose] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const { data, error, refetch } = useCall(calls.offered, { params: { id: applicant } })
  const { busy, problem, go, send } = useChange('/admission-payments')
  const of = data?.data
  const save = async (x: number | null) => {
    const done = await go(() =>
      x === null
        ? send(calls.change, { params: { id: applicant }, body: { full: false, reason } })
        : send(calls.changeTo, { params: { id: applicant, x }, body: { reason } }),
    )
    if (!done) return
    notify.done(t(x === null ? 'scholarship_taken' : 'scholarship_given'))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('full_scholarship')} closeButtonProps={{ 'aria-label': k('close') }}>
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={180} />
      ) : (
        <Stack>
          {problem !== null && <Problems error={problem} />}
          <p>{t(of.given ? 'scholarship_has' : 'scholarship_text')}</p>
          {of.given ? (
            <p>
              <Name row={of.given} />
            </p>
          ) : of.scholarships.length ? (
            <Radio.Group label={t('scholarship')} value={chosen} onChange={choose}>
              <Stack gap="xs" mt="xs">
                {of.scholarships.map((one) => (
                  <Radio key={one.id} value={String(one.id)} label={nameOf(one, lang)} />
                ))}
              </Stack>
            </Radio.Group>
          ) : (
            <p>{t('scholarship_nowhere')}</p>
          )}
          <Textarea
            label={t('scholarship_why')}
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <div className={shared.buttons}>
            <Button variant="default" onClick={onClose}>
              {k('cancel')}
            </Button>
            {of.given ? (
              <Submit
                loading={busy}
                missing={[reason.trim() === '' && t('scholarship_why')]}
                onClick={() => void save(null)}
              >
                {t('scholarship_take')}
              </Submit>
            ) : (
              <Submit
                loading={busy}
                missing={[chosen === null && t('scholarship'), reason.trim() === '' && t('scholarship_why')]}
                onClick={() => void save(Number(chosen))}
              >
                {t('scholarship_give')}
              </Submit>
            )}
          </div>
        </Stack>
      )}
    </Dialog>
  )
}
