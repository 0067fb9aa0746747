import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Empty, Failed, act } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { reminderCalls, type PreviewedStep, type ReminderPreview } from './reminder.contract.ts'
import { useWhenOf } from './words.web.tsx'
import shared from '../../money.module.css'

/** Who would be reminded today, by step; what is left alone, and why. Nothing is sent by looking. */
export default function Preview({ onClose }: { onClose: () => void }) {
  const t = useT('collecting')
  const { data, error, refetch } = useCall(reminderCalls.preview, { body: {} })
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('preview')} closeButtonProps={{ 'aria-label': t('close') }}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={240} />
      ) : (
        <Found of={data.data} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Found({ of, onClose }: { of: ReminderPreview; onClose: () => void }) {
  const t = useT('collecting')
  const lang = useLanguage()
  const when = useWhenOf()
  if (!of.set)
    return (
      <Empty
        title={t('no_steps')}
        text={t('no_steps_text')}
        action={<Link to={to('/reminder-steps')}>{t('set_steps')}</Link>}
      />
    )
  const consequences = (step: PreviewedStep) =>
    [step.costs && nameOf(step.costs, lang), step.holds && t('holds')].filter(Boolean).join(' · ') || '–'
  return (
    <Stack>
      <p className={shared.text}>
        {of.parts
          ? t('would_go', { people: formatNumber(of.people), parts: formatNumber(of.parts), day: formatDate(of.day) })
          : t('would_none', { day: formatDate(of.day) })}
        {of.unreached > 0 && ` ${t('would_unreached', { people: formatNumber(of.unreached) })}`}
      </p>
      {of.steps.length > 0 && (
        <Table
          label={t('preview')}
          rows={of.steps}
          rowKey={(one) => one.step.id}
          columns={[
            {
              key: 'step',
              label: t('step'),
              head: true,
              cell: (one) => (
                <span className={shared.two}>
                  <bdi>{nameOf(one.step, lang)}</bdi>
                  <small>{[when(one), one.faculty && nameOf(one.faculty, lang)].filter(Boolean).join(' · ')}</small>
                </span>
              ),
            },
            { key: 'people', label: t('people'), figure: true, cell: (one) => formatNumber(one.people) },
            { key: 'parts', label: t('parts'), figure: true, cell: (one) => formatNumber(one.parts) },
            {
              key: 'amount',
              label: t('amount'),
              figure: true,
              cell: (one) => (
                <span className={shared.two}>
                  {one.amounts.map(({ currency, amount }) => (
                    <bdi key={currency}>{formatMoney(amount, currency)}</bdi>
                  ))}
                </span>
              ),
            },
            { key: 'follows', label: t('follows'), cell: consequences },
          ]}
        />
      )}
      {of.kept.map(({ why, parts }) => (
        <p key={why} className={shared.text}>
          {t(`kept_${why}`, { count: parts })}
        </p>
      ))}
      <p className={shared.text}>{t('preview_text')}</p>
      {of.abilities.includes('send') && of.parts > 0 && <SendNow of={of} onCancel={onClose} />}
    </Stack>
  )
}

/** Sends at once what would go out the next morning; it says before how many people it concerns. */
function SendNow({ of, onCancel }: { of: ReminderPreview; onCancel: () => void }) {
  const t = useT('collecting')
  const { send } = useChange('/reminders', '/payments')
  const [job, setJob] = useState<string | null>(null)
  const go = () =>
    act({
      ask: {
        title: t('send_title'),
        consequence: t('send_consequence', { people: formatNumber(of.people), parts: formatNumber(of.parts) }),
        action: t('send_now'),
        whom: { count: of.people, names: [] },
        heavy: true,
      },
      go: () => send(reminderCalls.send, { body: {} }),
      done: (answer) => {
        setJob(answer.job_id)
        return null
      },
    })
  return (
    <>
      {job && <ProgressJob id={job} label={t('send_now')} onDone={() => setJob(null)} />}
      <div className={shared.buttons}>
        <Submit missing={[]} onCancel={onCancel} loading={job !== null} onClick={() => void go()}>
          {t('send_now')}
        </Submit>
      </div>
    </>
  )
}
