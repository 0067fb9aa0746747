import type { Resource } from '#kit/contract/resource.ts'
import { refName } from '#kit/contract/resource.ts'
import type { Label } from '#kit/contract/words.ts'
import { nameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'

/** So many of the records that a row is about stand in its name. */
const ABOUT = 2

/**
 * What people call a row: by its name, else by what it is and the records that it is about (`Hold · Sara Ali`). Its number
 * in the database says nothing to anybody.
 *
 * @param own what the resource itself calls its rows (`list.rowName`)
 */
export function calledIn(
  resource: Pick<Resource, 'one' | 'fields'>,
  row: Readonly<Record<string, unknown>>,
  say: (label: Label) => string,
  own?: (row: never) => string,
): string {
  const named = own?.(row as never) || nameOf(row)
  if (named) return named
  const about = Object.entries(resource.fields)
    .filter(([, field]) => field.kind === 'lookup')
    .map(([name]) => nameOf(row[refName(name)] as Named | null))
    .filter(Boolean)
  return [say(resource.one), ...about.slice(0, ABOUT)].join(' · ')
}
