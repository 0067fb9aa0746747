import { Button, Modal } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconDice5 } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { addDays } from '#kit/contract/day.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, Empty, Failed, Name, notify, Status } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatNumber, formatTimeRange, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { useParams, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page, usePageTitle } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { GiveDialog } from './give.web.tsx'
import { rosterCalls as calls, type DutyBoard } from './roster.contract.ts'
import css from '../logbook.module.css'

const STEP = 28
const daysOf = ({ from, until }: DutyBoard): string[] => {
  const days: string[] = []
  for (let day = from; day <= until; day = addDays(day, 1)) days.push(day)
  return days
}

/** Duties of a training by day, drawn and published, and how evenly they are borne. */
export default function RosterBoard() {
  const t = useT('logbook')
  const id = Number(useParams().id)
  const [query, setQuery] = useSearchParams()
  const from = query.get('from')
  const { data, error, refetch } = useCall(calls.board, { params: { id }, query: from ? { from } : {} })
  const [drawing, setDrawing] = useState(false)
  const [naming, setNaming] = useState<{ kind: number; day: string } | null>(null)
  const [giving, setGiving] = useState<number | null>(null)
  const of = data?.data
  usePageTitle(of?.training)
  const move = (days: number) => of && setQuery({ from: addDays(of.from, days) }, { replace: true })
  return (
    <Page
      title={of?.training}
      subtitle={of ? t('from_until', { from: formatDate(of.from), until: formatDate(of.until) }) : '\u00A0'}
      action={
        of?.plans && (
          <Button leftSection={<IconDice5 size={16} aria-hidden />} onClick={() => setDrawing(true)}>
            {t('draw')}
          </Button>
        )
      }
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={420} />
      ) : (
        <Stack>
          {of.rosters.map((one) => (
            <RosterState key={one.id} of={one} plans={of.plans} />
          ))}
          <Card
            title={t('duties')}
            text={of.plans && of.shifts.length > 0 ? t('duties_text') : undefined}
            aside={
              <span className={css.duties}>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={<IconArrowLeft size={14} aria-hidden data-mirrored />}
                  onClick={() => move(-STEP)}
                >
                  {t('earlier')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  rightSection={<IconArrowRight size={14} aria-hidden data-mirrored />}
                  onClick={() => move(STEP)}
                >
                  {t('later')}
                </Button>
              </span>
            }
          >
            {of.kinds.length === 0 ? (
              <Empty title={t('no_kinds')} text={t('no_kinds_text')} />
            ) : (
              <Days
                of={of}
                name={of.plans ? (kind, day) => setNaming({ kind, day }) : null}
                give={of.plans ? setGiving : null}
              />
            )}
          </Card>
          {of.burden.length > 0 && (
            <Card title={t('burden')} text={t('burden_text')}>
              <Burden of={of} />
            </Card>
          )}
        </Stack>
      )}
      {of && drawing && <DrawDialog of={of} id={id} onClose={() => setDrawing(false)} />}
      {giving !== null && <GiveDialog id={giving} onClose={() => setGiving(null)} />}
      {of && naming && <SupervisorsDialog of={of} {...naming} onClose={() => setNaming(null)} />}
    </Page>
  )
}

function RosterState({ of, plans }: { of: DutyBoard['rosters'][number]; plans: boolean }) {
  const t = useT('logbook')
  const { send } = useChange('/emtyaz/roster', '/emtyaz/duties')
  const published = of.status === 'published'
  const publish = () =>
    act({
      ask: { title: t('publish_question'), consequence: t('publish_text'), action: t('publish') },
      go: () => send(calls.publish, { params: { id: of.id }, body: { version: of.version } }),
      done: () => t('published_done'),
    })
  const withdraw = () =>
    askReason({
      title: t('withdraw_question'),
      text: t('withdraw_text'),
      action: t('withdraw'),
      danger: true,
      go: (reason) => send(calls.withdraw, { params: { id: of.id }, body: { reason, version: of.version } }),
    })
  const remove = () =>
    act({
      ask: { title: t('remove_roster'), action: t('remove'), danger: true },
      go: () => send(calls.remove, { params: { id: of.id } }),
      done: () => t('removed_roster'),
    })
  return (
    <Card
      title={t('from_until', { from: formatDate(of.starts_on), until: formatDate(of.ends_on) })}
      aside={<Status is={published ? 'official' : 'unfinished'} label={t(published ? 'published' : 'draft')} />}
    >
      <Stack gap={12}>
        {of.problems.length > 0 && (
          <ul className={css.problems}>
            {of.problems.map((one) => (
              <li key={problemText(one)}>{problemText(one)}</li>
            ))}
          </ul>
        )}
        {!of.problems.length && plans && <p className={css.note}>{t('proven')}</p>}
        {plans && (
          <div className={css.buttons}>
            {published ? (
              <Button variant="default" onClick={() => void withdraw()}>
                {t('withdraw')}
              </Button>
            ) : (
              <>
                <Button onClick={() => void publish()}>{t('publish')}</Button>
                <Button variant="subtle" color="red" onClick={() => void remove()}>
                  {t('remove')}
                </Button>
              </>
            )}
          </div>
        )}
      </Stack>
    </Card>
  )
}

function Days({
  of,
  name,
  give,
}: {
  of: DutyBoard
  name: ((kind: number, day: string) => void) | null
  give: ((shift: number) => void) | null
}) {
  const t = useT('logbook')
  return (
    <Table
      label={t('duties')}
      rows={daysOf(of)}
      rowKey={(day) => day}
      columns={[
        {
          key: 'day',
          label: t('day'),
          head: true,
          className: css.day,
          cell: (day) => formatDate(day, 'weekday'),
        },
        ...of.kinds.map((kind) => ({
          key: String(kind.id),
          label: (
            <>
              <bdi>{nameOf(kind)}</bdi> {formatTimeRange(kind.from_time, kind.to_time)}
            </>
          ),
          cell: (day: string) => {
            const there = of.shifts.filter((one) => one.kind_id === kind.id && one.day === day)
            const named = of.supervisors.filter((one) => one.kind_id === kind.id && one.day === day)
            const words = named.length ? named.map((one) => nameOf(one.instructor)).join(' · ') : t('name_supervisor')
            return (
              <>
                <ul className={css.duties}>
                  {there.map((one) => (
                    <li key={one.id}>
                      {give ? (
                        <Button
                          size="compact-sm"
                          variant="subtle"
                          color="gray"
                          className={css.who}
                          aria-label={t('give_of', { name: nameOf(one.student), day: formatDate(day) })}
                          onClick={() => give(one.id)}
                        >
                          <bdi>{nameOf(one.student)}</bdi>
                        </Button>
                      ) : (
                        <bdi>{nameOf(one.student)}</bdi>
                      )}
                    </li>
                  ))}
                </ul>
                {there.length > 0 &&
                  (name ? (
                    <Button size="compact-xs" variant="subtle" onClick={() => name(kind.id, day)}>
                      {words}
                    </Button>
                  ) : (
                    named.length > 0 && <small className={css.free}>{words}</small>
                  ))}
              </>
            )
          },
        })),
      ]}
    />
  )
}

function Burden({ of }: { of: DutyBoard }) {
  const t = useT('logbook')
  return (
    <Table
      label={t('burden')}
      rows={of.burden}
      rowKey={(row) => row.student.id}
      columns={[
        { key: 'student', label: t('intern'), head: true, cell: (row) => <Name row={row.student} /> },
        { key: 'all', label: t('duties_all'), figure: true, cell: (row) => formatNumber(row.all) },
        { key: 'nights', label: t('nights'), figure: true, cell: (row) => formatNumber(row.nights) },
        { key: 'weekends', label: t('weekends'), figure: true, cell: (row) => formatNumber(row.weekends) },
      ]}
    />
  )
}

function DrawDialog({ of, id, onClose }: { of: DutyBoard; id: number; onClose: () => void }) {
  const t = useT('logbook')
  const { send } = useChange('/emtyaz/roster')
  const last = of.rosters.at(-1)
  const first = last ? addDays(last.ends_on, 1) : addDays(of.from, 8)
  return (
    <Modal opened onClose={onClose} title={t('draw')}>
      <Form
        bar="dialog"
        always
        submit={t('draw')}
        onCancel={onClose}
        fields={{
          starts_on: f.date(asLabel(t('first_day')), { required: true }),
          ends_on: f.date(asLabel(t('last_day')), { required: true }),
          seed: f.integer(asLabel(t('seed')), { min: 1, max: 1_000_000, help: asLabel(t('seed_help')) }),
        }}
        values={{ starts_on: first, ends_on: addDays(first, STEP - 1), seed: null }}
        onSave={({ starts_on, ends_on, seed }) =>
          send(calls.draw, {
            params: { id },
            body: {
              starts_on: String(starts_on),
              ends_on: String(ends_on),
              ...(seed != null && { seed: Number(seed) }),
            },
          })
        }
        onSaved={({ data: { drawn, problems } }) => {
          notify.done(
            problems.length
              ? t('drawn_with', { count: drawn, problems: problems.length })
              : t('drawn', { count: drawn }),
          )
          onClose()
        }}
      />
    </Modal>
  )
}

/** Who supervises a duty: whoever is named confirms what was done in it. */
function SupervisorsDialog({
  of,
  kind,
  day,
  onClose,
}: {
  of: DutyBoard
  kind: number
  day: string
  onClose: () => void
}) {
  const t = useT('logbook')
  const { send } = useChange('/emtyaz/roster', '/emtyaz/duties')
  const [named] = of.supervisors.filter((one) => one.kind_id === kind && one.day === day)
  return (
    <Modal opened onClose={onClose} title={t('supervisor_of', { day: formatDate(day, 'weekday') })}>
      <Form
        bar="dialog"
        always
        submit={t('keep')}
        onCancel={onClose}
        fields={{
          instructor: f.choice(
            asLabel(t('supervisor')),
            of.instructors.map((one) => ({
              value: String(one.id),
              label: [one.name, one.name_local ?? one.name] as const,
            })),
            { help: asLabel(t('supervisor_help')) },
          ),
        }}
        values={{ instructor: named ? String(named.instructor.id) : null }}
        onSave={({ instructor }) =>
          send(calls.supervise, {
            params: { id: kind },
            body: { day, instructor_ids: instructor ? [Number(instructor)] : [] },
          })
        }
        onSaved={() => {
          notify.done(t('supervisor_kept'))
          onClose()
        }}
      />
    </Modal>
  )
}
