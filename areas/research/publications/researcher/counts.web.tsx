import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { PUBLICATION_KINDS } from '../works/words.contract.ts'
import { researcherCalls as calls } from './researcher.contract.ts'

const BY = ['year', 'faculty', 'department', 'person'] as const
const QUARTILES = ['1', '2', '3', '4', '0'] as const

/** Listed publications by year, unit or person, with their kinds and the quartiles of their journals. */
export default function PublicationCounts() {
  const t = useT('publications')
  const say = useLabel()
  const [by, setBy] = useState<(typeof BY)[number]>('year')
  const { data, error, refetch } = useCall(calls.counts, { query: { by } })
  const rows = data?.data
  const named = (row: NonNullable<typeof rows>[number]): string =>
    by === 'year' ? String(row.year ?? '–') : row.of ? nameOf(row.of) : t('no_unit')
  const kinds = PUBLICATION_KINDS.filter(({ value }) => rows?.some((row) => row.kinds[value]))
  return (
    <Page title={t('counts')} subtitle={t('counts_text')}>
      <Stack>
        <SegmentedControl
          aria-label={t('count_by')}
          value={by}
          onChange={(value) => setBy(value)}
          data={BY.map((value) => ({ value, label: t(`by_${value}`) }))}
        />
        {error && !rows ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !rows ? (
          <Bone height={360} />
        ) : rows.length === 0 ? (
          <Card>
            <Empty title={t('nothing_listed')} />
          </Card>
        ) : (
          <>
            <Chart
              kind="bar"
              stacked
              horizontal={by !== 'year'}
              title={t('by_quartile')}
              data={(by === 'year' ? rows.toReversed() : rows.slice(0, 20)).map((row) => ({
                name: named(row),
                ...Object.fromEntries(QUARTILES.map((q) => [`q${q}`, row.quartiles[q] ?? 0])),
              }))}
              series={QUARTILES.map((q) => ({
                key: `q${q}`,
                label: q === '0' ? (['Not ranked', 'غير مصنفة'] as const) : ([`Q${q}`, `Q${q}`] as const),
              }))}
            />
            <Card>
              <Table
                label={t('counts')}
                rows={rows}
                rowKey={(row) => `${row.of?.id ?? ''} ${row.year ?? ''}`}
                columns={[
                  {
                    key: 'of',
                    label: t(`by_${by}`),
                    head: true,
                    cell: (row) =>
                      by === 'person' && row.of ? (
                        <Link to={to('/my_researches/publications/list/:id?', { id: row.of.id })}>{named(row)}</Link>
                      ) : (
                        <bdi>{named(row)}</bdi>
                      ),
                  },
                  { key: 'total', label: t('total'), figure: true, cell: (row) => formatNumber(row.total) },
                  ...kinds.map(({ value, label }) => ({
                    key: value,
                    label: say(label),
                    figure: true,
                    cell: (row: NonNullable<typeof rows>[number]) => formatNumber(row.kinds[value] ?? 0),
                  })),
                  ...QUARTILES.map((q) => ({
                    key: `q${q}`,
                    label: q === '0' ? t('not_ranked') : `Q${q}`,
                    figure: true,
                    cell: (row: NonNullable<typeof rows>[number]) => formatNumber(row.quartiles[q] ?? 0),
                  })),
                ]}
              />
            </Card>
          </>
        )}
      </Stack>
    </Page>
  )
}
