import { useLabel } from '../i18n/index.ts'
import { Link } from '../router/index.ts'
import { Table } from '../table/table.tsx'
import type { ChartPoint, ChartProps } from './chart.tsx'
import css from './chart.module.css'

/** The figures of a chart, as a table. */
export default function Figures({
  title,
  data,
  series,
  format,
  height,
  href,
  first,
}: ChartProps & {
  readonly data: readonly ChartPoint[]
  readonly format: (value: number) => string
  readonly height: number
  /** What the points are. */
  readonly first: string
}) {
  const say = useLabel()
  return (
    <Table
      label={title}
      className={css.table}
      height={Math.max(height, 240)}
      sticky
      rows={data}
      rowKey={(point) => point.name}
      columns={[
        { key: 'point', label: first, head: true, cell: (point) => <bdi>{point.name}</bdi> },
        ...series.map((s) => ({
          key: s.key,
          label: say(s.label),
          figure: true,
          cell: (point: ChartPoint) => {
            const known = point[s.key] !== null && point[s.key] !== undefined
            const figure = <bdi>{known ? format(Number(point[s.key])) : '–'}</bdi>
            const list = known ? href?.(point, s.key) : null
            return list ? (
              <Link className={css.link} to={list}>
                {figure}
              </Link>
            ) : (
              figure
            )
          },
        })),
      ]}
    />
  )
}
