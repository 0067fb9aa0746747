import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Name, notify, Problems } from '#kit/web/feedback/index.ts'
import { moved } from '#kit/web/fields/reorder.ts'
import { formatDate, formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { MOST_SUBJECTS, subjectCalls, type OfferedSubject } from '../subjects/subject.contract.ts'
import { thesisFlow } from './flow.contract.ts'
import { thesisCalls } from './whole.contract.ts'
import { THESIS_JOB_WORDS } from './words.contract.ts'
import css from '../theses.module.css'

const titled = ({ title, title_local }: { title: string; title_local: string }) =>
  nameOf({ name: title, name_local: title_local })

/** The own theses, and those of one's teams; a student also wishes for subjects here. */
export default function MyTheses() {
  const t = useT('theses')
  const say = useLabel()
  const me = useMe()
  const { data, error, refetch } = useCall(thesisCalls.my, { body: {} })
  const rows = data?.data
  return (
    <Page title={t('my_theses')}>
      <Stack>
        {error && !rows ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !rows ? (
          <Bone height={200} />
        ) : rows.length === 0 ? (
          <Empty title={t('no_theses')} text={t(me.can('wish_thesis') ? 'no_theses_student' : 'no_theses_text')} />
        ) : (
          <Card>
            <Table
              label={t('my_theses')}
              rows={rows}
              rowKey={(row) => row.id}
              columns={[
                {
                  key: 'title',
                  label: t('title'),
                  head: true,
                  cell: (row) => <Link to={to('/theses/:id', { id: row.id })}>{titled(row)}</Link>,
                },
                { key: 'student', label: t('student'), cell: (row) => <Name row={row.student} /> },
                {
                  key: 'job',
                  label: t('job'),
                  cell: (row) =>
                    row.job ? say(THESIS_JOB_WORDS.find(({ value }) => value === row.job)!.label) : t('author'),
                },
                { key: 'due', label: t('latest'), cell: (row) => (row.due_on ? formatDate(row.due_on) : '–') },
                {
                  key: 'report',
                  label: t('report_by'),
                  cell: (row) => (row.report_due && row.job ? formatDate(row.report_due) : '–'),
                },
                {
                  key: 'status',
                  label: t('status'),
                  cell: (row) => <StateBadge flow={thesisFlow} state={row.status} />,
                },
              ]}
            />
          </Card>
        )}
        {me.can('wish_thesis') &&
          rows?.every(({ job, status }) => job !== null || status === 'granted' || status === 'ended') && <Wishes />}
      </Stack>
    </Page>
  )
}

/** Subjects in the order of one's wishes, and those that are offered besides. */
function Wishes() {
  const t = useT('theses')
  const { data, error, refetch } = useCall(subjectCalls.offered)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={200} />
  if (data.data.length === 0) return <Empty title={t('no_subjects')} text={t('no_subjects_text')} />
  return <Choose key={data.data.map(({ id, wish }) => `${id}-${wish ?? ''}`).join()} offered={data.data} />
}

function Choose({ offered }: { offered: readonly OfferedSubject[] }) {
  const t = useT('theses')
  const { busy, problem, go, send } = useChange('/thesis-wishes')
  const [wished, setWished] = useState(() => offered.filter(({ wish }) => wish !== null).map(({ id }) => id))
  const of = (id: number) => offered.find((one) => one.id === id)!
  const rest = offered.filter(({ id }) => !wished.includes(id))
  const keep = async () => {
    if (await go(() => send(subjectCalls.wish, { body: { subject_ids: wished } }))) notify.done(t('kept'))
  }
  const move = (from: number, by: number) =>
    setWished((all) => moved(all, from, Math.min(all.length - 1, Math.max(0, from + by))))
  return (
    <Card title={t('wishes')} text={t('wishes_text', { most: MOST_SUBJECTS })}>
      <ol className={css.rows}>
        {wished.map((id, i) => (
          <li key={id}>
            <span>{formatNumber(i + 1)}</span>
            <Subject of={of(id)} />
            <span className={css.together}>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('earlier', { name: nameOf(of(id)) })}
                disabled={i === 0}
                onClick={() => move(i, -1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('later', { name: nameOf(of(id)) })}
                disabled={i === wished.length - 1}
                onClick={() => move(i, 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('no_wish', { name: nameOf(of(id)) })}
                onClick={() => setWished((all) => all.filter((one) => one !== id))}
              >
                <IconX size={16} aria-hidden />
              </Button>
            </span>
          </li>
        ))}
      </ol>
      {problem !== null && <Problems error={problem} />}
      {(wished.length > 0 || offered.some(({ wish }) => wish !== null)) && (
        <Button loading={busy} onClick={() => void keep()}>
          {t('keep_wishes')}
        </Button>
      )}
      {rest.length > 0 && <p className={css.besides}>{t('offered')}</p>}
      <ul className={css.rows}>
        {rest.map((one) => (
          <li key={one.id}>
            <Subject of={one} />
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={wished.length >= MOST_SUBJECTS}
              onClick={() => setWished((all) => [...all, one.id])}
            >
              {t('wish')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
const Subject = ({ of }: { of: OfferedSubject }) => (
  <span className={css.subject}>
    <bdi>{nameOf(of)}</bdi>
    <small>{nameOf(of.instructor)}</small>
  </span>
)
