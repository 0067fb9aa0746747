import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { deskCalls as calls, type Shift } from './desk.contract.ts'
import css from '../transactions.module.css'

const PER_PAGE = 20
/** What the count has more than it should; null: it was not counted. */
export const differenceOf = (one: Shift['drawers'][number]): number | null =>
  one.counted === null ? null : one.counted - one.expected
export const isToReview = (of: Shift): boolean =>
  of.closed_at !== null && of.review === null && of.drawers.some((one) => (differenceOf(one) ?? 0) !== 0)

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
  const set = (name: string, value: string | null) =>
    setQuery((had) => {
      if (value === null) had.delete(name)
      else had.set(name, value)
      if (name !== 'page') had.delete('page')
      return had
    })
  return (
    <Page title={say(['Cashiers’ drawers', 'ورديات الخزينة'])}>
      <div>
        <SegmentedControl
          aria-label={say(['Cashiers’ drawers', 'ورديات الخزينة'])}
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
          <div className={css.scroll}>
            <table className={`${css.table} ${css.drawers}`}>
              <thead>
                <tr>
                  <th>{t('drawer')}</th>
                  <th>{t('shift_by')}</th>
                  <th>{t('shift_opened')}</th>
                  <th>{t('shift_closed')}</th>
                  <th className={css.figure}>{t('taken_sum')}</th>
                  <th className={css.figure}>{t('paid_out_sum')}</th>
                  <th className={css.figure}>{t('shift_counted')}</th>
                  <th className={css.figure}>{t('shift_difference')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => {
                  const shown = row.drawers.filter((one) => one.expected || one.transactions || one.counted)
                  const cell = (label: string, of: (one: Shift['drawers'][number]) => number | null) => (
                    <td className={css.figure} data-label={label}>
                      {shown.map((one) => {
                        const value = of(one)
                        return (
                          <div key={one.currency}>
                            <bdi>{value === null ? '–' : formatMoney(value, one.currency)}</bdi>
                          </div>
                        )
                      })}
                    </td>
                  )
                  return (
                    <tr key={row.id}>
                      <td>
                        <Link to={to('/cashier/shifts/:id', { id: row.id })}>{row.number}</Link>
                      </td>
                      <td data-label={t('shift_by')}>
                        <Name row={row.cashier} />
                      </td>
                      <td data-label={t('shift_opened')}>{formatInstant(row.opened_at)}</td>
                      <td data-label={t('shift_closed')}>
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
                      </td>
                      {cell(t('taken_sum'), (one) => one.taken)}
                      {cell(t('paid_out_sum'), (one) => 0 - one.paid_out)}
                      {cell(t('shift_counted'), (one) => one.counted)}
                      {cell(t('shift_difference'), differenceOf)}
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
          {data.meta.count > PER_PAGE && (
            <div className={css.buttons}>
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
