import { Button, Kbd } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, useShortcut } from '#kit/web/feedback/index.ts'
import { formatAgo, formatInstant, formatMoney, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow } from '#kit/web/list/columns.ts'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { recheckCalls, recheckFlow, recheckSteps, type RecheckDetail, type RecheckRow } from './recheck.contract.ts'
import css from './rechecks.module.css'

type Row = RecheckRow & AnyRow
const PER_PAGE = 50
const KEYS: Readonly<Record<string, string>> = { review: 'r', accept: 'a', reject: 't', cancel: 'c' }

export const useRecheckSteps = () =>
  useSteps<RecheckRow['status'], keyof typeof recheckFlow.actions, Row>(recheckFlow, recheckSteps, {
    name: (row) => row.student.code,
    refreshes: ['/grades-recheck', '/control', '/users/work'],
  })

/**
 * Requests at the start side, one of them in full at the end side; `j` and `k` go. `waiting`: only those that wait, the
 * oldest first; else all, the newest first.
 */
export function Requests({
  id,
  base,
  deciding,
  filters,
  tabs,
  empty,
}: {
  id: number | null
  /** Where one of them stands. */
  base: '/control/grades_recheck/show/:id' | '/correction_requests/:id'
  deciding: boolean
  filters: Readonly<Record<string, unknown>>
  tabs?: ReactNode
  empty: { title: string; text: string; action?: ReactNode }
}) {
  const t = useT('grading')
  const lang = useLanguage()
  const navigate = useNavigate()
  const [page, setPage] = useState(1)
  const waiting = 'status' in filters
  const { data, error, refetch } = useCall(
    recheckCalls.list,
    {
      body: {
        page,
        perPage: PER_PAGE,
        order_by: 'created_at',
        order_direction: waiting ? 'asc' : 'desc',
        filters,
      } as never,
    },
    { placeholderData: keepPreviousData },
  )
  const rows = data?.data
  const open = id ?? rows?.[0]?.id ?? null
  const at = rows?.findIndex((row) => row.id === open) ?? -1
  const choose = (next: number) => void navigate(to(base, { id: next }), { replace: true })
  const go = (by: number) => {
    const next = rows?.[Math.min(Math.max(at + by, 0), rows.length - 1)]
    if (next) choose(next.id)
  }
  useShortcut('j', () => go(1), rows?.length ? t('next_request') : null)
  useShortcut('k', () => go(-1), rows?.length ? t('previous_request') : null)
  if (error && !rows) return <Failed error={error} retry={() => void refetch()} />
  return (
    <>
      {tabs}
      {rows?.length === 0 && open === null ? (
        <Empty icon={<IconInbox size={28} stroke={1.5} aria-hidden />} {...empty} />
      ) : (
        <div className={css.inbox} data-open={id !== null || undefined}>
          <div className={css.start}>
            {rows ? (
              <ul className={css.list} aria-label={t('rechecks')}>
                {rows.map((row) => (
                  <li key={row.id}>
                    <button type="button" aria-current={row.id === open || undefined} onClick={() => choose(row.id)}>
                      <span className={css.line}>
                        <bdi>{deciding ? nameOf(row.student, lang) : nameOf(row.course, lang)}</bdi>
                        <small>{formatAgo(row.created_at)}</small>
                      </span>
                      <span className={css.line}>
                        <small>
                          <Code>{row.course.code}</Code> · <bdi>{nameOf(row.category, lang)}</bdi>
                        </small>
                        <StateBadge flow={recheckFlow} state={row.status} />
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            ) : (
              <Bone height={320} />
            )}
            {(data?.meta.count ?? 0) > PER_PAGE && (
              <div className={css.pages}>
                <Button variant="default" size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  {t('previous_page')}
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  disabled={page * PER_PAGE >= (data?.meta.count ?? 0)}
                  onClick={() => setPage(page + 1)}
                >
                  {t('next_page')}
                </Button>
              </div>
            )}
          </div>
          <div>
            {open !== null && (
              <One
                key={open}
                id={open}
                deciding={deciding}
                decided={() => {
                  const next = rows?.[at + 1] ?? rows?.[at - 1]
                  if (waiting && next) choose(next.id)
                }}
              />
            )}
          </div>
        </div>
      )}
    </>
  )
}

/** One request: who asks what and why, what would change, what may be done, its steps, what was asked before. */
function One({ id, deciding, decided }: { id: number; deciding: boolean; decided: () => void }) {
  const t = useT('grading')
  const lang = useLanguage()
  const steps = useRecheckSteps()
  const { data, error, refetch } = useCall(recheckCalls.get, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={420} />
  const row = data.data as RecheckDetail & AnyRow
  const may = Object.entries(recheckFlow.actions).filter(
    ([key]) => row.abilities.includes(key) || row.refused?.[key] !== undefined,
  )
  const shown = steps.actions(row).filter(({ key }) => may.some(([one]) => one === key))
  return (
    <Stack>
      <Card
        title={deciding ? <Name row={row.student} /> : <Name row={row.course} />}
        aside={<StateBadge flow={recheckFlow} state={row.status} />}
      >
        <p className={css.facts}>
          {deciding && <Code>{row.student.code}</Code>}
          <span>
            <Code>{row.course.code}</Code> <bdi>{nameOf(row.course, lang)}</bdi>
          </span>
          <bdi>{nameOf(row.term, lang)}</bdi>
          {/* Who asked knows that. */}
          {(deciding || row.kind !== 'recheck') && (
            <span>{t(row.kind === 'recheck' ? 'kind_recheck' : 'kind_correction')}</span>
          )}
          <span>{formatInstant(row.created_at)}</span>
          {row.fee && (
            <span>
              {t(row.fee.paid ? 'recheck_paid' : 'recheck_due', {
                sum: formatMoney(row.fee.amount, row.fee.currency),
              })}{' '}
              <Code>{row.fee.number}</Code>
            </span>
          )}
        </p>
        <p className={css.why} dir="auto">
          {row.why}
        </p>
        <RecheckComparison row={row} />
        {row.finding && (
          <p className={css.why} dir="auto">
            {t('finding_of', { text: row.finding })}
          </p>
        )}
        <StepLine flow={recheckFlow} calls={recheckSteps} id={id} state={row.status} />
        <div className={css.actions}>
          {row.abilities.includes('find') && (
            <Button
              component={Link}
              to={to('/control/grades_recheck/edit/:id', { id })}
              variant={row.new_mark === null ? 'filled' : 'default'}
            >
              {t(row.new_mark === null ? 'say_finding' : 'change_finding')}
            </Button>
          )}
          {!deciding && row.fee && !row.fee.paid && (
            <Button component={Link} to={to('/student-payments')}>
              {t('recheck_pay')}
            </Button>
          )}
          {shown.map(({ key, label, disabled }) => (
            <Step
              key={key}
              label={label}
              letter={disabled === undefined ? KEYS[key] : undefined}
              refuses={recheckFlow.actions[key as 'reject'].tone === 'refused'}
              disabled={disabled}
              go={() =>
                void steps.take(row, key as 'accept').then((done) => {
                  if (done) decided()
                  return refetch()
                })
              }
            />
          ))}
        </div>
      </Card>
      <Card title={t('steps')}>
        <StepHistory flow={recheckFlow} calls={recheckSteps} id={id} />
      </Card>
      {row.earlier.length > 0 && (
        <Card title={t('earlier_rechecks')}>
          <ul className={css.earlier}>
            {row.earlier.map((one) => (
              <li key={one.id}>
                <Link to={to('/control/grades_recheck/show/:id', { id: one.id })}>
                  <Code>{one.course.code}</Code> · <bdi>{nameOf(one.category, lang)}</bdi>
                </Link>{' '}
                <small>{formatInstant(one.created_at)}</small> <StateBadge flow={recheckFlow} state={one.status} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Stack>
  )
}

/** Before and after in one table. */
export function RecheckComparison({ row }: { row: RecheckDetail }) {
  const t = useT('grading')
  const lang = useLanguage()
  // A is absent as a mark, and a grade as a letter.
  const mark = (value: string | null | undefined) => (value === 'A' ? t('absent_short') : value)
  const lines = [
    [nameOf(row.category, lang), mark(row.old_mark), mark(row.after?.mark ?? row.new_mark)],
    [t('sheet_total'), row.before.total, row.after?.total],
    [t('sheet_letter'), row.before.letter, row.after?.letter],
    [t('sheet_points'), row.before.points, row.after?.points],
  ] as const
  return (
    <Table
      label={nameOf(row.category, lang)}
      className={css.change}
      rows={lines}
      rowKey={([name]) => name}
      rowGiven={([, before, after]) => ({
        'data-changes': (after !== undefined && after !== null && after !== before) || undefined,
      })}
      columns={[
        { key: 'name', label: t('mark_out_of', { max: row.max }), head: true, cell: ([name]) => name },
        { key: 'before', label: t('before'), cell: ([, before]) => <Code>{before ?? '–'}</Code> },
        { key: 'after', label: t('after'), cell: ([, , after]) => <Code>{after ?? '–'}</Code> },
      ]}
    />
  )
}

/** A button with its key; where it cannot be done, the reason stands beside it. */
function Step({
  label,
  letter,
  refuses,
  disabled,
  go,
}: {
  label: string
  letter: string | undefined
  refuses: boolean
  disabled: string | undefined
  go: () => void
}) {
  useShortcut(letter ?? '', go, letter ? label : null)
  return (
    <>
      <Button
        variant={refuses ? 'default' : 'filled'}
        color={refuses ? 'red' : undefined}
        disabled={disabled !== undefined}
        onClick={go}
        rightSection={
          letter && (
            <Kbd size="xs" className={css.key} aria-hidden>
              {letter.toUpperCase()}
            </Kbd>
          )
        }
      >
        {label}
      </Button>
      {disabled !== undefined && <small className={css.not}>{disabled}</small>}
    </>
  )
}
