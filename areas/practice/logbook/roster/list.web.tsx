import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { rosterCalls as calls } from './roster.contract.ts'

/** Trainings whose duties the reader sees or plans. */
export default function Rosters() {
  const t = useT('logbook')
  const { data, error, refetch } = useCall(calls.trainings)
  return (
    <Page title={t('rosters')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={420} />
      ) : (
        <Card>
          {data.data.length === 0 ? (
            <Empty title={t('no_trainings')} text={t('no_trainings_text')} />
          ) : (
            <Table
              label={t('rosters')}
              rows={data.data}
              rowKey={(row) => row.id}
              columns={[
                {
                  key: 'training',
                  label: t('rotation'),
                  head: true,
                  cell: (row) => (
                    <Link to={to('/emtyaz/roster/:id', { id: row.id })}>
                      <bdi>{nameOf(row)}</bdi>
                    </Link>
                  ),
                },
                { key: 'code', label: t('code'), cell: (row) => <Code>{row.code}</Code> },
                { key: 'kinds', label: t('kinds'), figure: true, cell: (row) => formatNumber(row.kinds) },
                { key: 'draft', label: t('drafts'), figure: true, cell: (row) => formatNumber(row.draft) },
                { key: 'swaps', label: t('swaps_wait'), figure: true, cell: (row) => formatNumber(row.swaps) },
              ]}
            />
          )}
        </Card>
      )}
    </Page>
  )
}
