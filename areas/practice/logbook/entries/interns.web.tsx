import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, formatPercent, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { logbookCalls as calls } from './entry.contract.ts'

/** How far each logbook is that the reader may see. */
export default function LogbookInterns() {
  const t = useT('logbook')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const { most, more } = useMost()
  const { data, error, refetch } = useCall(calls.interns, { query: { most, ...(search && { search }) } })
  return (
    <Page title={t('progress_of_all')}>
      <Stack>
        <TextInput
          type="search"
          maw={420}
          aria-label={t('search')}
          placeholder={t('search')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Bone height={420} />
        ) : (
          <Card>
            {data.data.length === 0 ? (
              <Empty title={t('no_interns')} text={t('no_interns_text')} />
            ) : (
              <Table
                label={t('progress_of_all')}
                rows={data.data}
                rowKey={(row) => row.id}
                columns={[
                  {
                    key: 'student',
                    label: t('intern'),
                    head: true,
                    cell: (row) => (
                      <Link to={to('/emtyaz/logbooks/interns/:id', { id: row.id })}>
                        <Name row={row.student} />
                      </Link>
                    ),
                  },
                  { key: 'year', label: t('year'), cell: (row) => <bdi>{nameOf(row.year)}</bdi> },
                  {
                    key: 'counted',
                    label: t('confirmed'),
                    figure: true,
                    cell: (row) => t('of', { count: formatNumber(row.counted), all: formatNumber(row.wanted) }),
                  },
                  {
                    key: 'share',
                    label: t('share'),
                    figure: true,
                    cell: (row) => (row.wanted ? formatPercent(row.counted / row.wanted) : '–'),
                  },
                  { key: 'waiting', label: t('to_confirm'), figure: true, cell: (row) => formatNumber(row.waiting) },
                ]}
              />
            )}
            <MoreRows shown={data.data.length} total={data.total} onMore={more} />
          </Card>
        )}
      </Stack>
    </Page>
  )
}
