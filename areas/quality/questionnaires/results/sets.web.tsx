import { keepPreviousData } from '@tanstack/react-query'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall } from '#kit/web/api/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, formatPercent, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { resultCalls } from './results.contract.ts'

type AnsweredSet = ResponseOf<typeof resultCalls.sets>['data'][number]

/** What a questionnaire is about: each offering or instructor with its response, and the way to its results. */
export function ResultSets({ id, chosen }: { id: number; chosen: number | undefined }) {
  const t = useT('questionnaires')
  const { most, more } = useMost()
  const { data } = useCall(resultCalls.sets, { params: { id }, query: { most } }, { placeholderData: keepPreviousData })
  if (!data) return <Bone height={160} />
  if (data.total < 2) return null
  const address = to('/questionnaires/statistics/show/:id', { id })
  const name = (one: AnsweredSet) =>
    one.pooled
      ? t('small_together')
      : [one.course, one.instructor].flatMap((of) => (of ? [nameOf(of)] : [])).join(' · ')
  return (
    <Card title={t('parts')} aside={chosen !== undefined && <Link to={address}>{t('all_together')}</Link>}>
      <Table
        label={t('parts')}
        rows={data.data}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            label: t('about'),
            head: true,
            style: { minInlineSize: 150 },
            cell: (row) => (
              <Link to={`${address}?set=${row.id}`} aria-current={row.id === chosen || undefined}>
                {name(row)}
                {row.small && <small> · {t('counted_with_others')}</small>}
              </Link>
            ),
          },
          { key: 'asked', label: t('asked'), figure: true, cell: (row) => formatNumber(row.asked) },
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
