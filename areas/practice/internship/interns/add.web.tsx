import { Button, Modal } from '@mantine/core'
import { f, resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { Form, useFormSet, useFormValue } from '#kit/web/form/form.tsx'
import { formatDate, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { ReasonList } from '../reasons.web.tsx'
import { rotation, rotationCalls } from '../rotations/rotation.contract.ts'
import { emtyazTrainingCalls, type AvailableTraining } from '../trainings/training.contract.ts'
import type { InternDetail } from './intern.contract.ts'
import { INTERN_PATHS, type InternRow } from './row.web.ts'
import css from '../internship.module.css'

/** Adds a rotation, or asks for one: a training that has places, and from which period on. */
export function AddRotation({ id, of, onClose }: { id: number; of: InternDetail; onClose: () => void }) {
  const t = useT('internship')
  const { data, error, refetch } = useCall(emtyazTrainingCalls.availableFor, { params: { id }, body: {} })
  return (
    <Modal opened onClose={onClose} size="lg" title={of.adds ? t('add_rotation') : t('ask_rotation')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={240} />
      ) : data.data.length === 0 ? (
        <Empty title={t('no_trainings')} text={t('no_trainings_text')} />
      ) : (
        <Asked of={of} trainings={data.data} onClose={onClose} />
      )}
    </Modal>
  )
}

/** A name with what tells it from others: the hospital. */
const called = (one: AvailableTraining): readonly [string, string] => [
  `${one.name} · ${one.hospital.name}`,
  `${one.name_local} · ${one.hospital.name_local ?? one.hospital.name}`,
]
const days = (one: AvailableTraining['starts'][number]) => `${formatDate(one.starts_on)} – ${formatDate(one.ends_on)}`

function Asked({
  of,
  trainings,
  onClose,
}: {
  of: InternDetail
  trainings: readonly AvailableTraining[]
  onClose: () => void
}) {
  const t = useT('internship')
  const me = useMe()
  const { send } = useChange(...INTERN_PATHS)
  const { student } = of.intern as unknown as InternRow
  const own = !of.adds
  // What the intern cannot have is told beneath its name, not hidden: the office may make up for what was missed.
  const fields = {
    training_id: f.choice(
      [t('training'), t('training')],
      trainings.map((one) => ({ value: String(one.id), label: called(one) })),
      { required: true },
    ),
    starts_on: f.date(rotation.fields.starts_on.label, { required: true, help: [t('starts_help'), t('starts_help')] }),
    ...(own
      ? { why: f.longText(rotation.fields.why.label, { max: 2000 }) }
      : {
          is_makeup: f.flag(rotation.fields.is_makeup.label),
          ends_on: f.date(rotation.fields.ends_on.label, { help: rotation.fields.ends_on.help ?? ['', ''] }),
        }),
  }
  return (
    <Form
      bar="dialog"
      submit={own ? t('ask_rotation') : t('add_rotation')}
      onCancel={onClose}
      fields={fields}
      values={null}
      always
      below={<Free trainings={trainings} />}
      onSave={async (values) => {
        const body = {
          student_id: student.id,
          training_id: Number(values.training_id),
          starts_on: String(values.starts_on),
          ...(values.ends_on ? { ends_on: String(values.ends_on) } : {}),
          ...(values.is_makeup ? { is_makeup: true } : {}),
          ...(values.why ? { why: String(values.why) } : {}),
        }
        // One alone is refused as a whole, so that its reasons stand at their fields.
        const made = (await send(resourceCalls(rotation).create, { body })) as unknown as { data: { id: number } }
        return own || !me.can('decide_rotation') ? made : send(rotationCalls.add, { body: { ids: [made.data.id] } })
      }}
      onSaved={() => {
        notify.done(own ? t('asked') : t('rotation_added', { name: nameOf(student) }))
        onClose()
      }}
    />
  )
}

/** Of the training that is chosen: the periods in which it has places, and what stands against it. */
function Free({ trainings }: { trainings: readonly AvailableTraining[] }) {
  const t = useT('internship')
  const id = useFormValue('training_id')
  const of = trainings.find((one) => String(one.id) === id)
  if (!of) return <p className={css.dim}>{t('choose_training')}</p>
  const open = of.starts.filter(({ free }) => free > 0)
  return (
    <div>
      {of.reasons && of.reasons.length > 0 && <ReasonList of={of.reasons} />}
      <p className={css.dim}>{t('weeks_count', { weeks: formatNumber(of.weeks) })}</p>
      {open.length === 0 ? <p>{t('no_period_free')}</p> : <Starts of={open} />}
    </div>
  )
}
function Starts({ of }: { of: AvailableTraining['starts'] }) {
  const t = useT('internship')
  const set = useFormSet()
  return (
    <div className={css.starts} role="group" aria-label={t('free_periods')}>
      {of.map((one) => (
        <Button
          key={one.starts_on}
          size="compact-sm"
          variant="default"
          onClick={() => set({ starts_on: one.starts_on })}
        >
          {days(one)} ({formatNumber(one.free)})
        </Button>
      ))}
    </div>
  )
}
