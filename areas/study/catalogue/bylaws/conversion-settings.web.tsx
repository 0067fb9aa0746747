/** How a bylaw tells results by credit hours and by marks in each other, for whoever moves between the two kinds. */
import { Button } from '@mantine/core'
import { formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { usualConversions } from '../conversion.rules.ts'
import { parseHundredths, trimHundredths } from '../decimal.rules.ts'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { Section, wrongIn } from './section.web.tsx'
import type { BylawSettingsAnswer, Settings } from './settings.contract.ts'
import { pointRanges, shareRanges } from './settings.rules.ts'
import { SetTable, type SetColumn } from './set-table.web.tsx'
import { Strip } from './strip.web.tsx'

const COLUMNS: readonly SetColumn[] = [
  { key: 'from_share', label: ['From % of the maximum', 'من % من النهاية العظمى'], kind: 'decimal' },
  { key: 'to_share', label: ['To % of the maximum', 'إلى % من النهاية العظمى'], kind: 'decimal' },
  { key: 'from_points', label: ['From points', 'من نقاط'], kind: 'decimal' },
  { key: 'to_points', label: ['To points', 'إلى نقاط'], kind: 'decimal' },
]
type Lines = Settings['conversions']

/** With what a course is passed, by the kind of the bylaw. */
const passOf = (saved: BylawSettingsAnswer): string => {
  if (worksByMarks(saved.program_type)) return saved.pass_share
  const passing = saved.grade_types
    .filter((type) => type.kind === 'letter')
    .flatMap((type) => type.ranges.filter((range) => range.success).map((range) => Number(range.from_percent)))
  return passing.length ? String(Math.min(...passing)) : '60'
}

/** The table of conversions: the picture of both scales, and its lines. */
export function Conversions({ saved }: { saved: BylawSettingsAnswer }) {
  const t = useT('catalogue')
  const say = useLabel()
  const usual = (): Lines =>
    usualConversions(parseHundredths(passOf(saved)) ?? 6000)
      .toReversed()
      .map((line) => ({
        from_share: trimHundredths(line.from_share),
        to_share: trimHundredths(line.to_share),
        from_points: trimHundredths(line.from_points),
        to_points: trimHundredths(line.to_points),
      }))
  return (
    <Section
      title={['Between points and marks', 'بين النقاط والدرجات']}
      text={[
        'For who moves between bylaws by credit hours and by marks. Each line joins a stretch of both scales, read in both directions.',
        'لمن ينتقل بين لوائح الساعات المعتمدة ولوائح الدرجات. يربط كل سطر مدى من المقياسين ويُقرأ في الاتجاهين.',
      ]}
      keys={['conversions']}
    >
      {({ value, set, problem }) => {
        const lines = value.conversions
        const points = (line: Lines[number]) =>
          `${formatNumber(Number(line.from_points))}–${formatNumber(Number(line.to_points))}`
        return lines.length ? (
          <>
            <Strip
              top={100}
              ranges={lines.map((line) => ({
                from: line.from_share,
                to: line.to_share,
                label: points(line),
                tone: 'active',
              }))}
            />
            <SetTable
              caption={say(['Between points and marks', 'بين النقاط والدرجات'])}
              columns={COLUMNS}
              rows={lines}
              onChange={set ? (rows) => set({ conversions: rows as Lines }) : undefined}
              onLeave={(index, before) => {
                // The lines that shared a boundary with it follow, on both scales.
                const old = lines.map((line, i) => (i === index ? (before as Lines[number]) : line))
                const now = lines[index]!
                const along = shareRanges.move(old, index, {
                  ...old[index]!,
                  from_share: now.from_share,
                  to_share: now.to_share,
                })
                set!({ conversions: pointRanges.move(along, index, now) })
              }}
              fresh={() => ({ from_share: '', to_share: '', from_points: '', to_points: '' })}
              problems={wrongIn(problem, 'conversions')}
            />
          </>
        ) : (
          <>
            <p>{t('no_conversions')}</p>
            {set && (
              <Button size="compact-sm" variant="default" onClick={() => set({ conversions: usual() })}>
                {t('usual_conversions')}
              </Button>
            )}
          </>
        )
      }}
    </Section>
  )
}
