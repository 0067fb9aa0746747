import { Name, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { ApplicantLadder, LadderRung } from './run.contract.ts'
import css from './run.module.css'

const STATE = {
  given: 'met',
  not_needed: 'passed',
  not_ranked: 'unmet',
  refused: 'full',
  not_offered: 'removed',
} as const

/** What became of each wish of an applicant, and why. */
export function LadderOfApplicant({ ladder }: { ladder: ApplicantLadder }) {
  const t = useT('distribution')
  const lang = useLanguage()
  const { applicant: who, score, rungs } = ladder
  return (
    <>
      <p>
        <strong>
          <bdi>{nameOf(who, lang)}</bdi>
        </strong>
        {score !== null && (
          <span className={css.dim}> · {t('score_of', { mark: formatPercent(Number(score) / 100, 2) })}</span>
        )}
      </p>
      <LadderRungs rungs={rungs} />
    </>
  )
}

/** Wishes in their order, each with what became of it and why. */
export function LadderRungs({ rungs }: { rungs: readonly LadderRung[] }) {
  return (
    <ol className={css.rungs}>
      {rungs.map((rung) => (
        <Rung key={rung.preference} rung={rung} />
      ))}
    </ol>
  )
}

function Rung({ rung }: { rung: LadderRung }) {
  const t = useT('distribution')
  const lang = useLanguage()
  return (
    <li className={css.rung} data-outcome={rung.outcome}>
      <span className={css.number} aria-hidden>
        {formatNumber(rung.preference)}
      </span>
      <span className={css.words}>
        <strong>
          <Name row={rung.program} />
        </strong>
        {rung.reasons.map((reason) => (
          <span key={`${reason.code} ${reason.en}`} className={css.dim}>
            {problemText(reason, lang)}
          </span>
        ))}
        {rung.outcome === 'given' && rung.rank !== null && (
          <span className={css.dim}>
            {t('rank_of', { rank: formatNumber(rung.rank), last: formatNumber(rung.last_rank ?? rung.rank) })}
          </span>
        )}
      </span>
      <Status is={STATE[rung.outcome]} label={t(`outcome_${rung.outcome}`)} />
    </li>
  )
}
