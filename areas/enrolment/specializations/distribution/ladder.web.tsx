import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { LadderAnswer } from './distribution.contract.ts'
import css from '../specializations.module.css'

const STATE = {
  given: 'met',
  not_needed: 'passed',
  conditions: 'unmet',
  full: 'full',
  not_offered: 'removed',
} as const

/** The ladder of a student's wishes: what became of each, and why. */
export function Ladder({ ladder }: { ladder: LadderAnswer }) {
  const t = useT('specializations')
  const lang = useLanguage()
  return (
    <>
      <p className={css.dim}>
        {t('rank_of', { rank: formatNumber(ladder.rank), of: formatNumber(ladder.of) })}
        {' · '}
        {t('by_figures', { gpa: ladder.gpa ?? '–', hours: ladder.passed_hours })}
      </p>
      <ol className={css.rungs}>
        {ladder.rungs.map((rung, i) => (
          <li key={rung.specialization.id} className={css.rung} data-outcome={rung.outcome}>
            <span className={css.number} aria-hidden>
              {formatNumber(i + 1)}
            </span>
            <span className={css.words}>
              <strong>
                <Name row={rung.specialization} />
              </strong>
              {rung.reasons.map((reason) => (
                <span key={`${reason.code} ${reason.en}`} className={css.dim}>
                  {problemText(reason, lang)}
                </span>
              ))}
              {rung.outcome === 'given' && rung.cut_off && (
                <span className={css.dim}>
                  {t('last_taken', {
                    rank: formatNumber(rung.cut_off.rank),
                    gpa: rung.cut_off.gpa ?? '–',
                    hours: rung.cut_off.passed_hours,
                  })}
                </span>
              )}
            </span>
            <Status is={STATE[rung.outcome]} label={t(`outcome_${rung.outcome}`)} />
          </li>
        ))}
      </ol>
      {!ladder.given && (
        <p>
          <Code>{ladder.student.code}</Code> {t('nothing_given')}
        </p>
      )}
    </>
  )
}
