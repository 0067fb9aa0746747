import { Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { download, useCall } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Code, Failed, act } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory } from '#kit/web/workflow/index.ts'
import { SlipEffect, useSlipSteps } from './list.web.tsx'
import { SlipPaper, SlipFacts } from './paper.web.tsx'
import { slip as flow, slipCalls as calls, slipFields as F, slipSteps } from './slip.contract.ts'
import { SlipUpload } from './upload.web.tsx'
import css from './slips.module.css'

/** A bank slip: where it stands, and what is next: to the bank, the stamp uploaded, looked at, booked. */
export default function Slip() {
  const t = useT('transactions')
  const say = useLabel()
  const lang = useLanguage()
  const me = useMe()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.show, { params: { id } })
  const steps = useSlipSteps()
  const [correcting, setCorrecting] = useState(false)
  useEvent('account', () => void refetch())
  const of = data?.data
  if (error && !of) return <Failed error={error} retry={() => void refetch()} />
  const own = of !== undefined && me.user.student_id === of.student?.id
  const toBank = of?.status === 'issued' || of?.status === 'rejected'
  const actions = of ? steps.actions(of).filter(({ key }) => !own || key === 'cancel') : []
  const uploads = of?.uploads && (of.status !== 'uploaded' || correcting)
  return (
    <Page
      title={of ? of.number : null}
      wide={false}
      subtitle={
        of?.student && !own ? (
          <>
            <bdi>{nameOf(of.student, lang)}</bdi> · <Code>{of.student.code}</Code>
          </>
        ) : (
          '\u00A0'
        )
      }
      facts={[
        { label: say(F.status.label), value: of ? <StateBadge flow={flow} state={of.status} /> : '–' },
        { label: say(F.amount.label), value: of ? <bdi>{formatMoney(of.amount, of.currency)}</bdi> : '–' },
        { label: say(F.expires_on.label), value: of ? formatDate(of.expires_on) : '–' },
      ]}
      action={
        toBank ? (
          <Button
            leftSection={<IconFileDownload size={16} aria-hidden />}
            onClick={() =>
              void act({
                go: () => download(calls.pdf, { params: { id }, body: { lang: lang === 'ar' ? 'ar' : 'en' } }),
                done: () => null,
              })
            }
          >
            {t('slip_pdf')}
          </Button>
        ) : undefined
      }
    >
      {!of ? (
        <Bone height={420} />
      ) : (
        <Stack>
          {of.status === 'rejected' && (
            <p className={css.held} role="status">
              {t('slip_rejected_because', { reason: of.rejected_reason ?? '' })}
            </p>
          )}
          {of.status === 'expired' && (
            <p className={css.note}>{t('slip_expired_text', { date: formatDate(of.expires_on) })}</p>
          )}
          {of.status === 'uploaded' && own && <p className={css.note}>{t('slip_waits_text')}</p>}
          {of.status === 'issued' && own && (
            <Card title={t('slip_how')}>
              <ol className={css.steps}>
                <li>{t('slip_how_1')}</li>
                <li>{t('slip_how_2', { number: of.number })}</li>
                <li>{t('slip_how_3')}</li>
              </ol>
            </Card>
          )}
          <Card title={t('slip_facts')}>
            {of.file ? (
              <div className={css.beside}>
                <Stack>
                  <SlipFacts of={of} whose={!own} />
                  {!own && <SlipEffect of={of} />}
                </Stack>
                <SlipPaper of={of} />
              </div>
            ) : (
              <SlipFacts of={of} whose={!own} />
            )}
          </Card>
          {uploads && (
            <Card title={t(of.file ? 'slip_correct' : 'slip_upload')} text={t('slip_upload_text')}>
              <SlipUpload key={of.version} of={of} onDone={() => setCorrecting(false)} />
            </Card>
          )}
          {(actions.length > 0 || (of.uploads && !uploads)) && (
            <div className={css.buttons}>
              {actions.map(({ key, label, disabled, onSelect }) => (
                <Button
                  key={key}
                  variant={key === 'accept' ? 'filled' : 'default'}
                  color={key === 'accept' ? undefined : 'red'}
                  disabled={disabled !== undefined}
                  title={disabled}
                  onClick={() => onSelect?.()}
                >
                  {label}
                </Button>
              ))}
              {of.uploads && !uploads && (
                <Button variant="default" onClick={() => setCorrecting(true)}>
                  {t('slip_correct')}
                </Button>
              )}
            </div>
          )}
          <Card title={t('slip_history')}>
            <StepHistory flow={flow} calls={slipSteps} id={id} />
          </Card>
        </Stack>
      )}
    </Page>
  )
}
