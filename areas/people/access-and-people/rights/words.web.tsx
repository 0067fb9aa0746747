import { PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { Name } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import type { GrantDifference, Grant, GrantPlace } from './grants.rules.ts'
import { REACH_WORDS } from './rights.contract.ts'
import css from './rights.module.css'

/** What rights are called in the reader's language. */
export function useRightName(): (key: string) => string {
  const say = useLabel('permissions')
  return (key) => {
    const words = PERMISSIONS.get(key as PermissionKey)
    return words ? say(words) : key
  }
}

/** From when until when, in words; nothing where there is no limit. */
export function useDays(): (one: { readonly valid_from: string | null; readonly valid_to: string | null }) => string {
  const t = useT('access-and-people')
  const l = useLanguage()
  return ({ valid_from, valid_to }) => {
    const [from, until] = [valid_from, valid_to].map((day) => (day ? formatDate(day, 'short', l) : ''))
    if (from && until) return t('days_between', { from, until })
    if (from) return t('days_from', { from })
    return until ? t('days_until', { until }) : t('days_always')
  }
}

/** A part of the university; all of it. Its name says of what kind it is. */
export function PlaceName({ scope }: { scope: Named | null }) {
  const t = useT('access-and-people')
  return scope ? <Name row={scope} /> : <span>{t('whole_university')}</span>
}

type Units = readonly (Named & GrantPlace)[]
/** What a change gives and takes, said part by part. */
export function DifferenceOf({ difference, units }: { difference: GrantDifference; units: Units }) {
  const t = useT('access-and-people')
  const { gained, lost } = difference
  if (!gained.length && !lost.length) return <p className={css.dim}>{t('preview_nothing')}</p>
  return (
    <>
      {gained.length > 0 && (
        <div className={css.gained}>
          <strong>{t('preview_gains', { count: gained.length })}</strong>
          <Groups grants={gained} units={units} />
        </div>
      )}
      {lost.length > 0 && (
        <div className={css.lost}>
          <strong>{t('preview_loses', { count: lost.length })}</strong>
          <Groups grants={lost} units={units} />
        </div>
      )}
    </>
  )
}
function Groups({ grants, units }: { grants: readonly Grant[]; units: Units }) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const say = useLabel()
  const days = useDays()
  const right = useRightName()
  const groups = Map.groupBy(grants, ({ reach, scope, valid_from, valid_to }) =>
    [reach, scope?.type, scope?.id, valid_from, valid_to].join(' '),
  )
  return [...groups].map(([key, some]) => {
    const [one] = some as [Grant]
    const unit = one.scope && units.find(({ type, id }) => type === one.scope!.type && id === one.scope!.id)
    const where =
      one.reach !== 'scope'
        ? say(REACH_WORDS.find(({ value }) => value === one.reach)!.label)
        : unit
          ? nameOf(unit, l)
          : t('whole_university')
    return (
      <details key={key} open={some.length <= 6}>
        <summary>
          <bdi>{where}</bdi> · {days(one)} · {t('rights_n', { count: some.length })}
        </summary>
        <ul>
          {some.map(({ permission }) => (
            <li key={permission}>
              <bdi>{right(permission)}</bdi>
            </li>
          ))}
        </ul>
      </details>
    )
  })
}
