import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatInstant, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { useSaidCell } from '../templates/said.web.ts'
import { returnCalls } from './return.contract.ts'
import css from '../returns.module.css'

const said = (value: number | null) => (value === null ? '–' : formatNumber(value))

/** Which figures would be others today: what was kept stays. */
export function Today({ id }: { id: number; version: number }) {
  const t = useT('returns')
  const say = useSaidCell()
  const { most, more } = useMost()
  const { data, error, refetch } = useCall(returnCalls.today, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const { others, figures, read_at } = data.data
  const text = t('today_text', {
    others: formatNumber(others.length),
    figures: formatNumber(figures),
    at: formatInstant(read_at),
  })
  if (!others.length) return <Empty title={t('today_same')} text={text} />
  return (
    <Card title={t('today')} text={text}>
      <Table
        label={t('today')}
        className={css.table}
        rows={others.slice(0, most)}
        rowKey={(one) => `${one.sheet}!${one.cell}`}
        columns={[
          {
            key: 'cell',
            label: t('cell'),
            head: true,
            cell: (one) => (
              <span className={css.cellName}>
                <bdi>{one.sheet}</bdi> <Code>{one.cell}</Code>
              </span>
            ),
          },
          { key: 'asks', label: t('asks'), cell: (one) => say(one.text) },
          { key: 'kept', label: t('kept'), figure: true, cell: (one) => said(one.kept) },
          { key: 'now', label: t('now'), figure: true, cell: (one) => said(one.now) },
        ]}
      />
      <MoreRows shown={Math.min(most, others.length)} total={others.length} onMore={more} />
    </Card>
  )
}
