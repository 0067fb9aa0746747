import { Code, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { Problem } from '#kit/contract/index.ts'
import { RISK_LEVELS, type RiskRow } from './risk.contract.ts'
import css from '../early-warning.module.css'

/** How much attention a student needs. */
export function RiskLevel({ level }: { readonly level: RiskRow['risk'] }) {
  const say = useLabel()
  const { tone, label } = RISK_LEVELS.find((one) => one.value === level) ?? RISK_LEVELS[1]
  return <Status tone={tone} label={say(label)} />
}

/** From so many points on a reason is marked. */
const HEAVY = 3

/** Reasons in words, what weighs most first. */
export function RiskReasons({ reasons }: { readonly reasons: readonly (Problem & { readonly points?: number })[] }) {
  const t = useT('early-warning')
  return (
    <ul className={css.reasons}>
      {reasons.map((one) => (
        <li key={one.code} data-heavy={(one.points ?? 0) >= HEAVY || undefined}>
          <span dir="auto">{problemText(one)}</span>
          {one.points !== undefined && <span className={css.points}>{t('points_of', { count: one.points })}</span>}
        </li>
      ))}
    </ul>
  )
}

/** The model's word, as so many of a hundred. */
export function Likely({ probability }: { readonly probability: number | null }) {
  return probability === null ? <span className={css.dim}>–</span> : <Code>{formatPercent(probability)}</Code>
}

/** A figure that may be missing. */
export function Points({ points }: { readonly points: number }) {
  return <Code>{formatNumber(points)}</Code>
}
