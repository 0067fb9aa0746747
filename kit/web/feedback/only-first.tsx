import { useT } from '../i18n/catalogue.ts'
import css from './feedback.module.css'

/**
 * Beneath a list whose answer ends at `most` rows: says that it is not whole. Nothing while there are fewer.
 *
 * @param props.found what was typed found them: more of it finds the others
 */
export function OnlyFirst({
  rows,
  most,
  found,
}: {
  readonly rows: number
  readonly most: number
  readonly found?: boolean
}) {
  const t = useT('kit')
  if (rows < most) return null
  return <p className={css.onlyFirst}>{t(found ? 'first_found' : 'latest_only', { number: most })}</p>
}
