import { Progress } from '@mantine/core'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { formatList, formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import css from '../transfers.module.css'
import type { EquivalenceOutcome } from './equivalence.contract.ts'

/** Missing courses that are named. */
const NAMED = 6

/** How the student would stand: hours, GPA, level, and what is missing of each requirement. */
export function OutcomeCard({ outcome, busy }: { outcome: EquivalenceOutcome | undefined; busy?: boolean }) {
  const t = useT('transfers')
  const kit = useT('kit')
  const lang = useLanguage()
  if (!outcome)
    return (
      <Card title={t('outcome')}>
        <Bone height={180} />
      </Card>
    )
  const { hours, gpa } = outcome
  const named = (one: EquivalenceOutcome['carried'][number]) => [one.code, nameOf(one, lang)].filter(Boolean).join(' ')
  const hoursText = t('of_hours', { earned: formatNumber(hours.earned), required: formatNumber(hours.required) })
  return (
    <Card title={t('outcome')} text={t('outcome_text')}>
      <div className={css.outcome} aria-live="polite" aria-busy={busy || undefined}>
        <Facts
          short
          items={[
            { label: t('hours_counted'), value: hoursText },
            ...(gpa
              ? [
                  {
                    label: t('gpa'),
                    value: (
                      <>
                        {gpa.actual === null ? t('no_gpa') : <Code>{formatNumber(gpa.actual, 2)}</Code>}{' '}
                        <small>{t('gpa_needed', { gpa: formatNumber(gpa.required, 2) })}</small>
                      </>
                    ),
                  },
                ]
              : []),
            { label: t('level'), value: formatNumber(outcome.level) },
            ...(outcome.training.required
              ? [
                  {
                    label: t('training'),
                    value: t('of_weeks', {
                      earned: formatNumber(outcome.training.earned),
                      required: formatNumber(outcome.training.required),
                    }),
                  },
                ]
              : []),
            ...(outcome.exceptions ? [{ label: t('exceptions'), value: formatNumber(outcome.exceptions) }] : []),
            ...(outcome.carried.length
              ? [
                  {
                    label: t('carried'),
                    wide: true,
                    value: formatList(outcome.carried.map(named), lang),
                  },
                ]
              : []),
          ]}
        />
        <Progress
          value={hours.required ? Math.min(100, (hours.earned / hours.required) * 100) : 0}
          aria-label={hoursText}
        />
        <ul className={css.groups}>
          {outcome.groups.map((group) => (
            <li key={group.id}>
              <span className={css.bar}>
                <Status is={group.state} label={t(`state_${group.state}`)} />
                <span>
                  {group.name === null
                    ? t(`kind_${group.kind}`)
                    : nameOf({ name: group.name, name_local: group.name_local }, lang)}
                </span>
                <span className={css.figures}>
                  {t('of_hours', { earned: formatNumber(group.earned), required: formatNumber(group.required) })}
                </span>
              </span>
              {group.missing.length > 0 && (
                <details>
                  <summary>
                    {t('missing_courses', {
                      courses: [
                        ...group.missing.slice(0, NAMED).map(named),
                        ...(group.missing.length > NAMED
                          ? [kit('and_more', { count: group.missing.length - NAMED })]
                          : []),
                      ].join(lang === 'ar' ? '، ' : ', '),
                      count: group.missing.length,
                    })}
                  </summary>
                  <ul>
                    {group.missing.map((one) => (
                      <li key={one.id}>
                        <bdi>{named(one)}</bdi>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </li>
          ))}
          {outcome.own.map((one) => (
            <li key={one.key}>
              <span className={css.bar}>
                <Status is={one.state} label={t(`state_${one.state}`)} />
                <span>{nameOf(one, lang)}</span>
              </span>
              {one.lacking.slice(0, NAMED).map((part) => (
                <small key={part.name}>
                  <bdi>{nameOf(part, lang)}</bdi>: {part.missing.map((missing) => problemText(missing)).join(' ')}
                </small>
              ))}
              {one.lacking.length > NAMED && <small>{kit('and_more', { count: one.lacking.length - NAMED })}</small>}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
