import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { to } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import type { ResponseOf } from '#kit/contract/index.ts'
import { FEE_TYPES } from '../pricing.rules.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { TYPE_CHOICES } from '../words.contract.ts'
import { settingsCalls } from './settings.contract.ts'

type Data = ResponseOf<typeof settingsCalls.overview>['data']
type YearRow = Data['years'][number] & AnyRow
type CertificateRow = Data['certificates'][number] & AnyRow

const money = (amount: number | null, currency: string) =>
  amount === null ? <span className={shared.dim}>–</span> : <Code>{formatMoney(amount, currency)}</Code>
const CERTIFICATES: readonly Column<CertificateRow>[] = [
  { key: 'name', label: ['Certificate', 'الشهادة'], width: 280, cell: (row) => <Name row={row} /> },
  {
    key: 'local_amount',
    label: ['In pounds', 'بالجنيه'],
    align: 'end',
    width: 150,
    cell: (row) => money(row.payment_settings.value_local, 'EGP'),
  },
  {
    key: 'amount',
    label: ['In dollars', 'بالدولار'],
    align: 'end',
    width: 150,
    cell: (row) => money(row.payment_settings.value_usd, 'USD'),
  },
]

/** Which academic years have which settings, and what certificates cost now. */
export default function PaymentSettings() {
  const t = useT('fees')
  const say = useLabel()
  const { data, error, refetch } = useCall(settingsCalls.overview)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const current = data?.data.current_year_id
  const columns: readonly Column<YearRow>[] = [
    {
      key: 'year',
      label: ['Academic year', 'العام الدراسي'],
      width: 170,
      cell: (row) => (
        <span className={css.of}>
          <Name row={row.year} />
          {row.year.id === current && <Status is="current" label={t('now')} />}
        </span>
      ),
    },
    {
      key: 'version',
      label: ['Version', 'الإصدار'],
      width: 100,
      cell: (row) => (row.version ? <Code>{formatNumber(row.version)}</Code> : <span className={shared.dim}>–</span>),
    },
    ...FEE_TYPES.map((type): Column<YearRow> => ({
      key: type,
      label: TYPE_CHOICES.find((choice) => choice.value === type)!.label,
      align: 'end',
      width: 110,
      cell: (row) =>
        row.prices[type] ? <Code>{formatNumber(row.prices[type])}</Code> : <span className={shared.dim}>–</span>,
    })),
    {
      key: 'made_at',
      label: ['Saved', 'حُفظ'],
      width: 190,
      cell: (row) =>
        row.made_at ? (
          <span className={css.two}>
            <span>{formatInstant(row.made_at)}</span>
            {row.made_by && (
              <small className={shared.dim}>
                <Name row={row.made_by} />
              </small>
            )}
          </span>
        ) : (
          <span className={shared.dim}>{t('nothing_yet')}</span>
        ),
    },
  ]
  return (
    <Page title={say(['Payment settings', 'إعدادات الرسوم'])} subtitle={t('overview_text')} wide>
      <Stack>
        <Card plain title={t('years_with_prices')}>
          <DataTable
            caption={t('years_with_prices')}
            rows={data?.data.years.map((row) => ({ ...row, id: row.year.id }))}
            rowName={(row) => row.year.name}
            rowHref={(row) => to('/settings/year/payment/:id', { id: row.year.id })}
            columns={columns}
            empty={<Empty title={t('no_years')} />}
          />
        </Card>
        <Card plain title={t('certificates_now')} text={t('certificates_now_text')}>
          <DataTable
            caption={t('certificates_now')}
            rows={data?.data.certificates}
            columns={CERTIFICATES}
            empty={<Empty title={t('no_certificates')} />}
          />
        </Card>
      </Stack>
    </Page>
  )
}
