import { Button } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, Failed, Status } from '#kit/web/feedback/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { formatInstant, formatNumber, nameOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import {
  LOGBOOK_ROLE_WORDS,
  logbookCalls as calls,
  logbookFlow,
  logbookSteps,
  type ScannedEntry,
} from '../entries/entry.contract.ts'
import css from '../logbook.module.css'

/** An entry that the supervisor's phone opened by its code: confirmed or rejected on the spot. */
export default function ScannedLogbookEntry() {
  const t = useT('logbook')
  const { uuid = '' } = useParams()
  const { data, error, refetch } = useCall(calls.scanned, { params: { uuid } })
  return (
    <Page title={t('confirm_entry')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={320} />
      ) : (
        <Scanned of={data.data} uuid={uuid} />
      )}
    </Page>
  )
}

function Scanned({ of, uuid }: { of: ScannedEntry; uuid: string }) {
  const t = useT('logbook')
  const say = useLabel()
  const { busy, send } = useChange('/emtyaz/logbook', '/logbook-entries', '/users/work')
  const role = LOGBOOK_ROLE_WORDS.find(({ value }) => value === of.role)
  const state = logbookFlow.states.find(({ value }) => value === of.status)
  const minutes = Math.round(of.clock_ahead / 60)
  const confirm = () =>
    act({
      go: () => send(calls.confirm, { params: { uuid }, body: { version: of.version } }),
      done: () => t('is_confirmed'),
    })
  const reject = () =>
    askReason({
      title: t('reject_question'),
      action: t('reject'),
      danger: true,
      go: (reason) => send(logbookSteps.steps.reject, { params: { id: of.id }, body: { reason, version: of.version } }),
    })
  return (
    <Card title={<bdi>{nameOf(of.type)}</bdi>} aside={state && <Status tone={state.tone} label={say(state.label)} />}>
      <Stack gap={12}>
        <Facts
          items={[
            { label: t('intern'), value: <bdi>{nameOf(of.student)}</bdi> },
            { label: t('role'), value: role ? say(role.label) : '–' },
            { label: t('when'), value: formatInstant(of.done_at) },
            { label: t('rotation'), value: <bdi>{nameOf(of.training)}</bdi> },
          ]}
        />
        {Math.abs(minutes) >= 5 && (
          <p className={css.note}>
            {t(minutes > 0 ? 'clock_ahead' : 'clock_behind', { minutes: formatNumber(Math.abs(minutes)) })}
          </p>
        )}
        {of.note && (
          <p className={css.note} dir="auto">
            {of.note}
          </p>
        )}
        {Object.values(of.refused).map((one) => (
          <p key={one.code} className={css.note}>
            {problemText(one)}
          </p>
        ))}
        {of.abilities.includes('confirm') && (
          <div className={css.buttons}>
            <Button
              size="md"
              loading={busy}
              leftSection={<IconCheck size={18} aria-hidden />}
              onClick={() => void confirm()}
            >
              {t('confirm')}
            </Button>
            <Button
              size="md"
              variant="default"
              color="red"
              leftSection={<IconX size={18} aria-hidden />}
              onClick={() => void reject()}
            >
              {t('reject')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  )
}
