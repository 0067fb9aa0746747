import { keepPreviousData } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { useLabel, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { DIMENSIONS, type DimensionKey } from '../figures/dimensions.contract.ts'
import { FIGURE_MEASURES } from '../figures/measures.contract.ts'
import { FoundRows } from '../figures/rows.web.tsx'
import { valueName } from '../figures/tables.rules.ts'
import type { OpenFigure, OwnAddress } from './address.web.ts'
import { ownReportCalls, type OwnFigures } from './own.contract.ts'
import figures from '../figures/figures.module.css'

/** The rows behind a figure of an own report. */
export function Behind({
  address,
  cell,
  seen,
}: {
  address: OwnAddress
  cell: OpenFigure
  seen: OwnFigures | undefined
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const { asked, page, perPage } = address
  const answer = useCall(
    ownReportCalls.ownRows,
    { body: { asked: asked as never, ...cell, page, perPage } },
    { placeholderData: keepPreviousData },
  )
  const named = (by: readonly DimensionKey[], keys: OpenFigure['row'], among: OwnFigures['columns'] | undefined) =>
    (keys ?? []).map((key, at) => {
      const found = among?.map((one) => one[at]!).find((one) => one.key === key)
      return valueName(by[at]!, found ?? { key, of: null }, lang, say)
    })
  const of = [
    ...named(
      asked.rows,
      cell.row,
      seen?.rows.map((row) => row.keys),
    ),
    ...named(asked.columns, cell.column, seen?.columns),
  ]
  const time = seen?.compared && (cell.before ? seen.compared.before : seen.compared.now)
  const told = [
    ...(seen?.filters ?? []).map(({ by, values }) =>
      withHeading(say(DIMENSIONS[by].label), values.map((one) => valueName(by, one, lang, say)).join(', ')),
    ),
    ...(seen?.compared && time
      ? [withHeading(say(DIMENSIONS[seen.compared.by].label), valueName(seen.compared.by, time, lang, say))]
      : []),
  ]
  return (
    <Stack>
      <div className={figures.back}>
        <Link to={address.toCell(null)}>
          <IconArrowLeft size={16} aria-hidden className={figures.flip} /> {t('back_to_report')}
        </Link>
      </div>
      <FoundRows
        answer={answer}
        title={[say(FIGURE_MEASURES[cell.measure].label), ...of].join(' · ')}
        told={told}
        page={page}
        perPage={perPage}
        onPage={address.toPage}
        onPageSize={address.toSize}
      />
    </Stack>
  )
}
