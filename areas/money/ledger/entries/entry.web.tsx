import { useCall } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { MoneyText } from '../money.web.tsx'
import { ENTRY_KINDS } from '../words.contract.ts'
import { entryCalls } from './entry.contract.ts'
import shared from '../../money.module.css'
import css from '../ledger.module.css'

/** An entry with its postings, what it reverses and what reverses it. */
export default function Entry() {
  const id = Number(useParams().id)
  const t = useT('ledger')
  const say = useLabel()
  const lang = useLanguage()
  const { data, error, refetch } = useCall(entryCalls.get, { params: { id } })
  const entry = data?.data
  const title = t('entry_number', { number: String(id) })
  if (error && !entry)
    return (
      <Page title={title}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  const other = (number: number) => (
    <Link to={to('/ledger/entries/:id', { id: number })}>
      <Code>{number}</Code>
    </Link>
  )
  return (
    <Page
      title={title}
      subtitle={entry ? say(ENTRY_KINDS.find((entryKind) => entryKind.value === entry.kind)!.label) : '\u00A0'}
    >
      {!entry ? (
        <Stack>
          <Bone height={150} />
          <Bone height={220} />
        </Stack>
      ) : (
        <Stack>
          <Card aside={entry.reversed_by !== null ? <Status is="cancelled" label={t('reversed')} /> : undefined}>
            <Facts
              short
              items={[
                { label: t('day'), value: formatDate(entry.booked_on) },
                ...(entry.happened_on !== null
                  ? [{ label: t('happened_on'), value: formatDate(entry.happened_on) }]
                  : []),
                { label: t('amount'), value: <MoneyText minor={entry.amount} currency={entry.currency} /> },
                { label: t('booked_for'), value: <Code>{entry.source}</Code> },
                { label: t('booked_at'), value: formatInstant(entry.created_at) },
                {
                  label: t('booked_by'),
                  value: entry.created_by ? <bdi>{nameOf(entry.created_by, lang)}</bdi> : t('by_itself'),
                },
                ...(entry.reversal_of !== null ? [{ label: t('reverses'), value: other(entry.reversal_of) }] : []),
                ...(entry.reversed_by !== null ? [{ label: t('reversed_by'), value: other(entry.reversed_by) }] : []),
                ...(entry.reason ? [{ label: t('reason'), value: <bdi>{entry.reason}</bdi>, wide: true }] : []),
              ]}
            />
          </Card>
          <Card title={t('postings')}>
            <DataTable
              caption={t('postings')}
              rows={entry.postings}
              rowName={(row) => nameOf(row.account, lang)}
              columns={[
                {
                  key: 'account',
                  label: ['Account', 'الحساب'],
                  width: 260,
                  cell: (row) => (
                    <span className={css.two}>
                      <bdi>{nameOf(row.account, lang)}</bdi>
                      <small>
                        <Code>{row.account.code}</Code>
                      </small>
                    </span>
                  ),
                },
                {
                  key: 'student',
                  label: ['Student', 'الطالب'],
                  width: 220,
                  cell: (row) =>
                    row.payer ? (
                      <Name row={row.payer} />
                    ) : !row.student ? (
                      <span className={shared.dim}>–</span>
                    ) : may('show_statement') ? (
                      <Link to={to('/ledger/statements/:student_id', { student_id: row.student.id })}>
                        <Name row={row.student} />
                      </Link>
                    ) : (
                      <Name row={row.student} />
                    ),
                },
                {
                  key: 'invoice',
                  label: ['Invoice', 'فاتورة'],
                  width: 150,
                  cell: (row) => <Code>{row.invoice?.number}</Code>,
                },
                {
                  key: 'debit',
                  label: ['Debit', 'مدين'],
                  width: 150,
                  align: 'end',
                  cell: (row) => (row.amount > 0 ? <Code>{formatMoney(row.amount, entry.currency)}</Code> : null),
                },
                {
                  key: 'credit',
                  label: ['Credit', 'دائن'],
                  width: 150,
                  align: 'end',
                  cell: (row) => (row.amount < 0 ? <Code>{formatMoney(-row.amount, entry.currency)}</Code> : null),
                },
              ]}
            />
          </Card>
        </Stack>
      )}
    </Page>
  )
}
