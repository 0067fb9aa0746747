import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table, type TableColumn } from '#kit/web/table/table.tsx'
import { deskCalls as calls, type Shift } from './desk.contract.ts'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

const PER_PAGE = 20
/** What the count has more than it should; null: it was not counted. */
export const drawerDifferenceOf = (one: Shift['drawers'][number]): number | null =>
  one.counted === null ? null : one.counted - one.expected
export const isToReview = (of: Shift): boolean =>
  of.closed_at !== null && of.review === null && of.drawers.some((drawer) => (drawerDifferenceOf(drawer) ?? 0) !== 0)

/** On a phone what stands in a drawer is named beside it. */
const named = (label: string) => ({ label, given: () => ({ 'data-label': label }) })

/** What was in a drawer, a line for each of its currencies. */
const sums = (
  key: string,
  label: string,
  of: (one: Shift['drawers'][number]) => number | null,
): TableColumn<Shift> => ({
  key,
  ...named(label),
  figure: true,
  cell: (row) =>
    row.drawers
      .filter((drawer) => drawer.expected || drawer.transactions || drawer.counted)
      .map((drawer) => {
        const value = of(drawer)
        return (
          <div key={drawer.currency}>
            <bdi>{value === null ? '–' : formatMoney(value, drawer.currency)}</bdi>
          </div>
        )
      }),
})

/** Drawers of all cashiers, the latest first: what was in each, counted, and what differed. */
export default function Shifts() {
  const t = useT('transactions')
  const say = useLabel()
  const [query, setQuery] = useSearchParams()
  const which = query.get('which')
  const page = Math.max(1, Number(query.get('page')) || 1)
  const { data, error, refetch } = useCall(
    calls.shifts,
    { body: { page, ...(which === 'open' ? { open: true } : which === 'closed' ? { open: false } : {}) } },
    { placeholderData: keepPreviousData },
  )
  const rows = data?.data
  const title = say(['Cashiers’ drawers', 'ورديات الخزينة'])
  const set = (name: string, value: string | null) =>
    setQuery((had) => {
      if (value === null) had.delete(name)
      else had.set(name, value)
      if (name !== 'page') had.delete('page')
      return had
    })
  return (
    <Page title={title}>
      <div>
        <SegmentedControl
          aria-label={title}
          data={[
            { value: 'all', label: t('slips_all') },
            { value: 'open', label: t('shifts_open') },
            { value: 'closed', label: t('shifts_closed') },
          ]}
          value={which ?? 'all'}
          onChange={(value) => set('which', value === 'all' ? null : value)}
        />
      </div>
      {error && !rows ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !rows ? (
        <Bone height={320} />
      ) : rows.length === 0 ? (
        <Empty title={t('shifts_none')} text={t('shifts_none_text')} />
      ) : (
        <Card>
          <Table
            label={title}
            className={css.drawers}
            rows={rows}
            rowKey={(row) => row.id}
            columns={[
              {
                key: 'number',
                label: t('drawer'),
                cell: (row) => <Link to={to('/cashier/shifts/:id', { id: row.id })}>{row.number}</Link>,
              },
              { key: 'by', ...named(t('shift_by')), cell: (row) => <Name row={row.cashier} /> },
              { key: 'opened', ...named(t('shift_opened')), cell: (row) => formatInstant(row.opened_at) },
              {
                key: 'closed',
                ...named(t('shift_closed')),
                cell: (row) => (
                  <>
                    {row.closed_at ? (
                      formatInstant(row.closed_at)
                    ) : (
                      <Status is="in_progress" label={t('shifts_open')} />
                    )}
                    {isToReview(row) && (
                      <div>
                        <Status is="waits" label={t('shift_to_review')} />
                      </div>
                    )}
                  </>
                ),
              },
              sums('taken', t('taken_sum'), (one) => one.taken),
              sums('paid_out', t('paid_out_sum'), (one) => 0 - one.paid_out),
              sums('counted', t('shift_counted'), (one) => one.counted),
              sums('difference', t('shift_difference'), drawerDifferenceOf),
            ]}
          />
          {data.meta.count > PER_PAGE && (
            <div className={shared.buttons}>
              <Button variant="default" size="xs" disabled={page === 1} onClick={() => set('page', String(page - 1))}>
                ‹
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={page * PER_PAGE >= data.meta.count}
                onClick={() => set('page', String(page + 1))}
              >
                ›
              </Button>
            </div>
          )}
        </Card>
      )}
    </Page>
  )
}
