import { Button, Modal } from '@mantine/core'
import { IconCalendarDown, IconCalendarEvent, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { download, useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { act, confirm, Empty, notify, Status } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatInstant, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { thesisCalls, type WholeThesis } from '../thesis/whole.contract.ts'
import { THESIS_RESULTS } from '../thesis/words.contract.ts'
import css from '../theses.module.css'

/** The discussion that is scheduled or was held, the earlier ones, and what may be done about it. */
export function DiscussionOf({ id, whole, status }: { id: number; whole: WholeThesis; status: string }) {
  const t = useT('theses')
  const lang = useLanguage() === 'ar' ? ('ar' as const) : ('en' as const)
  const { send } = useChange('/theses')
  const [scheduling, setScheduling] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const there = whole.discussions.filter(({ cancelled }) => !cancelled)
  const [last] = there
  const waits = last && last.result === null
  const fetch = (call: 'calendar' | 'printMinutes' | 'printLetters') =>
    act({
      go: () =>
        download(thesisCalls[call] as typeof thesisCalls.printMinutes, {
          params: { id },
          query: call === 'calendar' ? {} : { lang },
        }),
      done: () => null,
    })
  const callOff = async () => {
    if (
      await confirm({
        title: t('call_off_title'),
        consequence: t('call_off_text'),
        action: t('call_off'),
        danger: true,
      })
    )
      await act({ go: () => send(thesisCalls.cancel, { params: { id } }), done: () => t('called_off') })
  }
  return (
    <Stack>
      <Card
        title={t('discussion')}
        text={t('discussion_text')}
        aside={
          <span className={css.line}>
            {last && (
              <Button
                variant="default"
                leftSection={<IconCalendarDown size={16} aria-hidden />}
                onClick={() => void fetch('calendar')}
              >
                {t('calendar')}
              </Button>
            )}
            {last?.result && (
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                onClick={() => void fetch('printMinutes')}
              >
                {t('minutes')}
              </Button>
            )}
            {waits && whole.may.discuss && (
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                onClick={() => void fetch('printLetters')}
              >
                {t('letters')}
              </Button>
            )}
            {waits && whole.may.discuss && (
              <Button variant="subtle" color="red" onClick={() => void callOff()}>
                {t('call_off')}
              </Button>
            )}
            {whole.may.discuss && status === 'approved' && (
              <Button leftSection={<IconCalendarEvent size={16} aria-hidden />} onClick={() => setScheduling(true)}>
                {t(waits ? 'move_discussion' : 'schedule')}
              </Button>
            )}
            {whole.may.supervise && last?.result === 'changes' && !last.changes_done_on && (
              <Button onClick={() => setConfirming(true)}>{t('confirm_changes')}</Button>
            )}
          </span>
        }
      >
        {there.length === 0 && <Empty title={t('no_discussion')} text={t('no_discussion_text')} />}
        {there.map((one) => (
          <Held key={one.id} of={one} />
        ))}
      </Card>
      {scheduling && (
        <Modal opened onClose={() => setScheduling(false)} title={t('schedule')}>
          <p className={css.lead}>{t('schedule_text')}</p>
          <Form
            bar="dialog"
            submit={t('schedule')}
            onCancel={() => setScheduling(false)}
            always
            fields={{
              location_id: f.lookup(asLabel(t('room')), 'location', { required: true }),
              day: f.date(asLabel(t('day')), { required: true }),
              from_time: f.time(asLabel(t('from')), { required: true }),
              until_time: f.time(asLabel(t('until')), { required: true }),
            }}
            values={{ day: whole.earliest }}
            onSave={(given) => send(thesisCalls.schedule, { params: { id }, body: given as never })}
            onSaved={() => {
              notify.done(t('invited'))
              setScheduling(false)
            }}
          />
        </Modal>
      )}
      {confirming && (
        <Modal opened onClose={() => setConfirming(false)} title={t('confirm_changes')}>
          <Form
            bar="dialog"
            submit={t('confirm_changes')}
            onCancel={() => setConfirming(false)}
            always
            fields={{ done_on: f.date(asLabel(t('done_on')), { required: true }) }}
            values={null}
            onSave={({ done_on }) =>
              send(thesisCalls.changesDone, { params: { id }, body: { done_on: String(done_on) } })
            }
            onSaved={() => {
              notify.done(t('kept'))
              setConfirming(false)
            }}
          />
        </Modal>
      )}
    </Stack>
  )
}

function Held({ of }: { of: WholeThesis['discussions'][number] }) {
  const t = useT('theses')
  const say = useLabel()
  const result = THESIS_RESULTS.find(({ value }) => value === of.result)
  return (
    <div className={css.standing}>
      <Facts
        items={[
          { label: t('time'), value: formatInstant(of.starts_at) },
          { label: t('room'), value: nameOf(of.room) },
          { label: t('result'), value: result ? say(result.label) : <Status is="waits" label={t('scheduled')} /> },
          ...(of.changes_due ? [{ label: t('changes_due'), value: formatDate(of.changes_due) }] : []),
          ...(of.changes_done_on ? [{ label: t('changes_done'), value: formatDate(of.changes_done_on) }] : []),
          { label: t('invited_people'), value: formatList(of.people.map((one) => nameOf(one))), wide: true },
        ]}
      />
      {of.minutes && (
        <p className={css.prose} dir="auto">
          {of.minutes}
        </p>
      )}
    </div>
  )
}
