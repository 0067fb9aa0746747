import { Code } from '#kit/web/feedback/index.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import css from '../catalogue.module.css'
import { stretches } from './settings.rules.ts'

export interface StripRange {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly tone: 'done' | 'refused' | 'active'
}

/** The scale of a set of ranges: what covers which part, and at once where nothing or several do. Mirrored in Arabic. */
export function Strip({ ranges, top, from = 0 }: { ranges: readonly StripRange[]; top: number; from?: number }) {
  const t = useT('catalogue')
  const parts = stretches(ranges, top).filter((part) => part.to > from)
  const share = (value: number) => ((value - from) / (top - from)) * 100
  const said = parts.map((part) => {
    const bounds = `${formatNumber(part.from)}–${formatNumber(part.to)}`
    if (!part.covered.length) return `${bounds} ${t('hole')}`
    return `${bounds} ${part.covered.map((i) => ranges[i]!.label).join(' + ')}${part.covered.length > 1 ? ` ${t('overlap')}` : ''}`
  })
  // Of numbers too close to be read beside one another the first stays; where the scale is narrow, fewer do.
  const spaced = (gap: number): Set<number> => {
    const kept = [from]
    for (const { from: value } of parts) {
      if (value > from && share(value) - share(kept.at(-1)!) >= gap && 100 - share(value) >= gap) kept.push(value)
    }
    return new Set([...kept, top])
  }
  const few = spaced(12)
  const ticks = [...spaced(3)]
  return (
    // oxlint-disable-next-line prefer-tag-over-role -- drawn of boxes, read as one picture
    <div className={css.strip} role="img" aria-label={said.join(', ')}>
      {parts.map((part) => {
        const [only] = part.covered
        const kind = part.covered.length === 0 ? 'hole' : part.covered.length > 1 ? 'overlap' : 'range'
        const label = kind === 'hole' ? t('hole') : part.covered.map((i) => ranges[i]!.label).join(' + ')
        return (
          <div
            key={part.from}
            className={css.segment}
            data-kind={kind}
            data-tone={kind === 'range' ? ranges[only!]!.tone : undefined}
            data-shade={only === undefined ? undefined : only % 2}
            style={{
              insetInlineStart: `${share(Math.max(part.from, from))}%`,
              inlineSize: `${share(part.to) - share(Math.max(part.from, from))}%`,
            }}
            title={`${label} · ${formatNumber(part.from)}–${formatNumber(part.to)}`}
          >
            <bdi>{share(part.to) - share(part.from) > 2.2 ? label : ''}</bdi>
          </div>
        )
      })}
      {ticks.map((value, i) => (
        <span
          key={value}
          className={css.tick}
          data-fine={few.has(value) ? undefined : true}
          data-edge={i === 0 ? 'first' : value === top ? 'last' : undefined}
          style={value === top ? undefined : { insetInlineStart: `${share(value)}%` }}
        >
          <Code>{formatNumber(value)}</Code>
        </span>
      ))}
    </div>
  )
}
