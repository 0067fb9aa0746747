import type { ResponseOf } from '#kit/contract/call.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Failed, Name } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, nameOf, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { distributionRunCalls, type distributionRun, type RunProgramStanding } from './run.contract.ts'
import css from './run.module.css'

type Details = ResponseOf<typeof distributionRunCalls.programs>['details']
const percent = (value: string | null) => (value === null ? '–' : <bdi>{formatPercent(Number(value) / 100, 2)}</bdi>)

/** After a distribution: seats and who has them, cut-offs, what moved against the run before, and the proof. */
export function ProgramsOfRun({ row }: { row: Row<typeof distributionRun> }) {
  const t = useT('distribution')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(distributionRunCalls.programs, { params: { id: row.id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={420} />
  return (
    <Stack>
      <Chart
        kind="bar"
        horizontal
        title={t('seats_given')}
        text={t('seats_given_text')}
        pointLabel={['Program', 'البرنامج']}
        height={Math.max(240, data.data.length * 34)}
        data={data.data.map((one) => ({
          name: nameOf(one.program, lang),
          seats: one.seats,
          first: one.wished_first,
          filled: one.filled,
        }))}
        series={[
          { key: 'seats', label: ['Seats', 'الأماكن'] },
          { key: 'first', label: ['First wishes', 'رغبة أولى'] },
          { key: 'filled', label: ['With a seat', 'حصلوا على مقعد'] },
        ]}
      />
      <Card title={t('cut_offs')}>
        <CutOffs rows={data.data} />
      </Card>
      <Proof details={data.details} />
    </Stack>
  )
}

function CutOffs({ rows }: { rows: readonly RunProgramStanding[] }) {
  const t = useT('distribution')
  const lang = useLanguage()
  return (
    <Table
      label={t('cut_offs')}
      rows={rows}
      rowKey={(one) => one.program.id}
      columns={[
        {
          key: 'program',
          label: t('program'),
          head: true,
          style: { minInlineSize: 180 },
          cell: (one) => (
            <span className={css.words}>
              <Name row={one.program} />
              {one.groups.map((group) => (
                <small key={group.name} className={css.dim}>
                  {withHeading(nameOf(group, lang), formatNumber(group.admitted))}
                  {group.reserved > 0 && ` · ${t('reserved_of', { n: formatNumber(group.reserved) })}`}
                  {group.maximum !== null && ` · ${t('at_most', { n: formatNumber(group.maximum) })}`}
                </small>
              ))}
            </span>
          ),
        },
        { key: 'seats', label: t('seats'), figure: true, cell: (one) => formatNumber(one.seats) },
        { key: 'filled', label: t('filled'), figure: true, cell: (one) => formatNumber(one.filled) },
        { key: 'first', label: t('given_first'), figure: true, cell: (one) => formatNumber(one.given_first) },
        { key: 'ranked', label: t('ranked'), figure: true, cell: (one) => formatNumber(one.ranked) },
        {
          key: 'last',
          label: t('last_rank'),
          figure: true,
          cell: (one) => (one.last_rank === null ? '–' : formatNumber(one.last_rank)),
        },
        { key: 'score', label: t('last_score'), figure: true, cell: (one) => percent(one.last_score) },
      ]}
    />
  )
}

function Proof({ details }: { details: Details }) {
  const t = useT('distribution')
  const { moves, before, input_hash, result_hash, lot_seed, proof } = details
  return (
    <Card title={t('proof')} text={t('proof_text')}>
      <dl className={css.proof}>
        <dt>{t('passed_over')}</dt>
        <dd>
          {formatNumber(Number(proof.blockingPairs))} · {t('pairs_looked_at', { n: formatNumber(Number(proof.pairs)) })}
        </dd>
        <dt>{t('best_for_all')}</dt>
        <dd>{t(proof.bestForApplicants === 'yes' ? 'yes' : 'no')}</dd>
        {moves && before && (
          <>
            <dt>{t('against', { run: before.code ?? '' })}</dt>
            <dd>
              {t('moves_line', {
                better: formatNumber(moves.better),
                worse: formatNumber(moves.worse),
                gained: formatNumber(moves.gained),
                lost: formatNumber(moves.lost),
              })}
            </dd>
          </>
        )}
        <dt>{t('stood_on')}</dt>
        <dd>
          <Code>{input_hash}</Code>
        </dd>
        <dt>{t('gave')}</dt>
        <dd>
          <Code>{result_hash}</Code>
        </dd>
        <dt>{t('lot')}</dt>
        <dd>
          <Code>{lot_seed}</Code>
        </dd>
      </dl>
    </Card>
  )
}
