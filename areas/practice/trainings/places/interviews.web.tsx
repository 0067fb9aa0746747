import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, Empty, Failed, Name, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatInstant, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { trainingCalls as calls } from '../students-trainings/student-training.contract.ts'

/** Interviews of a training: who has booked which, and more of them. */
export default function TrainingInterviews() {
  const t = useT('trainings')
  const id = Number(useParams().id)
  const { send } = useChange('/trainings')
  const { data, error, refetch } = useCall(calls.interviews, { params: { id } })
  return (
    <Page title={t('interviews')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={320} />
      ) : (
        <Stack>
          <Card title={t('interviews')}>
            {data.data.length === 0 ? (
              <Empty title={t('no_interviews')} text={t('no_interviews_text')} />
            ) : (
              <Table
                label={t('interviews')}
                rows={data.data}
                rowKey={(row) => row.id}
                columns={[
                  { key: 'at', label: t('at'), head: true, cell: (row) => formatInstant(row.starts_at) },
                  { key: 'minutes', label: t('minutes'), figure: true, cell: (row) => formatNumber(row.minutes) },
                  { key: 'place', label: t('where'), cell: (row) => <bdi>{row.place}</bdi> },
                  {
                    key: 'student',
                    label: t('student'),
                    cell: (row) => (row.student ? <Name row={row.student} /> : t('free')),
                  },
                  {
                    key: 'buttons',
                    label: t('take_back'),
                    unseen: true,
                    end: true,
                    cell: (row) =>
                      row.student ? null : (
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={t('take_back_at', { at: formatInstant(row.starts_at) })}
                          onClick={() =>
                            void act({
                              go: () => send(calls.removeInterview, { params: { id: row.id } }),
                              done: () => t('taken_back'),
                            })
                          }
                        >
                          <IconTrash size={16} aria-hidden />
                        </ActionIcon>
                      ),
                  },
                ]}
              />
            )}
          </Card>
          <Card title={t('add_interviews')} text={t('add_interviews_text')}>
            <Form
              submit={t('add')}
              bar="dialog"
              fields={{
                day: f.date(asLabel(t('day')), { required: true }),
                from_time: f.time(asLabel(t('from_time')), { required: true }),
                count: f.integer(asLabel(t('number')), { required: true, min: 1, max: 50 }),
                minutes: f.integer(asLabel(t('minutes')), { required: true, min: 5, max: 240 }),
                place: f.text(asLabel(t('where')), { required: true, max: 200 }),
              }}
              values={{ count: 6, minutes: 15 }}
              always
              onSave={({ day, from_time, count, minutes, place }) =>
                send(calls.addInterviews, {
                  params: { id },
                  body: {
                    day: String(day),
                    from_time: String(from_time).slice(0, 5),
                    count: Number(count),
                    minutes: Number(minutes),
                    place: String(place),
                  },
                })
              }
              onSaved={({ data: { added } }) => notify.done(t('added', { count: added }))}
            />
          </Card>
        </Stack>
      )}
    </Page>
  )
}
