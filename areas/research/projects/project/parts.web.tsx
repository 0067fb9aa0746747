import { ActionIcon, Button } from '@mantine/core'
import { IconFile, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Row } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, Status, act } from '#kit/web/feedback/index.ts'
import { todayIso } from '#kit/web/fields/dates.ts'
import { formatDate, formatMoney, nameOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import css from '../projects.module.css'
import {
  PROJECT_DOCUMENT_KINDS,
  MEMBER_JOBS,
  project,
  projectCalls as calls,
  type ProjectParts,
} from './project.contract.ts'
import { ThesesOfProject } from './theses.web.tsx'
import { dayOn, placeOn } from './time.rules.ts'

const SpendDialog = partDialog(async () => (await import('./dialogs.web.tsx')).SpendDialog)
const DocumentDialog = partDialog(async () => (await import('./dialogs.web.tsx')).DocumentDialog)
const LinkDialog = partDialog(async () => (await import('./dialogs.web.tsx')).LinkDialog)
type Project = Row<typeof project>
interface Of {
  readonly row: Project
  readonly of: ProjectParts
}

/** What is done by when and by whom, what was spent, and what came of it. */
export function ProjectWork({ row }: { readonly row: Project }) {
  const t = useT('projects')
  const { data, error, refetch } = useCall(calls.parts, { params: { id: row.id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={420} />
  const of = data.data
  return (
    <Stack>
      {row.status === 'running' && of.reasons.length > 0 && (
        <Card title={t('before_finish')}>
          <ul className={css.list}>
            {of.reasons.map((one) => (
              <li key={one.code}>{problemText(one)}</li>
            ))}
          </ul>
        </Card>
      )}
      <Time row={row} />
      <Members row={row} />
      <Money row={row} of={of} />
      <Documents row={row} of={of} />
      <Works row={row} of={of} />
      <ThesesOfProject id={row.id} changes={of.writes && row.status !== 'finished'} />
    </Stack>
  )
}

/** Milestones on the time of the project: a table whose last column draws where each lies; its days stand beside it as text. */
function Time({ row }: { readonly row: Project }) {
  const t = useT('projects')
  const now = todayIso()
  const line = { start: row.start_date ?? now, end: row.end_date ?? now }
  const at = dayOn(line, now)
  const milestones = row.milestones ?? []
  return (
    <Card title={t('milestones')} text={t('time_text')}>
      {milestones.length === 0 ? (
        <Empty title={t('no_milestones')} />
      ) : (
        <Table
          label={t('milestones')}
          rows={milestones}
          rowKey={(one) => one.id ?? one.name}
          columns={[
            {
              key: 'name',
              label: t('milestone'),
              head: true,
              style: { minInlineSize: 120 },
              cell: (one) => <bdi>{one.name}</bdi>,
            },
            { key: 'due', label: t('due'), cell: (one) => formatDate(one.due_date) },
            {
              key: 'state',
              label: t('state'),
              cell: (one) =>
                one.done_on ? (
                  <Status is="done" label={t('done_on', { date: formatDate(one.done_on) })} />
                ) : (
                  <Status is={one.due_date < now ? 'late' : 'waits'} label={t(one.due_date < now ? 'late' : 'open')} />
                ),
            },
            {
              key: 'time',
              label: t('time'),
              cell: (one) => {
                const { from, width } = placeOn(line, one.start_date ?? line.start, one.due_date)
                return (
                  <span className={css.time} aria-hidden>
                    <span
                      className={css.span}
                      data-done={one.done_on ? true : undefined}
                      data-late={!one.done_on && one.due_date < now ? true : undefined}
                      style={{ insetInlineStart: `${from}%`, inlineSize: `${width}%` }}
                    />
                    {at !== null && <span className={css.today} style={{ insetInlineStart: `${at}%` }} />}
                  </span>
                )
              },
            },
          ]}
        />
      )}
    </Card>
  )
}

function Members({ row }: { readonly row: Project }) {
  const t = useT('projects')
  const say = useLabel()
  const members = (row.members ?? []) as readonly {
    id?: number
    name?: string | null
    job: string
    user?: { name: string } | null
  }[]
  return (
    <Card title={t('members')}>
      {members.length === 0 ? (
        <Empty title={t('no_members')} />
      ) : (
        <ul className={css.list}>
          {members.map((one) => (
            <li key={one.id}>
              <bdi>{one.user ? nameOf(one.user) : one.name}</bdi>
              <small className={css.dim}>
                {say(MEMBER_JOBS.find(({ value }) => value === one.job)?.label ?? ['', ''])}
              </small>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Money({ row, of }: Of) {
  const t = useT('projects')
  const [open, setOpen] = useState(false)
  const money = (minor: number) => formatMoney(minor, row.currency ?? 'EGP')
  const sum = (of_: (line: ProjectParts['lines'][number]) => number) =>
    of.lines.reduce((all, line) => all + of_(line), 0)
  return (
    <Card
      title={t('money')}
      aside={
        of.writes &&
        row.status === 'running' &&
        of.lines.length > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t('spend')}
          </Button>
        )
      }
    >
      {of.lines.length === 0 ? (
        <Empty title={t('no_lines')} />
      ) : (
        <Table
          label={t('money')}
          rows={of.lines}
          rowKey={(line) => line.id}
          columns={[
            {
              key: 'name',
              label: t('line'),
              head: true,
              style: { minInlineSize: 110 },
              cell: (line) => <bdi>{line.name}</bdi>,
            },
            { key: 'amount', label: t('amount'), figure: true, cell: (line) => money(line.amount) },
            { key: 'spent', label: t('spent'), figure: true, cell: (line) => money(line.spent) },
            {
              key: 'left',
              label: t('left'),
              figure: true,
              cell: (line) =>
                line.spent > line.amount ? (
                  <Status is="late" label={money(line.amount - line.spent)} />
                ) : (
                  money(line.amount - line.spent)
                ),
            },
          ]}
          foot={[
            [
              t('total'),
              money(sum((l) => l.amount)),
              money(sum((l) => l.spent)),
              money(sum((l) => l.amount - l.spent)),
            ],
          ]}
        />
      )}
      {of.spendings.length > 0 && (
        <Table
          label={t('spendings')}
          rows={of.spendings}
          rowKey={(one) => one.id}
          columns={[
            { key: 'on', label: t('spent_on'), cell: (one) => formatDate(one.spent_on) },
            {
              key: 'what',
              label: t('what'),
              head: true,
              cell: (one) => (
                <>
                  <bdi>{one.what}</bdi>
                  {one.over_reason && (
                    <small className={css.dim}>
                      {' · '}
                      {t('over')}: <bdi>{one.over_reason}</bdi>
                    </small>
                  )}
                  {one.file && (
                    <a href={one.file.url} target="_blank" rel="noreferrer" aria-label={one.file.name}>
                      {' '}
                      <IconFile size={14} aria-hidden />
                    </a>
                  )}
                </>
              ),
            },
            {
              key: 'line',
              label: t('line'),
              cell: (one) => <bdi>{of.lines.find((line) => line.id === one.line_id)?.name}</bdi>,
            },
            { key: 'amount', label: t('amount'), figure: true, cell: (one) => money(one.amount) },
          ]}
        />
      )}
      {open && <SpendDialog id={row.id} lines={of.lines} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function Documents({ row, of }: Of) {
  const t = useT('projects')
  const say = useLabel()
  const { send } = useChange('/projects')
  const [open, setOpen] = useState(false)
  const changes = of.writes && row.status !== 'finished'
  return (
    <Card
      title={t('documents')}
      aside={
        changes && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t('add_document')}
          </Button>
        )
      }
    >
      {of.documents.length === 0 ? (
        <Empty title={t('no_documents')} />
      ) : (
        <ul className={css.list}>
          {of.documents.map((one) => (
            <li key={one.id}>
              <a href={one.url} target="_blank" rel="noreferrer">
                <IconFile size={15} aria-hidden /> <bdi>{one.name}</bdi>
              </a>
              <small className={css.dim}>
                {say(PROJECT_DOCUMENT_KINDS.find(({ value }) => value === one.kind)?.label ?? ['', ''])}
                {one.by && <> · {nameOf(one.by)}</>}
              </small>
              {changes && (
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t('remove_document', { name: one.name })}
                  onClick={() =>
                    void act({
                      ask: {
                        title: t('remove_document_question', { name: one.name }),
                        action: t('remove'),
                        danger: true,
                      },
                      go: () => send(calls.removeDocument, { params: { id: one.id } }),
                      done: () => t('document_removed'),
                    })
                  }
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {open && <DocumentDialog id={row.id} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function Works({ row, of }: Of) {
  const t = useT('projects')
  const [open, setOpen] = useState(false)
  return (
    <Card
      title={t('works')}
      aside={
        of.writes &&
        row.status !== 'finished' && (
          <Button size="compact-sm" variant="subtle" onClick={() => setOpen(true)}>
            {t('choose_works')}
          </Button>
        )
      }
    >
      {of.publications.length === 0 ? (
        <Empty title={t('no_works')} />
      ) : (
        <ul className={css.list}>
          {of.publications.map((one) => (
            <li key={one.id}>
              <Link to={to('/my_researches/publications/show/:id', { id: one.id })}>
                <bdi>{nameOf({ name: one.title, name_local: one.title_local })}</bdi>
              </Link>
              <small className={css.dim}>{one.year}</small>
            </li>
          ))}
        </ul>
      )}
      {open && <LinkDialog id={row.id} works={of.publications} onClose={() => setOpen(false)} />}
    </Card>
  )
}
