import { Button, Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getCurrentTerms } from '#areas/study/terms/terms/term.contract.ts'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import shared from '../../money.module.css'
import css from '../sponsors.module.css'
import { billingCalls, type BillResult } from './billing.contract.ts'

type Step = { is: 'choose' } | { is: 'job'; id: string } | { is: 'done'; result: BillResult }

/** Issues the invoice of a sponsor for a term, or those of all sponsors: what is not invoiced yet. */
export default function BillDialog({ sponsor, onClose }: { sponsor: number | null; onClose: () => void }) {
  const t = useT('sponsors')
  const client = useQueryClient()
  const { busy, problem, go, send } = useChange('/sponsors')
  const { data: terms, isPending } = useCall(getCurrentTerms, {}, { staleTime: 300_000 })
  const [chosen, setTerm] = useState<number | null | undefined>()
  const term = chosen === undefined ? (terms?.data.current_term?.id ?? null) : chosen
  const [mail, setMail] = useState(false)
  const [step, setStep] = useState<Step>({ is: 'choose' })
  const start = async () => {
    if (term === null) return
    const done = await go(() =>
      send(billingCalls.issue, {
        body: { term_id: term, mail, ...(sponsor !== null && { sponsor_ids: [sponsor] }) },
      }),
    )
    if (done) setStep({ is: 'job', id: done.answer.job_id })
  }
  return (
    <Dialog opened onClose={onClose} title={t('issue_invoice')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        {step.is === 'choose' && (
          <>
            <p className={shared.text}>{t('issue_text')}</p>
            {isPending ? (
              <Bone height={62} />
            ) : (
              <LookupInput resource="term" label={t('term')} defaultValue={term} onChange={setTerm} />
            )}
            <Checkbox
              label={t('send_mail')}
              checked={mail}
              onChange={(event) => setMail(event.currentTarget.checked)}
            />
            {problem !== null && <Problems error={problem} />}
            <div className={shared.buttons}>
              <Submit
                onCancel={onClose}
                loading={busy}
                missing={[term === null && t('term')]}
                onClick={() => void start()}
              >
                {t('issue')}
              </Submit>
            </div>
          </>
        )}
        {step.is === 'job' && (
          <ProgressJob
            id={step.id}
            label={t('issuing')}
            onDone={(result) => {
              setStep({ is: 'done', result: result as BillResult })
              void refresh(client, '/sponsors')
            }}
          />
        )}
        {step.is === 'done' && (
          <>
            {step.result.issued.length === 0 ? (
              <p className={shared.text}>{t('nothing_unbilled')}</p>
            ) : (
              <ul className={shared.list}>
                {step.result.issued.map((one) => (
                  <li key={one.id} className={css.line}>
                    <span>{one.number}</span>
                    <span>{t('students_count', { n: formatNumber(one.students) })}</span>
                    <b>
                      <bdi>{formatMoney(one.amount, one.currency)}</bdi>
                    </b>
                  </li>
                ))}
              </ul>
            )}
            <p className={shared.text}>
              {t('issued_count', {
                n: formatNumber(step.result.issued.length),
                all: formatNumber(step.result.sponsors),
              })}
            </p>
            <div className={shared.buttons}>
              <Button onClick={onClose}>{t('close')}</Button>
            </div>
          </>
        )}
      </Stack>
    </Dialog>
  )
}
