import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, formatPercent, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { resultCalls } from './results.contract.ts'

/** Results of the own teaching, each with the way to it; nothing for who has none. */
export function TaughtResults() {
  const t = useT('questionnaires')
  const { most, more } = useMost()
  const { data } = useCall(resultCalls.taught, { query: { most } }, { placeholderData: keepPreviousData })
  if (!data?.total) return null
  return (
    <Card title={t('taught')} text={t('taught_text')}>
      <Table
        label={t('taught')}
        rows={data.data}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'course',
            label: t('about'),
            head: true,
            cell: (row) => (
              <Link to={`${to('/questionnaires/statistics/show/:id', { id: row.questionnaire_id })}?set=${row.id}`}>
                {nameOf(row.course)}
              </Link>
            ),
          },
          { key: 'type', label: t('questionnaire'), cell: (row) => nameOf(row.type) },
          { key: 'term', label: t('term'), cell: (row) => (row.term ? nameOf(row.term) : '–') },
          { key: 'answered', label: t('answered'), figure: true, cell: (row) => formatNumber(row.answered) },
          {
            key: 'rate',
            label: t('rate'),
            figure: true,
            cell: (row) => (row.asked ? formatPercent(row.answered / row.asked) : '–'),
          },
        ]}
      />
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
    </Card>
  )
}
