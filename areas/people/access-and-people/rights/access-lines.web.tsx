import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { wrongDays } from './grants.rules.ts'
import type { GrantPlace } from './grants.rules.ts'
import type { PersonAccess, rightsCalls } from './rights.contract.ts'
import css from './rights.module.css'
import { PlaceName, useDays } from './words.web.tsx'

export type Answer = ResponseOf<typeof rightsCalls.getAccess>
export type AccessUnit = Answer['meta']['units'][number]
export interface RightLine {
  readonly id?: number
  readonly scope: GrantPlace | null
  readonly valid_from: string | null
  readonly valid_to: string | null
}
export interface AccessDraft {
  readonly roles: readonly (RightLine & { readonly role_id: number })[]
  readonly access_entries: readonly (RightLine & { readonly scope: GrantPlace; readonly permission: string })[]
  readonly permissions: readonly string[]
  readonly is_super_admin: boolean
}
export const accessPlaceOf = (scope: (GrantPlace & { name: string }) | null): GrantPlace | null =>
  scope && { type: scope.type, id: scope.id }

/** Roles or access entries: where, from when until when, since when and by whom. */
export function AccessLines<L extends RightLine>({
  rows,
  empty,
  name,
  text,
  stored,
  unitOf,
  today,
  change,
}: {
  rows: readonly L[]
  empty: string
  name: (row: L) => ReactNode
  text: (row: L) => string
  stored: (row: L) => PersonAccess['roles'][number] | PersonAccess['access_entries'][number] | undefined
  unitOf: (place: GrantPlace | null) => AccessUnit | null
  today: string
  change: (rows: readonly L[]) => void
}) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const days = useDays()
  const [editing, setEditing] = useState<number | null>(null)
  if (!rows.length) return <p className={css.dim}>{empty}</p>
  const set = (i: number, part: Partial<RightLine>) =>
    change(rows.map((row, at) => (at === i ? { ...row, ...part } : row)))
  return (
    <ul className={css.lines}>
      {rows.map((row, i) => {
        const known = row.id === undefined ? undefined : stored(row)
        return (
          <li key={row.id ?? `new ${i}`}>
            <div>
              <strong>{name(row)}</strong> {known ? null : <Status is="added" label={t('new_line')} />}
              {row.valid_from !== null && row.valid_from > today && (
                <Status is="opens_later" label={t('begins_later')} />
              )}
              <p className={css.dim}>
                <PlaceName
                  scope={
                    known && JSON.stringify(accessPlaceOf(known.scope)) === JSON.stringify(row.scope)
                      ? known.scope
                      : unitOf(row.scope)
                  }
                />
                {' · '}
                {days(row)}
                {known && (
                  <>
                    {' · '}
                    {t('given_since', { day: formatDate(dayOf(known.since), 'short', l) })}
                    {known.by && ` · ${t('given_by', { name: nameOf(known.by, l) })}`}
                  </>
                )}
              </p>
              {editing === i && <RightDays value={row} today={today} onChange={(part) => set(i, part)} />}
            </div>
            <div className={css.acts}>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('change_days_named', { name: text(row) })}
                onClick={() => setEditing(editing === i ? null : i)}
              >
                {t('change_days')}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('take_named', { name: text(row) })}
                onClick={() => {
                  setEditing(null)
                  change(rows.filter((_, at) => at !== i))
                }}
              >
                {t('take')}
              </Button>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

export function RightDays({
  value,
  today,
  onChange,
}: {
  value: Pick<RightLine, 'valid_from' | 'valid_to'>
  today: string
  onChange: (part: Partial<RightLine>) => void
}) {
  const t = useT('access-and-people')
  const wrong = wrongDays(value, today)
  const at = (day: unknown): string | null => (typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? day : null)
  return (
    <div className={css.days}>
      <DateInput
        name="valid_from"
        label={t('first_day')}
        defaultValue={value.valid_from}
        onChange={(day) => onChange({ valid_from: at(day) })}
      />
      <DateInput
        name="valid_to"
        label={t('last_day')}
        defaultValue={value.valid_to}
        error={wrong && t(wrong)}
        onChange={(day) => onChange({ valid_to: at(day) })}
      />
    </div>
  )
}
