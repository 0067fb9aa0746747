import { Code, Name } from '#kit/web/feedback/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { NONE } from '#kit/web/fields/cells.tsx'
import css from '../rights/rights.module.css'
import { useRightName } from '../rights/words.web.tsx'

/** Rights as a list that opens: there may be hundreds. */
export function RightsNamed({
  rights,
}: {
  rights: readonly { readonly key: string; readonly scope?: Named | null }[]
}) {
  const right = useRightName()
  if (!rights.length) return NONE
  return (
    <details>
      <summary>
        <Code>{rights.length}</Code>
      </summary>
      <ul className={css.rights}>
        {rights.map((one, i) => (
          <li key={`${one.key} ${i}`}>
            <span>{right(one.key)}</span>
            {one.scope && <Name row={one.scope} />}
          </li>
        ))}
      </ul>
    </details>
  )
}
