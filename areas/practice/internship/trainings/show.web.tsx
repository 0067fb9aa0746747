import { ActionIcon, Button, Modal } from '@mantine/core'
import { IconTrash, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Facts } from '#kit/web/detail/parts.tsx'
import { act, Empty, Name, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { Coming, RecordPage } from '../head.web.tsx'
import { rotationControlFlow } from '../grades/offering.contract.ts'
import { emtyazTraining, emtyazTrainingCalls as calls, type EmtyazTrainingDetail } from './training.contract.ts'
import css from '../internship.module.css'

interface Training {
  id: number
  code: string
  name: string
  name_local: string
  hospital: { name: string; name_local: string } | null
  year: { name: string; name_local: string } | null
  type: { name: string; name_local: string } | null
  places: number
  withdrawn_from: string | null
  abilities: string[]
}

/** A training of the internship year: places and who has them by period, who supervises, and the groups that go through it. */
export default function ShowEmtyazTraining() {
  const t = useT('internship')
  const say = useLabel()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  if (!data) return <Coming error={error} retry={refetch} />
  const of = data.data
  const training = of.training as unknown as Training
  const { fields } = emtyazTraining
  return (
    <RecordPage
      row={training}
      beside={training.hospital && <bdi>{nameOf(training.hospital)}</bdi>}
      form={to('/emtyaz/trainings/edit/:id', { id })}
      editing={emtyazTraining.editing}
    >
      <Card title={t('training')}>
        <Facts
          items={[
            { label: say(fields.year_id.label), value: training.year ? nameOf(training.year) : '–' },
            { label: t('course'), value: <Name row={of.course} /> },
            { label: say(fields.type_id.label), value: training.type ? nameOf(training.type) : '–' },
            { label: t('weeks'), value: formatNumber(of.weeks) },
            { label: say(fields.places.label), value: formatNumber(training.places) },
            ...(training.withdrawn_from
              ? [{ label: say(fields.withdrawn_from.label), value: formatDate(training.withdrawn_from) }]
              : []),
          ]}
        />
      </Card>
      {of.overfull.length > 0 && (
        <Card title={t('overfull')} text={t('overfull_text')}>
          <ul className={css.missing}>
            {of.overfull.map((one) => (
              <li key={one.day}>
                {t('overfull_on', {
                  day: formatDate(one.day),
                  taken: formatNumber(one.taken),
                  places: formatNumber(one.places),
                })}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Chart
        kind="bar"
        title={t('places_by_period')}
        data={of.periods.map((one) => ({
          name: formatDate(one.starts_on),
          taken: one.taken,
          free: Math.max(0, one.places - one.taken),
        }))}
        stacked
        series={[
          { key: 'taken', label: [t('taken'), t('taken')] },
          { key: 'free', label: [t('free'), t('free')] },
        ]}
        pointLabel={[t('period'), t('period')]}
      />
      <Supervisors of={of} training={training} />
      <Groups of={of} />
    </RecordPage>
  )
}

function Supervisors({ of, training }: { of: EmtyazTrainingDetail; training: Training }) {
  const t = useT('internship')
  const { send } = useChange('/emtyaz')
  const [adding, setAdding] = useState(false)
  const may = training.abilities.includes('edit')
  const remove = (one: EmtyazTrainingDetail['instructors'][number]) =>
    act({
      ask: { title: t('remove_question', { name: nameOf(one.instructor) }), action: t('remove'), danger: true },
      go: () => send(calls.removeInstructor, { params: { trainingId: training.id, instructorId: one.instructor.id } }),
      done: () => t('removed'),
    })
  return (
    <Card
      title={t('supervisors')}
      aside={
        may && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconUserPlus size={14} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('add_supervisor')}
          </Button>
        )
      }
    >
      {of.instructors.length === 0 ? (
        <Empty title={t('no_supervisors')} text={t('no_supervisors_text')} />
      ) : (
        <Table
          label={t('supervisors')}
          rows={of.instructors}
          rowKey={(one) => one.id}
          columns={[
            { key: 'name', label: t('supervisor'), head: true, cell: (one) => <Name row={one.instructor} /> },
            { key: 'from', label: t('from'), cell: (one) => formatDate(one.starts_on) },
            { key: 'until', label: t('until'), cell: (one) => formatDate(one.ends_on) },
            ...(may
              ? [
                  {
                    key: 'buttons',
                    label: t('actions'),
                    unseen: true,
                    end: true,
                    cell: (one: EmtyazTrainingDetail['instructors'][number]) => (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t('remove_of', { name: nameOf(one.instructor) })}
                        onClick={() => void remove(one)}
                      >
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {adding && (
        <Modal opened onClose={() => setAdding(false)} title={t('add_supervisor')}>
          <Form
            bar="dialog"
            submit={t('add_supervisor')}
            onCancel={() => setAdding(false)}
            fields={{
              instructor_id: f.lookup([t('supervisor'), t('supervisor')], 'instructor', { required: true }),
              starts_on: f.date([t('from'), t('from')], { required: true }),
              ends_on: f.date([t('until'), t('until')], { required: true }),
            }}
            values={{ starts_on: of.starts_on, ends_on: of.ends_on }}
            always
            onSave={({ instructor_id, starts_on, ends_on }) =>
              send(calls.addInstructors, {
                params: { id: training.id },
                body: {
                  instructors: [
                    { instructor_id: Number(instructor_id), starts_on: String(starts_on), ends_on: String(ends_on) },
                  ],
                },
              })
            }
            onSaved={() => {
              notify.done(t('kept'))
              setAdding(false)
            }}
          />
        </Modal>
      )}
    </Card>
  )
}

function Groups({ of }: { of: EmtyazTrainingDetail }) {
  const t = useT('internship')
  const me = useMe()
  const opens = me.can('grade_rotation', 'review_rotation', 'approve_rotation')
  const days = (one: EmtyazTrainingDetail['offerings'][number]) =>
    t('from_until', { from: formatDate(one.starts_on), until: formatDate(one.ends_on) })
  return (
    <Card title={t('groups')}>
      {of.offerings.length === 0 ? (
        <Empty title={t('no_groups')} text={t('no_groups_text')} />
      ) : (
        <Table
          label={t('groups')}
          rows={of.offerings}
          rowKey={(one) => one.id}
          columns={[
            {
              key: 'days',
              label: t('days'),
              head: true,
              cell: (one) =>
                opens ? <Link to={to('/emtyaz/offerings/:id', { id: one.id })}>{days(one)}</Link> : days(one),
            },
            { key: 'interns', label: t('interns'), figure: true, cell: (one) => formatNumber(one.interns) },
            { key: 'marked', label: t('marked'), figure: true, cell: (one) => formatNumber(one.marked) },
            {
              key: 'status',
              label: t('control'),
              cell: (one) => <StateBadge flow={rotationControlFlow as never} state={one.control_status} />,
            },
          ]}
        />
      )}
    </Card>
  )
}
