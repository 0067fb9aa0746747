import { useCall } from '#kit/web/api/index.ts'
import { formatInstant, formatPercent, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { LadderRungs } from '../runs/ladder.web.tsx'
import css from '../runs/run.module.css'
import { distributionResultCalls as calls } from './result.contract.ts'

/** What the distribution gave to whoever has the key of an application, and what became of each wish. */
export function ResultOfApplication({ id, secret }: { id: number; secret: string }) {
  const t = useT('distribution')
  const lang = useLanguage()
  const { data } = useCall(calls.own, { params: { id, key: secret } })
  const result = data?.data
  if (!result) return null
  if (!result.out)
    return result.results_at ? (
      <p className={css.result}>{t('result_at', { at: formatInstant(result.results_at) })}</p>
    ) : null
  return (
    <section className={css.result} aria-label={t('your_result')}>
      <strong>{result.seat ? t('result_seat', { program: nameOf(result.seat, lang) }) : t('result_none')}</strong>
      {!result.seat && <p>{t('result_next')}</p>}
      {result.rungs.length > 0 && (
        <details>
          <summary>{t('result_why')}</summary>
          {result.score !== null && (
            <p className={css.dim}>{t('score_of', { mark: formatPercent(Number(result.score) / 100, 2) })}</p>
          )}
          <LadderRungs rungs={result.rungs} />
        </details>
      )}
    </section>
  )
}
