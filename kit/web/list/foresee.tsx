import { useT } from '../i18n/catalogue.ts'
import type { BulkAction } from './bulk.tsx'
import type { AnyRow } from './columns.ts'
import css from './list.module.css'

/** Of the rows chosen, those that an action happens to, and why not to the others: a reason with their number. */
export function foresee(
  action: Pick<BulkAction, 'applies' | 'whyNot'>,
  chosen: readonly number[],
  seen: ReadonlyMap<number, AnyRow>,
  otherwise: string,
): { able: number[]; stay: ReadonlyMap<string, number> } {
  const stay = new Map<string, number>()
  const able = chosen.filter((id) => {
    const row = seen.get(id)
    if (!row || !action.applies || action.applies(row)) return true
    const why = action.whyNot?.(row) ?? otherwise
    stay.set(why, (stay.get(why) ?? 0) + 1)
    return false
  })
  return { able, stay }
}

/** How many stay as they are, grouped by why. */
export function StayNote({ stay }: { readonly stay: ReadonlyMap<string, number> }) {
  const t = useT('kit-screens')
  return (
    <div className={css.stay}>
      <p>{t('bulk_stay', { count: [...stay.values()].reduce((sum, count) => sum + count, 0) })}</p>
      <ul>
        {[...stay]
          .toSorted(([, a], [, b]) => b - a)
          .map(([why, count]) => (
            <li key={why}>{t('bulk_reason', { count, why })}</li>
          ))}
      </ul>
    </div>
  )
}
