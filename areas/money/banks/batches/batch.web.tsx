import { Button, Select } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Problems } from '#kit/web/feedback/index.ts'
import { formatBytes, formatDate, formatNumber, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { useParams } from '#kit/web/router/index.ts'
import { Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { COLUMN_ROLES } from '../files/columns.rules.ts'
import type { ColumnRole } from '../files/columns.rules.ts'
import { batch as flow, batchCalls, batchSteps, FORMATS, LINE_STATES, lineFields as F } from './batch.contract.ts'
import type { BatchDetail, LineState } from './batch.contract.ts'
import { LINE_COLUMNS, LineAmount, REFRESHES, useLines } from './lines.web.tsx'
import type { BatchLine } from './lines.web.tsx'
import css from './batches.module.css'

const view = (key: string, label: readonly [string, string], state: readonly string[]) => ({
  key,
  label,
  query: `filters=${encodeURIComponent(JSON.stringify({ state }))}`,
})
const VIEWS = [
  view('open', ['Unknown', 'غير معروف'], ['proposed', 'unmatched']),
  ...LINE_STATES.filter(({ value }) => !['proposed', 'unmatched'].includes(value)).map(({ value, label }) =>
    view(value, label, [value]),
  ),
]

/** From when until when a file speaks, one day once. */
const daysOf = ({ from, to }: Pick<BatchDetail, 'from' | 'to'>): string =>
  from === null ? '–' : from === to ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`

/** A file of a bank: what it says, whose each line is, saved or taken back. */
export default function BatchScreen() {
  const t = useT('banks')
  const id = Number(useParams().id)
  const say = useLabel()
  const lines = useLines()
  const [naming, setNaming] = useState(false)
  const { data: answer, error, refetch } = useCall(batchCalls.show, { params: { id }, body: { perPage: 1 } })
  const steps = useSteps<never, never, BatchDetail>(flow as never, batchSteps as never, {
    name: (row) => row.number,
    refreshes: REFRESHES,
    texts: { consequence: (action, [of]) => (action === 'save' && of ? <Booking row={of} /> : undefined) },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const row = answer?.data
  const actions = row ? steps.actions(row) : []
  const save = actions.find((one) => one.key === 'save')
  const remove = actions.find((one) => one.key === 'delete')
  return (
    <Page
      title={row ? row.number : ''}
      coming={!row}
      subtitle={row ? <bdi>{row.file_name}</bdi> : '\u00A0'}
      facts={[
        { label: t('bank'), value: row ? <Name row={row.bank} /> : '–' },
        { label: t('state'), value: row ? <StateBadge flow={flow} state={row.status} /> : '–' },
      ]}
      action={
        save && (
          <Button onClick={() => save.onSelect?.()} disabled={Boolean(save.disabled)}>
            {save.label}
          </Button>
        )
      }
    >
      <Stack>
        {steps.underway}
        {row?.problem && <Card title={t('not_readable')}>{problemText(row.problem)}</Card>}
        {row && (['columns', 'failed'].includes(row.status) || naming) && (
          <Columns key={row.version} row={row} done={() => setNaming(false)} />
        )}
        {row && row.status !== 'columns' && row.status !== 'failed' && (
          <>
            <Cards least={320}>
              <Card title={t('lines')}>
                <ul className={css.sums}>
                  {LINE_STATES.filter(({ value }) => row.sums[value].lines > 0).map(({ value, label }) => (
                    <li key={value}>
                      <span className={css.dim}>{say(label)}</span>
                      <b>{formatNumber(row.sums[value].lines)}</b>
                      <LineAmount minor={row.sums[value].amount} currency={row.currency} />
                    </li>
                  ))}
                </ul>
              </Card>
              <Statement row={row} onNaming={() => setNaming(!naming)} />
            </Cards>
            {save?.disabled && row.refused?.save && <p className={css.dim}>{problemText(row.refused.save)}</p>}
            {row.notes.length > 0 && (
              <Card title={t('notes_of_file')}>
                <ul className={css.notes}>
                  {row.notes.map((note, i) => (
                    <li key={i}>
                      {note.line !== null && <>{t('line_n', { line: note.line })}: </>}
                      {problemText(note)}
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            <ListScreen<BatchLine>
              page={false}
              call={batchCalls.lines}
              name="/payments/batch lines"
              title={['Lines', 'البنود']}
              fixed={{ batch_id: id }}
              columns={LINE_COLUMNS}
              filters={{ state: F.state }}
              views={VIEWS}
              order={['line', 'asc']}
              perPage={25}
              rowName={(line) => t('line_n', { line: line.line })}
              onOpen={lines.open}
              actions={lines.actions}
              empty={{ title: t('no_lines_here') }}
            />
          </>
        )}
        {row && (
          <Card
            title={t('history')}
            aside={
              remove && (
                <Button
                  variant="default"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => remove.onSelect?.()}
                >
                  {remove.label}
                </Button>
              )
            }
          >
            <StepHistory flow={flow} calls={batchSteps} id={id} />
          </Card>
        )}
      </Stack>
      {lines.dialog}
    </Page>
  )
}

/** What saving a file books, and what it does not, in numbers and sums. */
function Booking({ row }: { row: BatchDetail }) {
  const t = useT('banks')
  const say = useLabel()
  const { consequence } = flow.actions.save
  const of = (states: readonly LineState[]) => ({
    lines: states.reduce((sum, state) => sum + row.sums[state].lines, 0),
    amount: states.reduce((sum, state) => sum + row.sums[state].amount, 0),
  })
  const parts = [
    ['save_known', of(['matched'])],
    ['save_unexplained', of(['proposed', 'unmatched'])],
    ['save_not', of(['duplicate', 'not_booked', 'wrong'])],
  ] as const
  return (
    <>
      {consequence && <p className={css.dim}>{say(consequence)}</p>}
      <ul className={css.sums}>
        {parts.map(([key, { lines, amount }]) => (
          <li key={key}>
            <span>{t(key)}</span>
            <b>{formatNumber(lines)}</b>
            <LineAmount minor={amount} currency={row.currency} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** What the file says of itself: its days, accounts and balances, and what was booked of it. */
function Statement({ row, onNaming }: { row: BatchDetail; onNaming: () => void }) {
  const t = useT('banks')
  const kit = useT('kit')
  const say = useLabel()
  const unnamed = (row.asks?.headings ?? []).filter(
    (heading) => heading !== '' && !Object.values(row.asks?.proposed ?? {}).includes(heading),
  )
  const format = FORMATS.find((one) => one.value === row.format)
  return (
    <Card title={t('statement')}>
      <Facts
        short
        items={[
          { label: t('days'), value: daysOf(row) },
          { label: t('format'), value: format ? say(format.label) : '–' },
          ...row.statements
            .slice(0, 3)
            .flatMap((one) => [
              ...(one.account ? [{ label: t('account'), value: <Code>{one.account}</Code>, wide: true }] : []),
              ...(one.opening !== null
                ? [{ label: t('opening'), value: <LineAmount minor={one.opening} currency={one.currency} /> }]
                : []),
              ...(one.closing !== null
                ? [{ label: t('closing'), value: <LineAmount minor={one.closing} currency={one.currency} /> }]
                : []),
            ]),
          ...(row.statements.length > 3
            ? [{ label: t('statement'), value: kit('and_more', { count: row.statements.length - 3 }), wide: true }]
            : []),
          ...(row.status === 'previewed' && row.asks
            ? [
                {
                  label: t('columns'),
                  value: (
                    <span className={css.two}>
                      {unnamed.length > 0 && <span>{t('columns_unnamed', { columns: unnamed.join(' · ') })}</span>}
                      <span>
                        <Button variant="default" size="compact-sm" onClick={onNaming}>
                          {t('columns_name')}
                        </Button>
                      </span>
                    </span>
                  ),
                  wide: true,
                },
              ]
            : []),
          {
            label: t('file'),
            value: (
              <a href={row.file.url} download>
                <IconDownload size={14} aria-hidden /> {formatBytes(row.file.size)}
              </a>
            ),
          },
          ...(row.status === 'saved'
            ? [
                {
                  label: t('booked_payments'),
                  value: <LineAmount minor={row.booked.payments.amount} currency={row.currency} />,
                },
                {
                  label: t('unexplained'),
                  value: <LineAmount minor={row.booked.unexplained.amount} currency={row.currency} />,
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

/** Which column is what, where the headings do not say it. */
function Columns({ row, done }: { row: BatchDetail; done: () => void }) {
  const t = useT('banks')
  const me = useMe()
  const { busy, problem, go, send } = useChange(...REFRESHES)
  const [columns, setColumns] = useState<Partial<Record<ColumnRole, string>>>(
    row.asks?.proposed ?? row.table?.columns ?? {},
  )
  const [dates, setDates] = useState<string>(row.table?.dates ?? 'dmy')
  const [decimal, setDecimal] = useState<string | null>(row.table?.decimal ?? null)
  const asks = row.asks
  if (!asks) return null
  const headings = [...new Set(asks.headings.filter(Boolean))]
  const again = async () => {
    const read = await go(() =>
      send(batchCalls.columns, {
        params: { id: row.id },
        body: { columns, dates: dates as 'dmy', ...(decimal && { decimal: decimal as '.' }) },
      }),
    )
    if (read) done()
  }
  return (
    <Card title={t('columns')} text={t('columns_text')}>
      <Stack>
        <Table
          label={t('columns')}
          className={css.whole}
          rows={asks.first}
          rowKey={(_cells, i) => i}
          columns={Array.from({ length: Math.max(...asks.first.map((cells) => cells.length)) }, (_, j) => ({
            key: String(j),
            cell: (cells: readonly string[]) => <bdi>{cells[j]}</bdi>,
          }))}
        />
        <Cards least={220}>
          {COLUMN_ROLES.map((role) => (
            <Select
              key={role}
              label={t(`column_${role}`)}
              data={headings}
              value={columns[role] ?? null}
              onChange={(value) =>
                setColumns(({ [role]: _before, ...rest }) => (value === null ? rest : { ...rest, [role]: value }))
              }
              clearable
            />
          ))}
          <Select
            label={t('date_order')}
            data={[
              { value: 'dmy', label: t('date_dmy') },
              { value: 'mdy', label: t('date_mdy') },
              { value: 'ymd', label: t('date_ymd') },
            ]}
            value={dates}
            onChange={(value) => setDates(value ?? 'dmy')}
          />
          <Select
            label={t('decimal_mark')}
            data={[
              { value: '.', label: '1,234.50' },
              { value: ',', label: '1.234,50' },
            ]}
            value={decimal}
            onChange={setDecimal}
            clearable
          />
        </Cards>
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          {me.can('import_batch') && (
            <Button loading={busy} onClick={() => void again()}>
              {t('read_again')}
            </Button>
          )}
        </div>
      </Stack>
    </Card>
  )
}
