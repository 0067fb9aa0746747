import { Modal, Progress } from '@mantine/core'
import { IconChecks, IconLayoutGrid, IconUsersPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { f, resourceCalls, type Problem } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { endOfJob } from '#kit/web/detail/job-end.ts'
import { notify, Problems } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { Form, useFormValue } from '#kit/web/form/form.tsx'
import { formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { emtyazYear } from '../setup/year.contract.ts'
import { ReasonList } from '../reasons.web.tsx'
import { rotationCalls } from '../rotations/rotation.contract.ts'
import { emtyazIntern, emtyazInternCalls as calls } from './intern.contract.ts'

const listYears = resourceCalls(emtyazYear).list
type Intern = Row<typeof emtyazIntern> & { student: { name: string; name_local: string } | null }
const AFTER = ['/emtyaz', '/emtyaz-interns', '/emtyaz-rotations', '/users/work'] as const

/** Interns of the years; each opens with the whole year. */
export default resourceWeb(emtyazIntern, {
  detail: { title: (row) => (row as Intern).student },
  list: {
    useParts: () => {
      const t = useT('internship')
      const me = useMe()
      const [adding, setAdding] = useState(false)
      const [accepting, setAccepting] = useState(false)
      const navigate = useNavigate()
      const { data: years } = useCall(
        listYears,
        { body: { perPage: 5, filters: { is_closed: false } } },
        { enabled: me.can('access_emtyaz') },
      )
      const boards = (years?.data ?? []) as unknown as readonly { id: number; name: string; name_local: string }[]
      return {
        menu: [
          ...boards.map((one) => ({
            key: `board ${one.id}`,
            label: t('board_of', { year: nameOf(one) }),
            icon: <IconLayoutGrid size={16} aria-hidden />,
            onSelect: () => void navigate(to('/emtyaz/board/:id', { id: one.id })),
          })),
          ...(me.can('add_emtyazIntern')
            ? [
                {
                  key: 'graduates',
                  label: t('add_graduates'),
                  icon: <IconUsersPlus size={16} aria-hidden />,
                  onSelect: () => setAdding(true),
                },
              ]
            : []),
          ...(me.can('decide_rotation')
            ? [
                {
                  key: 'accept',
                  label: t('accept_all'),
                  icon: <IconChecks size={16} aria-hidden />,
                  onSelect: () => setAccepting(true),
                },
              ]
            : []),
        ],
        dialogs: (
          <>
            {adding && <AddGraduates onClose={() => setAdding(false)} />}
            {accepting && <AcceptAll onClose={() => setAccepting(false)} />}
          </>
        ),
      }
    },
    rowName: (row) => nameOf((row as Intern).student ?? { name: '', name_local: '' }),
    empty: {
      title: ['No interns', 'لا يوجد أطباء امتياز'],
      text: [
        'Graduates are added to a year, and then asked for, planned and marked.',
        'يُضاف الخريجون إلى السنة ثم تُخطط دوراتهم وتُقدر درجاتها.',
      ],
    },
  },
})

const yearField = (label: readonly [string, string]) => f.lookup(label, 'emtyazYear', { required: true })

/** Says how many graduates would come, before they do. */
function Coming() {
  const t = useT('internship')
  const year = Number(useFormValue('year_id') ?? 0)
  const { data } = useCall(calls.candidates, { params: { id: year } }, { enabled: year > 0 })
  return (
    <p aria-live="polite">
      {year > 0 && data ? t('candidates', { count: formatNumber(data.data.total) }) : t('choose_year')}
    </p>
  )
}

function AddGraduates({ onClose }: { onClose: () => void }) {
  const t = useT('internship')
  const { send } = useChange(...AFTER)
  return (
    <Modal opened onClose={onClose} title={t('add_graduates')}>
      <p>{t('add_graduates_text')}</p>
      <Form
        bar="dialog"
        submit={t('add_graduates')}
        onCancel={onClose}
        fields={{ year_id: yearField(emtyazIntern.fields.year_id.label) }}
        values={null}
        always
        below={<Coming />}
        onSave={({ year_id }) => send(calls.addMany, { params: { id: Number(year_id) }, body: {} })}
        onSaved={({ data }) => {
          notify.done(t('graduates_added', { count: formatNumber(data.added) }))
          onClose()
        }}
      />
    </Modal>
  )
}

interface Result {
  readonly done: readonly number[]
  readonly failed: readonly Failed[]
}
interface Failed {
  readonly id: number
  readonly name?: string | undefined
  readonly errors: readonly Problem[]
}
/** Accepts all that wait: many by a job, whose progress is shown; what was not accepted is told with its reasons. */
function AcceptAll({ onClose }: { onClose: () => void }) {
  const t = useT('internship')
  const { send, go, problem } = useChange(...AFTER)
  const [failed, setFailed] = useState<readonly Failed[]>([])
  const [percent, setPercent] = useState<number | null>(null)
  const told = ({ done, failed: not }: Result) => {
    notify.done(t('accepted', { count: formatNumber(done.length) }))
    if (not.length) setFailed(not)
    else onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('accept_all')}>
      {failed.length > 0 ? (
        <>
          <p>{t('not_accepted', { count: formatNumber(failed.length) })}</p>
          {failed.map((one) => (
            <div key={one.id}>
              <strong>
                <bdi>{one.name ?? formatNumber(one.id)}</bdi>
              </strong>
              <ReasonList of={one.errors} />
            </div>
          ))}
        </>
      ) : percent !== null ? (
        <>
          <p>{t('accepting')}</p>
          <Progress value={percent} aria-label={t('accept_all')} />
          {problem !== null && <Problems error={problem} />}
        </>
      ) : (
        <>
          <p>{t('accept_all_text')}</p>
          <Form
            bar="dialog"
            submit={t('accept_all')}
            onCancel={onClose}
            fields={{
              year_id: yearField(emtyazIntern.fields.year_id.label),
              training_id: f.lookup(['Only of the training', 'تدريب بعينه فقط'], 'emtyazTraining', {
                dependsOn: 'year_id',
              }),
            }}
            values={null}
            always
            onSave={({ year_id, training_id }) =>
              send(rotationCalls.acceptAll, {
                body: { year_id: Number(year_id), training_id: training_id ? Number(training_id) : null },
              })
            }
            onSaved={({ data }) => {
              if (!('job_id' in data)) return told(data)
              setPercent(0)
              void go(() => endOfJob<Result>(data.job_id, setPercent)).then((end) => end && told(end.answer))
            }}
          />
        </>
      )}
    </Modal>
  )
}
