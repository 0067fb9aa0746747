import { Button } from '@mantine/core'
import { IconFileDownload, IconTableExport } from '@tabler/icons-react'
import { useState } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import { download, useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, act } from '#kit/web/feedback/index.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatDate, formatMoney, formatNumber, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import shared from '../../money.module.css'
import css from '../sponsors.module.css'
import { sponsorAccountCalls as calls, type SponsorAccount } from './account.contract.ts'

/** The account of a sponsor as of a day: sums, how late what is open is, what it paid; as paper and sheet. */
export function AccountOfSponsor({ id }: { id: number }) {
  const t = useT('sponsors')
  const lang = useLanguage()
  const [until, setUntil] = useState<string | null>(dayOf())
  const query = until ? { until } : {}
  const { data, error, refetch } = useCall(calls.account, { params: { id }, query })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const one = data?.data
  const file = (format: 'pdf' | 'xlsx') =>
    act({
      go: () =>
        download(calls.statement, { params: { id }, body: { format, lang: lang === 'ar' ? 'ar' : 'en', ...query } }),
      done: () => null,
    })
  return (
    <Stack>
      <Card
        title={t('account')}
        aside={
          <div className={shared.buttons}>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconFileDownload size={16} aria-hidden />}
              onClick={() => void file('pdf')}
            >
              {t('statement')}
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconTableExport size={16} aria-hidden />}
              onClick={() => void file('xlsx')}
            >
              {t('sheet')}
            </Button>
          </div>
        }
      >
        <Stack>
          <div className={css.day}>
            <DateInput
              name="until"
              label={t('until_day')}
              defaultValue={until}
              onChange={(value) => setUntil(value as string | null)}
            />
          </div>
          {one ? <Sums of={one} /> : <Bone height={80} />}
          {one && !one.whole && <p className={shared.text}>{t('partly')}</p>}
        </Stack>
      </Card>
      {one?.whole && (
        <>
          <Card title={t('aging')}>
            <Table
              label={t('aging')}
              className={shared.table}
              rows={one.aging}
              rowKey={(row) => `${row.from}`}
              columns={[
                { key: 'late', label: t('late'), cell: (row) => <Late of={row} /> },
                {
                  key: 'open',
                  label: t('open'),
                  figure: true,
                  cell: (row) => <bdi>{formatMoney(row.amount, one.sponsor.currency)}</bdi>,
                },
              ]}
            />
          </Card>
          <Card title={t('payments')}>
            {one.payments.length ? (
              <Table
                label={t('payments')}
                className={shared.table}
                rows={one.payments}
                rowKey={(row) => row.id}
                columns={[
                  { key: 'day', label: t('day'), cell: (row) => (row.booked_on ? formatDate(row.booked_on) : '–') },
                  { key: 'number', label: t('number'), cell: (row) => <Code>{row.number}</Code> },
                  { key: 'note', label: t('note'), cell: (row) => <span dir="auto">{row.note ?? '–'}</span> },
                  {
                    key: 'amount',
                    label: t('amount'),
                    figure: true,
                    cell: (row) => <bdi>{formatMoney(row.amount, one.sponsor.currency)}</bdi>,
                  },
                ]}
              />
            ) : (
              <Empty title={t('no_payments')} text={t('no_payments_text')} />
            )}
          </Card>
        </>
      )}
    </Stack>
  )
}

function Sums({ of }: { of: SponsorAccount }) {
  const t = useT('sponsors')
  return (
    <dl className={css.sums}>
      {(['taken', 'unbilled', 'billed', 'paid', 'open', 'wallet'] as const).map((key) => (
        <div key={key}>
          <dt>{t(key === 'wallet' ? 'in_advance' : key)}</dt>
          <dd>
            <bdi>{formatMoney(of.sums[key], of.sponsor.currency)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Late({ of: { from, until } }: { of: SponsorAccount['aging'][number] }) {
  const t = useT('sponsors')
  if (from === null) return <>{t('not_due')}</>
  return (
    <>
      {until === null
        ? t('days_more', { from: formatNumber(from) })
        : t('days_between', { from: formatNumber(from), until: formatNumber(until) })}
    </>
  )
}
