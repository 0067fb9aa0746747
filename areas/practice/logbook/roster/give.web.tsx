import { Modal } from '@mantine/core'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { rosterCalls as calls, type GivableDuty } from './roster.contract.ts'
import css from '../logbook.module.css'

/** A duty goes to another intern; who cannot take it stands below, each with the reason. */
export function GiveDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT('logbook')
  const { data, error, refetch } = useCall(calls.givable, { params: { id } })
  return (
    <Modal opened onClose={onClose} title={t('give_duty')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={200} />
      ) : (
        <Give of={data.data} onClose={onClose} />
      )}
    </Modal>
  )
}

function Give({ of, onClose }: { of: GivableDuty; onClose: () => void }) {
  const t = useT('logbook')
  const { send } = useChange('/emtyaz/roster', '/emtyaz/duties', '/duty-swaps')
  const may = of.interns.filter(({ reasons }) => !reasons.length)
  const not = of.interns.filter(({ reasons }) => reasons.length)
  return (
    <Stack gap={12}>
      <p className={css.note}>
        <bdi>{nameOf(of.student)}</bdi> · <bdi>{nameOf(of.kind)}</bdi> · {formatDate(of.day, 'weekday')}
      </p>
      {may.length === 0 ? (
        <Empty title={t('nobody_takes')} text={t('nobody_takes_text')} />
      ) : (
        <Form
          bar="dialog"
          submit={t('give')}
          onCancel={onClose}
          fields={{
            student: f.choice(
              asLabel(t('give_to')),
              may.map((one) => ({ value: String(one.id), label: [one.name, one.name_local ?? one.name] as const })),
              { required: true },
            ),
          }}
          values={null}
          onSave={({ student }) =>
            send(calls.give, { params: { id: of.id }, body: { student_id: Number(student), version: of.version } })
          }
          onSaved={() => {
            notify.done(t('given'))
            onClose()
          }}
        />
      )}
      {not.length > 0 && (
        <details>
          <summary>{t('who_cannot')}</summary>
          <ul className={css.problems}>
            {not.map((one) => (
              <li key={one.id}>{one.reasons.map((reason) => problemText(reason)).join(' ')}</li>
            ))}
          </ul>
        </details>
      )}
    </Stack>
  )
}
